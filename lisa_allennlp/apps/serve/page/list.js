/*
 * The sentences of a text. One of them is edited; a click on a word of another one moves the editor
 * there. Pictures near the view are drawn first, and the others after them, so that all can be printed.
 */

import { textOf } from "./answers.js";
import { element } from "./dom.js";
import { fitted, pictureOf } from "./drawings.js";

export class SentenceList {
  #items = [];
  #waiting = new Set();

  /** `page` has `options`, and `choose(number, event)` for a click, or the start of a drag. */
  constructor(root, editor, page) {
    this.root = root;
    this.editor = editor;
    this.page = page;
  }

  /** Shows sentences, with the editor in one of them. */
  show(sentences, active) {
    this.#items = sentences.map((sentence, number) => this.#item(sentence, number));
    this.root.classList.toggle("single", sentences.length === 1);
    this.root.replaceChildren(...this.#items.map(({ item }) => item));
    this.activate(active);
  }

  /** Moves the editor. The sentence that it leaves has its picture at once, if it is known. */
  activate(active) {
    const edited = this.#items.find(({ figure }) => figure.hidden);
    this.#items.forEach(({ item, button, figure }, number) => {
      const isActive = number === active;
      item.classList.toggle("active", isActive);
      button.setAttribute("aria-expanded", isActive);
      figure.hidden = isActive;
      if (isActive) item.append(this.editor);
    });
    this.redraw((item) => item === edited || !item.figure.firstChild);
    if (edited) this.#draw(edited);
  }

  /** Says which sentences are edited. */
  mark() {
    for (const { sentence, badge } of this.#items) badge.hidden = !sentence.isEdited;
  }

  /** Draws the pictures again, in the present width. */
  async redraw(isMeant = () => true) {
    const waiting = new Set(this.#items.filter((item) => !item.figure.hidden && isMeant(item)));
    this.#waiting = waiting;
    const distance = ({ figure }) => Math.abs(figure.getBoundingClientRect().top - innerHeight / 2);
    // The editor asks for its picture first.
    await new Promise((resolve) => setTimeout(resolve));
    while (waiting === this.#waiting && waiting.size > 0) {
      const [[, nearest]] = Array.from(waiting, (item) => [distance(item), item]).sort(([one], [other]) => one - other);
      await this.#draw(nearest);
    }
  }

  #item(sentence, number) {
    const badge = element("small", { hidden: true, className: "badge" }, "edited");
    const text = element("bdi", {}, textOf(sentence.own, 0, sentence.own.words.length - 1));
    const onclick = () => this.page.choose(number);
    const button = element("button", { type: "button", className: "sentence", onclick }, `${number + 1} `, text, " ", badge);
    const figure = element("div", { className: "figure", onclick: (event) => this.page.choose(number, event) });
    // A mouse may go on to drag; a finger may go on to scroll.
    figure.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button === 0) this.page.choose(number, event);
    });
    return { sentence, button, badge, figure, item: element("li", {}, button, figure) };
  }

  async #draw(item) {
    if (!this.#waiting.delete(item)) return;
    const { sentence, figure } = item;
    const room = Math.floor(this.root.clientWidth);
    try {
      const svg = await sentence.read(pictureOf(sentence, this.page.options, room));
      figure.replaceChildren(fitted(svg, room));
    } catch (error) {
      figure.textContent = error.message;
    }
  }
}
