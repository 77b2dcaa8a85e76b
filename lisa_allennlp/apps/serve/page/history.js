/* Undo and redo of values that never change. */

export class History {
  past = [];
  future = [];

  constructor(present) {
    this.present = present;
  }

  /** Makes another value the present one. The same value changes nothing. */
  add(value) {
    if (JSON.stringify(value) === JSON.stringify(this.present)) return false;
    this.past.push(this.present);
    this.future = [];
    this.present = value;
    return true;
  }

  undo() {
    return this.#move(this.past, this.future);
  }

  redo() {
    return this.#move(this.future, this.past);
  }

  #move(from, to) {
    if (from.length === 0) return false;
    to.push(this.present);
    this.present = from.pop();
    return true;
  }
}
