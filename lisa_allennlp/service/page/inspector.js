/*
 * The chosen word: its tag, its head, its relation, whether it is a predicate, and its roleset, as
 * ordinary fields.
 */

import { element, finder } from "./dom.js";

export class Inspector {
  #token = null;
  #words = null;
  #tags = null;
  #options = new Map();

  /**
   * `handlers` has `head(token, head)`, `label(token, label)`, `predicate(token, is)`, `tag(token, tag)`,
   * `sense(token, sense)`, `roles(token)`, `pick(token)` and `close()`.
   */
  constructor(root, handlers) {
    this.find = finder(root);
    this.#on("head", (field) => handlers.head(this.#token, Number(field.value)));
    this.#on("label", (field) => handlers.label(this.#token, field.value));
    this.#on("predicate", (field) => handlers.predicate(this.#token, field.checked));
    this.#on("tag", (field) => handlers.tag(this.#token, field.value));
    this.#on("sense", (field) => handlers.sense(this.#token, field.value));
    this.find("[data-field=roles]").addEventListener("click", () => handlers.roles(this.#token));
    this.find("[data-field=pick]").addEventListener("click", () => handlers.pick(this.#token));
    for (const name of ["close", "cancel"]) {
      this.find(`[data-field=${name}]`).addEventListener("click", () => handlers.close());
    }
  }

  focus(name) {
    this.find(`[data-field=${name}]`).focus();
  }

  /** Shows a word of a reading, that its new head is being chosen, or the hint without a word. */
  show(token, { words, pos, heads, labels, isPredicate, isPicking, headTags, posTags, sense, rolesets }) {
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
    this.find("[data-field=tag]").closest("label").hidden = !(pos && posTags.length > 0);
    if (pos) this.#fill("tag", [...new Set([...posTags, pos[token]])].sort().map((tag) => [tag, tag]), pos[token]);
    this.find(".frame").hidden = !isPredicate || rolesets === null;
    if (rolesets !== null) {
      const senses = rolesets.map(({ sense: name, gloss }) => [name, `${name} ${gloss}`]);
      const isKnown = !sense || senses.some(([name]) => name === sense);
      this.#fill("sense", [...(isKnown ? [] : [[sense, sense]]), ...(sense ? [] : [["", "unknown"]]), ...senses], sense ?? "");
    }
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

  /** Fills a list, unless it has these options already. */
  #fill(name, options, value) {
    const field = this.find(`[data-field=${name}]`);
    const key = JSON.stringify(options);
    if (this.#options.get(name) !== key) {
      field.replaceChildren(...options.map(([item, text]) => element("option", { value: item }, text)));
      this.#options.set(name, key);
    }
    field.value = value;
  }

  #on(name, handle) {
    const field = this.find(`[data-field=${name}]`);
    field.addEventListener("change", () => handle(field));
  }
}
