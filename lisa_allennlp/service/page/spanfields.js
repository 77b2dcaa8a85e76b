/*
 * The spans of a predicate as ordinary fields: which one, its role, its first and its last word.
 */

import { textOf } from "./answers.js";
import { spansOf } from "./differences.js";
import { fill, finder } from "./dom.js";

export class SpanFields {
  /**
   * `handlers` has `choose(span)`, `set(span)`, `remove(span)` and `close()`. A span is
   * `{predicate, role, first, last, old}`: `old` is the span as it was, `null` for a new one, whose
   * role is `null` until it is chosen.
   */
  constructor(root, handlers) {
    this.root = root;
    this.find = finder(root);
    this.handlers = handlers;
    const on = (name, handle) => this.#field(name).addEventListener("change", ({ target }) => handle(target.value));
    on("span", (value) => handlers.choose(value === "new" ? null : this.spans[Number(value)]));
    on("role", (role) => this.#set({ role }));
    on("first", (value) => this.#set({ first: Number(value), last: Math.max(Number(value), this.span.last) }));
    on("last", (value) => this.#set({ last: Number(value), first: Math.min(Number(value), this.span.first) }));
    // Numbered roles by their digits: all names begin with the same letters.
    this.#field("role").addEventListener("keydown", ({ key, target }) => {
      const option = [...target.options].find(({ value }) => /^(ARG|A)\d$/.test(value) && value.endsWith(key));
      if (!option || option.selected) return;
      target.value = option.value;
      this.#set({ role: option.value });
    });
    this.#field("remove").addEventListener("click", () => handlers.remove(this.span));
    this.#field("leave").addEventListener("click", () => handlers.close());
  }

  focus(name) {
    this.#field(name).focus();
  }

  /** Shows a span of a reading, or hides the fields without one. `groups` are roles by heading. */
  show(span, drawn, groups) {
    this.span = span;
    this.root.hidden = span === null;
    if (span === null) return;
    const { predicate, role, first, last, old } = span;
    const verb = drawn.verbs?.find(({ index }) => index === predicate);
    this.spans = verb ? spansOf(verb).map(({ probability: _, ...found }) => ({ ...found, predicate })) : [];
    this.find(".of").textContent = `Role of “${textOf(drawn, predicate)}” ${verb?.sense ?? ""}`;
    const spans = this.spans.map((one, place) => [place, `${one.role} ${textOf(drawn, one.first, one.last)}`]);
    const chosen = this.spans.findIndex((one) => old && one.first === first && one.last === last);
    const words = drawn.words.map((_, token) => [token, `${token + 1} ${textOf(drawn, token)}`]);
    fill(this.#field("span"), [["", [["new", "a new one"], ...spans]]], chosen < 0 ? "new" : chosen);
    const known = groups.flatMap(([, roles]) => roles.map(([name]) => name));
    const more = role && !known.includes(role) ? [["", [[role, role]]]] : [];
    fill(this.#field("role"), [["", [["", "choose a role"]]], ...groups, ...more], role ?? "");
    for (const [name, value] of [["first", first], ["last", last]]) {
      fill(this.#field(name), [["", words]], value);
      for (const option of this.#field(name).options) {
        option.disabled = Number(option.value) === predicate || Number(option.value) < predicate !== first < predicate;
      }
    }
    this.#field("remove").disabled = !old;
  }

  #set(change) {
    const span = { ...this.span, ...change };
    if (span.role) this.handlers.set(span);
    else this.handlers.choose(span);
  }

  #field(name) {
    return this.find(`[data-field=${name}]`);
  }
}
