/* The spans of a predicate as ordinary fields: which one, its role, its first and its last word. */

import { textOf } from "./answers.js";
import { Combobox } from "./combobox.js";
import { spansOf } from "./differences.js";
import { finder } from "./dom.js";

export class SpanFields {
  /**
   * `handlers` has `choose(span)`, `set(span)`, `remove(span)` and `close()`. A span is
   * `{predicate, role, first, last, old}`: `old` is the span as it was, `null` for a new one, whose
   * role is `null` until it is chosen.
   */
  constructor(root, handlers) {
    this.root = root;
    this.find = finder(root);
    this.field = (name) => this.find(`[data-field=${name}]`);
    this.handlers = handlers;
    const choices = {
      span: (value) => {
        handlers.choose(value === "new" ? null : this.spans[Number(value)]);
        this.field(value === "new" ? "first" : "role").focus();
      },
      role: (role) => this.#set({ role }),
      first: (value) => this.#set({ first: Number(value), last: Math.max(Number(value), this.span.last) }, "last"),
      last: (value) => this.#set({ last: Number(value), first: Math.min(Number(value), this.span.first) }, "role"),
    };
    const lists = Object.entries(choices).map(([name, choose]) => [name, new Combobox(this.field(name), { choose, leave: handlers.close })]);
    this.lists = Object.fromEntries(lists);
    this.field("remove").addEventListener("click", () => handlers.remove(this.span));
    this.field("leave").addEventListener("click", () => handlers.close());
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
    const spans = this.spans.map((one, place) => [String(place), `${one.role} ${textOf(drawn, one.first, one.last)}`]);
    const chosen = this.spans.findIndex((one) => old && one.first === first && one.last === last);
    this.lists.span.show([["", [["new", "a new one"], ...spans]]], chosen < 0 ? "new" : String(chosen));
    const known = groups.flatMap(([, roles]) => roles.map(([name]) => name));
    this.lists.role.show([...groups, ...(role && !known.includes(role) ? [["", [[role, role]]]] : [])], role);
    this.field("role").placeholder = "choose a role";
    // A span is on one side of its predicate.
    const others = drawn.words.map((_, token) => token).filter((token) => token !== predicate);
    const beside = others.filter((token) => token < predicate === first < predicate);
    for (const [name, value, places] of [["first", first, old ? beside : others], ["last", last, beside]]) {
      this.lists[name].show([["", places.map((token) => [String(token), `${token + 1} ${textOf(drawn, token)}`])]], String(value));
    }
    this.field("remove").disabled = !old;
  }

  /** Sets a part of the span; one without a role goes on to the next field. */
  #set(change, next) {
    const span = { ...this.span, ...change };
    if (span.role) {
      this.handlers.set(span);
      return;
    }
    this.handlers.choose(span);
    this.field(next).focus();
  }
}
