/*
 * The chosen word: its tag, its head, its relation, whether it is a predicate, and its roleset, as
 * ordinary fields.
 */

import { printable } from "./answers.js";
import { fill, finder } from "./dom.js";
import { options } from "./rolesets.js";

export class Inspector {
  #token = null;

  /**
   * `handlers` has `head(token, head)`, `label(token, label)`, `predicate(token, is)`, `tag(token, tag)`,
   * `sense(token, sense)`, `roles(token)`, `pick(token)` and `close()`.
   */
  constructor(root, handlers) {
    this.find = finder(root);
    const on = (name, event, handle) => this.#field(name).addEventListener(event, ({ target }) => handle(target));
    on("head", "change", ({ value }) => handlers.head(this.#token, Number(value)));
    on("predicate", "change", ({ checked }) => handlers.predicate(this.#token, checked));
    for (const name of ["label", "tag", "sense"]) on(name, "change", ({ value }) => handlers[name](this.#token, value));
    for (const name of ["roles", "pick"]) on(name, "click", () => handlers[name](this.#token));
    for (const name of ["close", "cancel"]) on(name, "click", () => handlers.close());
  }

  focus(name) {
    this.#field(name).focus();
  }

  /** Shows a word of a reading, that its new head is being chosen, or the hint without a word. */
  show(token, { words, pos, heads, labels, isPredicate, isPicking, headTags, posTags, meanings, sense, rolesets }) {
    this.#token = token;
    this.find(".fields").hidden = token === null || isPicking;
    this.find(".picking").hidden = !isPicking;
    this.find(".hint").hidden = token !== null;
    if (token === null) return;
    this.find(".picked-word").textContent = `“${words[token]}”`;
    this.find(".chosen").textContent = `${token + 1} ${words[token]}${pos ? ` ${printable(pos[token])}` : ""}`;
    const shown = { head: heads, label: heads, predicate: isPredicate !== null, tag: pos && posTags.length > 0 };
    for (const [name, is] of Object.entries(shown)) this.#field(name).closest("label").hidden = !is;
    this.#field("pick").hidden = !heads;
    this.#field("predicate").checked = Boolean(isPredicate);
    const named = (names) => options([...new Set(names)].sort(), meanings);
    if (pos) this.#fill("tag", named([...posTags, pos[token]]), pos[token]);
    this.find(".frame").hidden = !isPredicate || rolesets === null;
    if (rolesets !== null) {
      const senses = rolesets.map(({ sense: name, gloss }) => [name, `${name} ${gloss}`]);
      const isKnown = senses.some(([name]) => name === sense);
      this.#fill("sense", [...(isKnown ? [] : [[sense ?? "", sense ?? "unknown"]]), ...senses], sense ?? "");
    }
    if (!heads) return;
    this.#fill("head", [[0, "root"], ...words.map((word, place) => [place + 1, `${place + 1} ${word}`])], heads[token]);
    for (const option of this.#field("head").options) option.disabled = Number(option.value) === token + 1;
    this.#fill("label", named([...headTags, labels[token]]), labels[token]);
  }

  #field(name) {
    return this.find(`[data-field=${name}]`);
  }

  #fill(name, items, value) {
    fill(this.#field(name), [["", items]], value);
  }
}
