/*
 * The chosen word: its head, its relation and whether it is a predicate, as ordinary fields.
 */

import { element, finder } from "./dom.js";

export class Inspector {
  #token = null;
  #words = null;
  #tags = null;

  /** `handlers` has `head(token, head)`, `label(token, label)`, `predicate(token, is)`, `pick(token)`, `close()`. */
  constructor(root, handlers) {
    this.find = finder(root);
    this.#on("head", (field) => handlers.head(this.#token, Number(field.value)));
    this.#on("label", (field) => handlers.label(this.#token, field.value));
    this.#on("predicate", (field) => handlers.predicate(this.#token, field.checked));
    this.find("[data-field=pick]").addEventListener("click", () => handlers.pick(this.#token));
    for (const name of ["close", "cancel"]) {
      this.find(`[data-field=${name}]`).addEventListener("click", () => handlers.close());
    }
  }

  focusLabel() {
    this.find("[data-field=label]").focus();
  }

  /** Shows a word of a reading, that its new head is being chosen, or the hint without a word. */
  show(token, { words, pos, heads, labels, isPredicate, isPicking, headTags }) {
    this.#token = token;
    this.find(".fields").hidden = token === null || isPicking;
    this.find(".picking").hidden = !isPicking;
    this.find(".hint").hidden = token !== null;
    if (token === null) return;
    this.find(".picked-word").textContent = `“${words[token]}”`;
    this.find(".chosen").textContent = `${token + 1} ${words[token]}${pos ? ` ${pos[token]}` : ""}`;
    const [head, label, predicate] = ["head", "label", "predicate"].map((name) => this.find(`[data-field=${name}]`));
    for (const part of [head, label]) part.closest("label").hidden = !heads;
    this.find("[data-field=pick]").hidden = !heads;
    predicate.closest("label").hidden = isPredicate === null;
    predicate.checked = Boolean(isPredicate);
    if (!heads) return;
    if (this.#words !== words.join(" ")) {
      this.#words = words.join(" ");
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
