/*
 * A field with a list that opens when it has the focus. What is typed finds options, Enter or a click
 * chooses one, and Escape or another focus changes nothing.
 */

import { element } from "./dom.js";

/** Options, pairs of value and text, whose text has a query: those first whose first word it is. */
export function matching(options, query) {
  const asked = query.trim().toLowerCase();
  const rank = ([, text]) => {
    const said = text.toLowerCase();
    const [name] = said.split(" ");
    return [name === asked, name.startsWith(asked), name.includes(asked), said.includes(asked), true].indexOf(true);
  };
  const ranked = options.map((option) => [rank(option), option]).filter(([found]) => found < 4);
  return ranked.sort(([one], [other]) => one - other).map(([, option]) => option);
}

export class Combobox {
  #options = [];
  #value = null;
  #active = 0;

  /** `choose(value)` gets a text; `leave()` is called after Escape. A free field takes what is typed. */
  constructor(input, { choose, leave, isFree = false }) {
    Object.assign(this, { input, choose, leave, isFree });
    const id = `${input.dataset.field}-options`;
    // Firefox stops at what scrolls.
    this.list = element("ul", { id, className: "choices", role: "listbox", tabIndex: -1, ariaLabel: input.closest("label").textContent.trim(), hidden: true });
    Object.assign(input, { role: "combobox", ariaExpanded: false, ariaAutoComplete: "list", autocomplete: "off", spellcheck: false });
    input.setAttribute("aria-controls", id);
    // Lists are long enough without a keyboard on the screen.
    if (matchMedia("(pointer: coarse)").matches && !isFree) input.inputMode = "none";
    input.closest("label").after(this.list);
    const on = (target, names, handle) => names.split(" ").forEach((name) => target.addEventListener(name, handle));
    on(input, "focus click", () => (this.list.hidden ? this.#open() : input.select()));
    on(input, "input", () => this.#list(matching(this.#options, input.value)));
    on(input, "blur", () => this.#close());
    on(input, "keydown", (event) => this.#press(event));
    on(this.list, "pointerdown mousedown", (event) => event.preventDefault());
    on(this.list, "click", ({ target }) => this.#take(target.closest("li")));
  }

  /** Shows options by heading, and the value that is chosen. */
  show(groups, value) {
    const options = groups.flatMap(([heading, items]) => items.map(([item, text]) => [item, text, heading]));
    const isSame = JSON.stringify([options, value]) === JSON.stringify([this.#options, this.#value]);
    const isOpen = !this.list.hidden;
    const isTyped = isOpen && this.input.value !== this.#text;
    [this.#options, this.#value] = [options, value];
    if (isOpen && isSame) return;
    if (isTyped) this.#list(matching(options, this.input.value));
    else this.#close();
    if (isOpen && !isTyped) this.#open();
  }

  /** How the value is shown. */
  get #text() {
    return this.#options.find(([value]) => value === this.#value)?.[1] ?? this.#value ?? "";
  }

  #open() {
    this.input.select();
    const { left, top, bottom, width } = this.input.getBoundingClientRect();
    const isBelow = innerHeight - bottom > top;
    const side = isBelow ? { top: `${bottom}px`, bottom: "auto" } : { top: "auto", bottom: `${innerHeight - top}px` };
    Object.assign(this.list.style, { left: `${left}px`, minWidth: `${width}px`, maxWidth: `${innerWidth - left - 8}px`, ...side });
    this.list.style.maxHeight = `min(16rem, ${(isBelow ? innerHeight - bottom : top) - 8}px)`;
    this.#list(this.#options, this.#options.findIndex(([value]) => value === this.#value));
  }

  #list(options, active = 0) {
    const typed = this.input.value.trim();
    const found = this.isFree && typed && options.length === 0 ? [[typed, typed]] : options;
    const rows = found.map(([value, text, heading], place) => {
      const row = element("li", { role: "option", id: `${this.list.id}-${place}` }, text);
      Object.assign(row.dataset, { value, ...(heading && heading !== found[place - 1]?.[2] && { heading }) });
      return row;
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = false;
    this.input.ariaExpanded = true;
    this.#activate(Math.max(active, 0));
  }

  #activate(place) {
    const rows = [...this.list.children];
    this.#active = Math.max(0, Math.min(place, rows.length - 1));
    rows.forEach((row, number) => (row.ariaSelected = number === this.#active));
    this.input.setAttribute("aria-activedescendant", rows[this.#active]?.id ?? "");
    rows[this.#active]?.scrollIntoView({ block: "nearest" });
  }

  #press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Tab" || !(step || event.key === "Enter" || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (step) this.#activate(this.#active + step);
    else if (event.key === "Enter") this.#take(this.list.children[this.#active]);
    else this.leave();
  }

  #take(row) {
    if (!row) return;
    this.#close();
    this.choose(row.dataset.value);
  }

  #close() {
    this.list.hidden = true;
    this.input.ariaExpanded = false;
    this.input.value = this.#text;
  }
}
