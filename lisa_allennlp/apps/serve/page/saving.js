/* Writes the corrections of sentences to the service, one after another and again until it has them. */

import { correctionsOf, editsOf } from "./edits.js";
import { get, saveSentence } from "./service.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/** What is saved of a sentence, as a text: the same as before, if there is nothing to save. */
function stateOf(sentence) {
  return JSON.stringify(sentence.edits);
}

export class Saver {
  #busy = new Set();

  /**
   * `page` has `saving(text)`, `saved(sentence)` and `replaced(sentence)`, which is called
   * when another tab has saved a newer version: it is the present one then, and Undo returns.
   */
  constructor(page) {
    this.page = page;
    addEventListener("beforeunload", (event) => this.#busy.size > 0 && event.preventDefault());
  }

  /** Saves a sentence in its present state, and in those that follow while it does. */
  async save(sentence) {
    if (this.#busy.has(sentence) || stateOf(sentence) === sentence.savedState) return;
    this.#busy.add(sentence);
    let wait = FIRST_WAIT;
    while (stateOf(sentence) !== sentence.savedState) {
      try {
        this.page.saving("Saving …");
        await this.#write(sentence);
        wait = FIRST_WAIT;
      } catch (error) {
        if (error.isTemporary === false) {
          this.#busy.delete(sentence);
          this.page.saving(`Not saved: ${error.message}`, true);
          return;
        }
        this.page.saving(`Not saved yet, trying again: ${error.message}`, true);
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
    this.#busy.delete(sentence);
    this.page.saved(sentence);
  }

  async #write(sentence) {
    const [state, { edits, isEdited, version }] = [stateOf(sentence), sentence];
    const corrections = isEdited || edits.accepted || edits.comment ? { ...correctionsOf(edits), accepted: edits.accepted } : null;
    try {
      sentence.version = await saveSentence(sentence.number, { corrections, version });
      sentence.savedState = state;
    } catch (error) {
      if (error.status !== 409) throw error;
      resume(sentence, await get("sentence", { number: sentence.number }));
      await this.page.replaced(sentence);
    }
  }
}

/** Makes the saved version of a sentence the present one; what was there is one step back. */
export function resume(sentence, { saved, version }) {
  sentence.history.add(editsOf(saved));
  sentence.version = version;
  sentence.savedState = stateOf(sentence);
}
