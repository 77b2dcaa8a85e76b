/*
 * The same correction for the same words: when a person sets a tag, a relation or a roleset, other
 * sentences that nobody has corrected may have the same word with the same label as before.
 */

import { change } from "./answers.js";
import { element, finder } from "./dom.js";
import { get, saveSentence } from "./service.js";

export class Alike {
  #offer = null;

  /** `page` has `failed(error, retry)`, and `written(numbers)` for sentences that may have been saved. */
  constructor(root, page) {
    this.root = root;
    this.find = finder(root);
    this.page = page;
  }

  /** Offers a correction of a sentence to others, if there are any: of its "pos", "labels" or "senses". */
  async offer(sentence, part, token, value) {
    this.#offer = null;
    this.show(sentence);
    // A relation that belongs to another head is no example.
    if (part === "labels" && token in sentence.edits.heads) return;
    try {
      const found = await get("alike", { number: sentence.number, part, token, value });
      if (found.found === 0) return;
      this.#offer = { sentence, part, token, value, ...found, written: new Map() };
      this.#list();
      this.show(sentence);
    } catch {
      // The edit itself says what is wrong, and is what is tried again.
    }
  }

  /** Shows the offer as long as its sentence is open and has the correction. */
  show(sentence) {
    const { part, token, value } = this.#offer ?? {};
    this.root.hidden = this.#offer?.sentence !== sentence || sentence.edits[part][token] !== value;
  }

  #list() {
    const { found, sentences } = this.#offer;
    const rows = sentences.map(({ number, text }) => {
      const box = element("input", { type: "checkbox", checked: true, value: number });
      return element("li", {}, element("label", {}, box, ` ${number} `, element("bdi", {}, text)));
    });
    this.find("ul").replaceChildren(...rows);
    this.root.open = false;
    const rest = sentences.length < found ? ` (the first ${sentences.length} are below)` : "";
    this.#say(`Also in ${count(found)}${rest}`, "Correct these, too", () => this.#correct());
  }

  #say(text, action, act) {
    const { word, before, value } = this.#offer;
    this.find("summary").textContent = `${text}: “${word}” ${change(before, value)}`;
    Object.assign(this.find("button"), { textContent: action, onclick: () => this.#run(act) });
  }

  /** Does something that can be tried again. */
  async #run(act) {
    const { sentences } = this.#offer;
    this.find("button").disabled = true;
    try {
      await act();
    } catch (error) {
      this.page.failed(error, () => this.#run(act));
    }
    this.find("button").disabled = false;
    this.page.written(sentences.map(({ number }) => number));
  }

  async #correct() {
    const { part, value, sentences, written } = this.#offer;
    const chosen = new Set([...this.root.querySelectorAll(":checked")].map((box) => Number(box.value)));
    for (const { number, tokens } of sentences.filter((one) => chosen.has(one.number))) {
      const { saved, version } = await get("sentence", { number });
      const values = Object.fromEntries(tokens.map((token) => [token, value]));
      // What somebody has corrected meanwhile stays.
      if (!saved) written.set(number, await saveSentence(number, { corrections: { [part]: values, accepted: false }, version }));
    }
    this.find("ul").replaceChildren();
    this.#say(`Corrected in ${count(written.size)}`, "Take back", () => this.#takeBack());
  }

  async #takeBack() {
    const { written } = this.#offer;
    for (const [number, version] of written) {
      await saveSentence(number, { corrections: null, version }).catch((error) => {
        if (error.status !== 409) throw error;
      });
      written.delete(number);
    }
    this.#list();
  }
}

function count(number) {
  return `${number.toLocaleString("en")} other sentence${number === 1 ? "" : "s"}`;
}
