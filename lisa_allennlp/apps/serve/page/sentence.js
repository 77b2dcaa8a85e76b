/*
 * A sentence with the model's own reading, its edits, and how it reads with them, which the service
 * says. Readings and their pictures are kept, so that undo and redo need no network.
 */

import { NO_EDITS, correctionsOf, isUnedited } from "./edits.js";
import { History } from "./history.js";
import { post } from "./service.js";

export class Sentence {
  /** By corrections: the record, who does what, and pictures of it by how they look. */
  #readings = new Map();

  /** How it reads without edits, in words; and the predicates about which other sentences taught something. */
  start = "as parsed";
  learned = [];
  #before = null;

  /** `number` is that of a sentence of the corpus. */
  constructor(own, edits = NO_EDITS, number = null) {
    this.own = this.parsed = own;
    this.number = number;
    this.history = new History(NO_EDITS);
    this.history.add(edits);
  }

  get edits() {
    return this.history.present;
  }

  /** The sentence as it would be with other edits. Both share the readings. */
  with(edits) {
    const other = new Sentence(this.own, edits, this.number);
    other.#readings = this.#readings;
    return Object.assign(other, { parsed: this.parsed, learned: this.learned });
  }

  /** The sentence before edits, and before what others taught (`parsed`). */
  get before() {
    this.#before ??= this.parsed === this.own ? this.with(NO_EDITS) : new Sentence(this.parsed);
    return this.#before;
  }

  /** Whether it reads otherwise than before. */
  get hasChanged() {
    return this.isEdited || this.learned.length > 0;
  }

  get isEdited() {
    return !isUnedited(this.edits);
  }

  /** Whether later edits have taken it back that a person accepted the sentence. */
  get isTakenBack() {
    return !this.edits.accepted && this.history.past.some(({ accepted }) => accepted);
  }

  /** Whether it is known how the sentence reads with its edits. */
  get isAnswered() {
    return this.drawn !== null;
  }

  /** How the sentence reads with its edits; `null` before the service has said so. */
  get drawn() {
    return this.isEdited ? (this.reading?.answer ?? null) : this.own;
  }

  /** What `/edit` answers: also who does what (`frames`), and the rules of trees that are broken (`broken_rules`). */
  get reading() {
    return this.#readings.get(JSON.stringify(this.#corrections));
  }

  /** The picture of this, as the text of an SVG file; it is `drawn` then. */
  async read(picture, signal) {
    const corrections = this.#corrections;
    const [key, look] = [corrections, picture].map((one) => JSON.stringify(one));
    const kept = this.#readings.get(key)?.pictures;
    if (kept?.[look]) return kept[look];
    const found = JSON.parse(await post("edit", { sentence: this.number ?? this.own, corrections, picture }, signal));
    this.#readings.set(key, { ...found, pictures: { ...kept, [look]: found.picture } });
    return found.picture;
  }

  get #corrections() {
    return correctionsOf({ ...this.edits, accepted: false, comment: "" });
  }
}
