/*
 * A sentence with the model's own reading, its edits, and the answers for edited parses. Answers
 * are kept, so that undo and redo need no network.
 */

import { withLabels, withOffsets } from "./answers.js";
import { NO_EDITS, isUnedited, requestFor } from "./edits.js";
import { History } from "./history.js";

const MOST_ANSWERS = 200;

export class Sentence {
  #answers = new Map();

  constructor(own, edits = NO_EDITS) {
    this.own = own;
    this.history = new History(NO_EDITS);
    this.history.add(edits);
    this.attention = null;
  }

  get edits() {
    return this.history.present;
  }

  get isEdited() {
    return !isUnedited(this.edits);
  }

  /** What to ask of the service. */
  get request() {
    return requestFor(this.own, this.edits);
  }

  /** Whether the model has answered for the present edits. */
  get isAnswered() {
    return this.answer !== null;
  }

  /** The model's answer for the present heads and predicates; `null` before it is there. */
  get answer() {
    return this.#isOwn ? this.own : (this.#answers.get(JSON.stringify(this.request)) ?? null);
  }

  /** The answer with chosen relations; `null` before it is there. */
  get drawn() {
    return this.answer && withLabels(this.answer, this.edits.labels);
  }

  /** Keeps the answer to a request. */
  keep(request, answer) {
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value);
    this.#answers.set(JSON.stringify(request), withOffsets(answer, this.own));
  }

  get #isOwn() {
    return isUnedited({ ...this.edits, labels: {} });
  }
}
