/*
 * Undo and redo of values that never change.
 */

const MOST = 500;

export class History {
  #past = [];
  #future = [];

  constructor(present) {
    this.present = present;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Whether some value before the present one is such. */
  had(isSuch) {
    return this.#past.some(isSuch);
  }

  /** Makes another value the present one. The same value changes nothing. */
  add(value) {
    if (JSON.stringify(value) === JSON.stringify(this.present)) return false;
    this.#past = [...this.#past, this.present].slice(-MOST);
    this.#future = [];
    this.present = value;
    return true;
  }

  undo() {
    return this.#move(this.#past, this.#future);
  }

  redo() {
    return this.#move(this.#future, this.#past);
  }

  #move(from, to) {
    if (from.length === 0) return false;
    to.push(this.present);
    this.present = from.pop();
    return true;
  }
}
