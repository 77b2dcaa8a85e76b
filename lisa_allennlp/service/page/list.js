/*
 * The sentences of a text. One of them is edited; the pictures of the others are drawn when they
 * come into view.
 */

import { element } from "./dom.js";
import { drawing } from "./drawings.js";
import { readSvg } from "./safe-svg.js";

export class SentenceList {
  #items = [];
  #observer = null;
  #theme = null;

  /** `page` has `theme`, `shown(answer)`, and `choose(number)` for a click. */
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

  /** Moves the editor. */
  activate(active) {
    this.#items.forEach(({ item, button, figure }, number) => {
      const isActive = number === active;
      item.classList.toggle("active", isActive);
      button.setAttribute("aria-expanded", isActive);
      figure.hidden = isActive;
      if (isActive) item.append(this.editor);
    });
    this.redraw();
  }

  /** Says which sentences are edited. */
  mark() {
    for (const { sentence, badge } of this.#items) badge.hidden = !sentence.isEdited;
  }

  /** Draws the pictures again, in the present width and theme. */
  redraw() {
    if (this.#theme !== this.page.theme) {
      this.#theme = this.page.theme;
      // A picture's style holds for the whole page, and those out of view are not drawn again now.
      for (const { figure } of this.#items) figure.querySelector("style")?.remove();
    }
    this.#observer?.disconnect();
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: "300px" });
    for (const { figure } of this.#items) if (!figure.hidden) this.#observer.observe(figure);
  }

  #item(sentence, number) {
    const badge = element("small", { hidden: true, className: "badge" }, "edited");
    const text = element("bdi", {}, sentence.own.words.join(" "));
    const button = element("button", { type: "button", className: "sentence" }, `${number + 1} `, text, " ", badge);
    button.addEventListener("click", () => this.page.choose(number));
    const figure = element("div", { className: "figure" });
    return { sentence, button, badge, figure, item: element("li", {}, button, figure) };
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const found = this.#items.find(({ figure }) => figure === target);
      if (!isIntersecting || !found) continue;
      this.#observer.unobserve(target);
      this.#draw(found);
    }
  }

  async #draw({ sentence, figure }) {
    const answer = this.page.shown(sentence.drawn ?? sentence.own);
    const width = Math.floor(this.root.clientWidth);
    try {
      figure.replaceChildren(readSvg(await drawing({ answer, width, theme: this.page.theme })));
    } catch (error) {
      figure.textContent = error.message;
    }
  }
}
