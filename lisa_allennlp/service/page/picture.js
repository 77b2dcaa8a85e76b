/*
 * The picture of the edited sentence: the service's SVG, in which the words and arcs of the reading
 * as drawn can be chosen and dragged. The reading as parsed follows it and cannot be edited.
 */

import { spanKey } from "./differences.js";
import { readSvg, svgElement } from "./safe-svg.js";
import { describeWord } from "./words.js";

/** The smallest height and width of what a finger or a pointer has to meet, in pixels. */
const TARGET = 26;

export class Picture {
  /** The elements of the words, as drawn. */
  words = [];
  #focused = 0;

  constructor(container) {
    this.container = container;
    container.addEventListener("focusin", ({ target }) => {
      if (this.words.includes(target)) this.#rove(this.words.indexOf(target));
    });
  }

  /** Shows an SVG of an answer. The focus stays on its word. */
  show(text, answer) {
    const hadFocus = this.container.contains(document.activeElement);
    this.svg = readSvg(text);
    this.description = this.svg.getAttribute("aria-label");
    this.svg.removeAttribute("aria-label");
    this.svg.setAttribute("role", "presentation");
    this.container.replaceChildren(this.svg);
    for (const part of this.svg.querySelectorAll(".token, .dependency, .span, .name")) {
      part.setAttribute("aria-hidden", "true");
    }
    this.words = answer.words.map((_, token) => this.svg.querySelector(`.token[data-token="${token}"]`));
    this.arcs = [...this.svg.querySelectorAll(".dependency")].slice(0, answer.predicted_heads?.length ?? 0);
    for (const part of [...this.words, ...this.arcs]) part.classList.add("own");
    this.#makeTargets();
    this.words.forEach((word, token) => {
      word.setAttribute("role", "button");
      word.removeAttribute("aria-hidden");
      word.setAttribute("aria-label", describeWord(answer, token));
    });
    this.#rove(Math.min(this.#focused, this.words.length - 1));
    if (hadFocus) this.words[this.#focused].focus({ preventScroll: true });
  }

  /** The token that has the focus, or would get it. */
  get focused() {
    return this.#focused;
  }

  focus(token) {
    this.#rove(Math.max(0, Math.min(token, this.words.length - 1)));
    this.words[this.#focused].focus();
  }

  /**
   * The word or arc of a pointer's event: `{token, isArc}` or `null`. The name of an arc wins over
   * lines that cross it.
   */
  chosen({ target, clientX, clientY }) {
    const names = document.elementsFromPoint(clientX, clientY).filter((part) => part.matches(".own .relation"));
    const part = (target.closest(".token.own") ?? names[0] ?? target).closest(".own");
    if (!part) return null;
    const isArc = part.matches(".dependency");
    return { token: isArc ? Number(part.dataset.dependent) - 1 : Number(part.dataset.token), isArc };
  }

  /** The token at a place of the window, or `null`. */
  tokenAt(x, y) {
    let nearest = null;
    let least = TARGET / 2;
    this.words.forEach((word, token) => {
      const box = word.getBoundingClientRect();
      if (y < box.top - 4 || y > box.bottom + 4) return;
      const distance = Math.max(box.left - x, x - box.right, 0);
      if (distance < least) [nearest, least] = [token, distance];
    });
    return nearest;
  }

  /** Marks words by class, each class at no more than one word. */
  mark(marks) {
    for (const [name, token] of Object.entries(marks)) {
      this.words.forEach((word, other) => word.classList.toggle(name, other === token));
      if (name === "picked") {
        for (const arc of this.arcs) {
          arc.classList.toggle(name, token !== null && Number(arc.dataset.dependent) === token + 1);
        }
      }
    }
  }

  /** Marks the arcs of tokens and the spans with given keys as different, where the service has not done so. */
  markDifferent(tokens, spans) {
    for (const arc of this.arcs) {
      if (tokens.has(Number(arc.dataset.dependent) - 1)) arc.classList.add("different");
    }
    for (const span of this.svg.querySelectorAll(".span")) {
      const { predicate, role, first, last } = span.dataset;
      if (spans.has(spanKey(predicate, { role, first, last }))) span.classList.add("different");
    }
  }

  /** Draws a line from a word to a place of the window, or removes it. */
  stretch(token, x, y) {
    this.svg.querySelector(".rubber")?.remove();
    if (token === null) return;
    const box = this.words[token].getBoundingClientRect();
    const toSvg = this.svg.getScreenCTM().inverse();
    const start = new DOMPoint((box.left + box.right) / 2, box.top).matrixTransform(toSvg);
    const end = new DOMPoint(x, y).matrixTransform(toSvg);
    const height = Math.min(start.y, end.y) - 30;
    const d = `M${start.x} ${start.y}C${start.x} ${height} ${end.x} ${height} ${end.x} ${end.y}`;
    this.svg.append(svgElement("path", { class: "rubber", d }));
  }

  #rove(token) {
    this.words.forEach((word, other) => word.setAttribute("tabindex", other === token ? 0 : -1));
    this.#focused = token;
  }

  /** Invisible shapes make thin lines and short words easy to meet. */
  #makeTargets() {
    for (const arc of this.arcs) {
      for (const line of arc.querySelectorAll("path.arc")) {
        line.before(svgElement("path", { class: "target", d: line.getAttribute("d") }));
      }
    }
    const boxes = this.words.map((word) => word.getBBox());
    this.words.forEach((word, token) => {
      const { x, y, width, height } = boxes[token];
      const wide = Math.max(width + 8, TARGET);
      const high = Math.max(height + 6, TARGET);
      word.prepend(
        svgElement("rect", {
          class: "target", x: x + width / 2 - wide / 2, y: y + height / 2 - high / 2, width: wide, height: high, rx: 4,
        }),
      );
    });
  }
}
