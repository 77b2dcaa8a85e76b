/*
 * A sentence with the model's own reading, its edits, and the answers for edited parses. Answers
 * are kept, so that undo and redo need no network.
 */

import { withCorrections, withGiven, withOffsets } from "./answers.js";
import { NO_EDITS, isUnedited, needsModel, requestFor } from "./edits.js";
import { History } from "./history.js";

const MOST_ANSWERS = 200;

export class Sentence {
  #answers = new Map();

  /** `given` has the parts of `own` that people annotated: of "pos", "parse" and "frames". */
  constructor(own, edits = NO_EDITS, given = []) {
    this.own = own;
    this.given = given;
    this.history = new History(NO_EDITS);
    this.history.add(edits);
  }

  get edits() {
    return this.history.present;
  }

  /** The sentence as it would be with other edits. Both share the answers. */
  with(edits) {
    const other = new Sentence(this.own, edits, this.given);
    other.#answers = this.#answers;
    return other;
  }

  get isEdited() {
    return !isUnedited(this.edits);
  }

  /** What to ask of the service. */
  get request() {
    return requestFor(this.own, this.edits, this.given);
  }

  /** Whether the model has answered for the present edits. */
  get isAnswered() {
    return this.answer !== null;
  }

  /** The model's answer for the present heads and predicates; `null` before it is there. */
  get answer() {
    return !needsModel(this.edits, this.given) ? this.own : (this.#answers.get(JSON.stringify(this.request)) ?? null);
  }

  /** The answer with all that a person set; `null` before it is there. */
  get drawn() {
    if (this.answer === null || !this.isEdited) return this.answer;
    const answer = withGiven(this.answer, this.own, this.edits, this.given);
    return withCorrections(answer, this.edits);
  }

  /** Keeps the answer to a request. */
  keep(request, answer) {
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(JSON.stringify(request), withOffsets(answer, this.own));
  }
}
