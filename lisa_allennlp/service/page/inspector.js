/*
 * The chosen word: its head, its relation and whether it is a predicate, as ordinary fields.
 */

import { element, finder } from "./dom.js";

export class Inspector {
  #token = null;
  #words = null;
  #tags = null;

  /** `handlers` has `head(token, head)`, `label(token, label)`, `predicate(token, is)`, `close()`. */
  constructor(root, handlers) {
    this.find = finder(root);
    this.#on("head", (field) => handlers.head(this.#token, Number(field.value)));
    this.#on("label", (field) => handlers.label(this.#token, field.value));
    this.#on("predicate", (field) => handlers.predicate(this.#token, field.checked));
    this.find("[data-field=close]").addEventListener("click", () => handlers.close());
  }

  focusLabel() {
    this.find("[data-field=label]").focus();
  }

  /** Shows a word of a reading, or the hint without one. */
  show(token, { words, pos, heads, labels, isPredicate, headTags }) {
    this.#token = token;
    this.find(".fields").hidden = token === null;
    this.find(".hint").hidden = token !== null;
    if (token === null) return;
    this.find(".chosen").textContent = `${token + 1} ${words[token]}${pos ? ` ${pos[token]}` : ""}`;
    const [head, label, predicate] = ["head", "label", "predicate"].map((name) => this.find(`[data-field=${name}]`));
    head.closest("label").hidden = label.closest("label").hidden = !heads;
    predicate.closest("label").hidden = isPredicate === null;
    predicate.checked = Boolean(isPredicate);
    if (!heads) return;
    if (this.#words !== words) {
      this.#words = words;
      const names = words.map((word, place) => element("option", { value: place + 1 }, `${place + 1} ${word}`));
      head.replaceChildren(element("option", { value: 0 }, "root"), ...names);
    }
    for (const option of head.options) option.disabled = Number(option.value) === token + 1;
    head.value = heads[token];
    const tags = [...new Set([...headTags, labels[token]])].sort();
    if (tags.join(" ") !== this.#tags) {
      this.#tags = tags.join(" ");
      label.replaceChildren(...tags.map((tag) => element("option", { value: tag }, tag)));
    }
    label.value = labels[token];
  }

  #on(name, handle) {
    const field = this.find(`[data-field=${name}]`);
    field.addEventListener("change", () => handle(field));
  }
}
