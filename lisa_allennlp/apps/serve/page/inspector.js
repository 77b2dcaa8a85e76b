/*
 * The chosen word: its tags, its lemma, its head, its relation, whether it is a predicate, and its
 * roleset, as ordinary fields.
 */

import { printable } from "./answers.js";
import { Combobox } from "./combobox.js";
import { finder } from "./dom.js";
import { options } from "./rolesets.js";

export class Inspector {
  #token = null;

  /**
   * `handlers` has `head(token, head)`, `predicate(token, is)`, `set(name, token, value)` for "tag",
   * "label", "sense", "upos" and "lemma", `roles(token)`, `pick(token)`, `close()` and `leave(token)`,
   * after which the word has the focus.
   */
  constructor(root, handlers) {
    this.find = finder(root);
    this.field = (name) => this.find(`[data-field=${name}]`);
    const leave = () => handlers.leave(this.#token);
    const lists = ["tag", "upos", "lemma", "head", "label", "sense"].map((name) => {
      const choose = (value) => {
        leave();
        if (name === "head") handlers.head(this.#token, Number(value));
        else handlers.set(name, this.#token, value);
      };
      return [name, new Combobox(this.field(name), { choose, leave, isFree: name === "lemma" })];
    });
    this.lists = Object.fromEntries(lists);
    const on = (name, event, handle) => this.field(name).addEventListener(event, ({ target }) => handle(target));
    on("predicate", "change", ({ checked }) => handlers.predicate(this.#token, checked));
    for (const name of ["roles", "pick"]) on(name, "click", () => handlers[name](this.#token));
    for (const name of ["close", "cancel"]) on(name, "click", () => handlers.close());
  }

  /** Shows a word of a reading, that its new head is being chosen, or the hint without a word. */
  show(token, { words, pos, upos, lemmas, heads, labels, isPredicate, isPicking, info, sense, rolesets }) {
    this.#token = token;
    this.find(".fields").hidden = token === null || isPicking;
    this.find(".picking").hidden = !isPicking;
    this.find(".hint").hidden = token !== null;
    if (token === null) return;
    this.find(".picked-word").textContent = `“${words[token]}”`;
    this.find(".chosen").textContent = `${token + 1} ${words[token]}${pos ? ` ${printable(pos[token])}` : ""}`;
    this.field("pick").hidden = !heads;
    this.field("predicate").checked = Boolean(isPredicate);
    this.field("predicate").closest("label").hidden = isPredicate === null;
    const { pos_tags: posTags, universal_tags: universal, head_tags: headTags, roles, meanings } = info;
    const named = (names, value) => options([...new Set([...names, value])].sort(), meanings);
    this.#show("tag", roles.length > 0 && posTags.length > 0 && pos, (value) => named(posTags, value));
    this.#show("upos", roles.length > 0 && upos, (value) => named(universal, value));
    this.#show("lemma", roles.length > 0 && lemmas, (value) => [...new Set([value, words[token], words[token].toLowerCase()])].map((name) => [name, name]));
    const places = words.map((word, place) => [String(place + 1), `${place + 1} ${word}`]);
    this.#show("head", heads?.map(String), () => [["0", "root"], ...places].filter(([place]) => place !== String(token + 1)));
    this.#show("label", heads && labels, (value) => named(headTags, value));
    this.find(".frame").hidden = !isPredicate || rolesets === null;
    const senses = rolesets?.map(({ sense: name, gloss }) => [name, `${name} ${gloss}`]) ?? [];
    const isKnown = senses.some(([name]) => name === sense);
    this.lists.sense.show([["", [...(isKnown ? [] : [[sense ?? "", sense ?? "unknown"]]), ...senses]]], sense ?? "");
  }

  /** Shows a field of the word, if there are values of all words. */
  #show(name, values, optionsOf) {
    this.field(name).closest("label").hidden = !values;
    if (values) this.lists[name].show([["", optionsOf(values[this.#token])]], values[this.#token]);
  }
}
