/*
 * Where two people differ in a sentence: what either has of each part, to choose from. A choice is an
 * edit like others, and which one is made is seen from the edits.
 */

import { keyOf } from "./differences.js";
import { element, finder } from "./dom.js";
import { haveCorrections, haveOthers, withCorrections } from "./edits.js";

export class Adjudication {
  #sentence = null;
  #rows = [];

  /** `page` has `edit(change)`, and `look(token)` to correct a word by hand. */
  constructor(root, people, page) {
    this.root = root;
    this.find = finder(root);
    this.people = people;
    this.page = page;
    root.hidden = false;
    this.find("h2").textContent = `Where ${people.join(" and ")} differ`;
    const all = people.map((name, person) => button(`All of ${name}`, () => this.#choose(this.#sentence.differences, person)));
    this.find(".toolbar").append(...all);
  }

  /** Shows the differences of a sentence, and what is chosen. */
  show(sentence) {
    if (sentence !== this.#sentence) this.#make(sentence);
    for (const { difference, item, buttons } of this.#rows) {
      const state = stateOf(sentence.edits, difference);
      item.classList.toggle("open", state === null);
      buttons.forEach((button, place) => button.setAttribute("aria-pressed", place === state));
    }
  }

  /** The parts of the sentence that are to be chosen yet. */
  get open() {
    const { differences = [], edits } = this.#sentence ?? {};
    return differences.filter((difference) => stateOf(edits, difference) === null).map(({ part }) => part);
  }

  #make(sentence) {
    this.#sentence = sentence;
    this.#rows = sentence.differences.map((difference) => this.#row(difference));
    this.find(".toolbar").hidden = this.#rows.length < 2;
    this.find("p").hidden = this.#rows.length > 0;
    this.find("ul").replaceChildren(...this.#rows.map(({ item }) => item));
  }

  #row(difference) {
    const { part, token, choices } = difference;
    const buttons = choices.map(({ text, corrections }, person) => {
      const made = button("", () => this.#choose([difference], person));
      made.append(element("small", {}, `${this.people[person]} `), element("bdi", {}, text));
      made.dataset.keys = keysOf(corrections).join("|");
      return made;
    });
    buttons.push(button("Neither", () => this.page.look(token)));
    return { difference, buttons, item: element("li", {}, element("strong", {}, part), ...buttons) };
  }

  #choose(differences, person) {
    const corrections = differences.map(({ choices }) => choices[person].corrections);
    this.page.edit((edits) => corrections.reduce(withCorrections, edits));
  }
}

const button = (text, onclick) => element("button", { type: "button", onclick }, text);

/** Whose choice is made, 0 or 1; 2 for another one, and `null` for none. */
function stateOf(edits, { choices }) {
  const person = choices.findIndex(({ corrections }) => haveCorrections(edits, corrections));
  if (person >= 0) return person;
  return choices.some(({ corrections }) => haveOthers(edits, corrections)) ? 2 : null;
}

/** The names of what corrections are about. */
function keysOf(corrections) {
  return Object.entries(corrections).flatMap(([key, values]) =>
    Object.entries(values).flatMap(([token, value]) => {
      if (key === "roles") return value.map(([role, first, last]) => keyOf({ predicate: Number(token), role, first, last }));
      return key === "heads" || key === "labels" ? keyOf({ dependent: Number(token) + 1 }) : keyOf({ token });
    }),
  );
}
