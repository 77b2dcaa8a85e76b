/*
 * The picture of the edited sentence: the service's SVG, in which words and arcs can be chosen and
 * dragged. What the model's own reading has instead are ghosts.
 */

import { keyOf } from "./differences.js";
import { element, rove } from "./dom.js";
import { fitted, svgElement } from "./drawings.js";

/** The smallest height and width of what a finger or a pointer has to meet, in pixels. */
const TARGET = 26;

export class Picture {
  /** The elements of the words, as drawn. */
  words = [];
  /** The token that has the focus, or would get it. */
  focused = 0;

  constructor(container) {
    this.container = container;
    container.addEventListener("focusin", ({ target }) => {
      if (this.words.includes(target)) this.#rove(this.words.indexOf(target));
    });
  }

  /** The width for pictures, in pixels. */
  get room() {
    return Math.floor(this.container.clientWidth);
  }

  /** Shows an SVG of an answer and, if given, that of its `start` below a title. The focus stays on its word. */
  show(text, answer, title, start) {
    const hadFocus = this.container.contains(document.activeElement);
    const known = new Set([...(this.svg?.querySelectorAll(".span") ?? [])].map(({ dataset }) => keyOf(dataset)));
    this.svg = fitted(text, this.room);
    this.description = this.svg.getAttribute("aria-label");
    this.svg.removeAttribute("aria-label");
    this.svg.setAttribute("role", "presentation");
    const others = start ? [element("h2", {}, title), fitted(start, this.room)] : [];
    this.container.replaceChildren(this.svg, ...others);
    for (const part of this.container.querySelectorAll(".token, .dependency, .span, .ghost")) {
      part.setAttribute("aria-hidden", "true");
      part.dataset.keys = keyOf(part.dataset);
      if (part.dataset.predicate) part.dataset.of = `predicate ${part.dataset.predicate}`;
      if (part.matches(".span.different") && !known.has(part.dataset.keys)) part.classList.add("new");
    }
    this.words = answer.words.map((_, token) => this.svg.querySelector(`.token[data-token="${token}"]`));
    this.arcs = [...this.svg.querySelectorAll(".dependency")];
    for (const part of [...this.words, ...this.arcs]) part.classList.add("own");
    this.words.forEach((word, token) => {
      word.setAttribute("role", "button");
      word.removeAttribute("aria-hidden");
      // What is seen is what is said first.
      for (const tag of word.querySelectorAll(".tag")) tag.before(" ");
      const texts = (name) => [...word.querySelectorAll(name)].map((part) => part.textContent).join(" ");
      word.setAttribute("aria-label", ["text", "title"].map(texts).filter(Boolean).join(", "));
    });
    this.#makeTargets();
    this.#rove(Math.min(this.focused, this.words.length - 1));
    if (hadFocus) this.words[this.focused].focus({ preventScroll: true });
  }

  clear() {
    this.svg = null;
    this.words = [];
    this.container.replaceChildren();
  }

  focus(token, preventScroll = false) {
    this.#rove(Math.max(0, Math.min(token, this.words.length - 1)));
    this.words[this.focused]?.focus({ preventScroll });
  }

  /**
   * The word or arc of a pointer's event: `{token, isArc}` or `null`. The name of an arc wins over
   * lines that cross it, and otherwise the nearest line.
   */
  chosen({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY);
    const meets = (selector) => found.find((part) => part.matches(selector));
    const lines = found.filter((part) => part.matches("path.target"));
    const near = Math.min(...lines.map((line) => distance(line, clientX, clientY)));
    const nearest = lines.find((line) => distance(line, clientX, clientY) === near);
    const part = (meets(".token.own *") ?? meets(".own .relation") ?? nearest)?.closest(".own");
    if (!part) return null;
    const isArc = part.matches(".dependency");
    return { token: isArc ? Number(part.dataset.dependent) - 1 : Number(part.dataset.token), isArc };
  }

  /** The token at a place of the window, or `null`. */
  tokenAt(x, y) {
    const boxes = this.words.map((word) => word.getBoundingClientRect());
    return nearest(boxes, x, ({ top, bottom }) => top - 4 <= y && y <= bottom + 4, TARGET / 2);
  }

  /** The token whose word is nearest to a place below it, on the line of words above this place. */
  tokenAbove(x, y) {
    const boxes = this.words.map((word) => word.querySelector(".word").getBoundingClientRect());
    const above = boxes.map(({ top }) => top).filter((top) => top < y);
    return nearest(boxes, x, ({ top }) => Math.abs(top - Math.max(...above)) <= 4);
  }

  /** Marks the words from a first to a last one, or none. */
  markRange(range) {
    this.words.forEach((word, token) => {
      word.classList.toggle("ranged", range !== null && range[0] <= token && token <= range[1]);
    });
  }

  /** Marks what a person set: tags and spans; and the span that is chosen. */
  markSet({ pos, roles }, chosen) {
    this.words.forEach((word, token) => word.classList.toggle("set", token in pos));
    for (const part of this.svg.querySelectorAll(".span")) {
      const { predicate, role, first, last } = part.dataset;
      const is = ([name, start, end]) => name === role && start === Number(first) && end === Number(last);
      part.classList.toggle("set", (roles[predicate] ?? []).some(is));
      const isChosen = chosen !== null && chosen.predicate === Number(predicate);
      part.classList.toggle("chosen", isChosen && is([chosen.role, chosen.first, chosen.last]));
    }
  }

  /** Marks words by class, each class at no more than one word. */
  mark(marks) {
    for (const [name, token] of Object.entries(marks)) {
      this.words.forEach((word, other) => {
        word.classList.toggle(name, other === token);
        if (name === "selected") word.setAttribute("aria-pressed", other === token);
      });
      if (name === "picked" || name === "inviting") {
        for (const arc of this.arcs) {
          arc.classList.toggle(name, token !== null && Number(arc.dataset.dependent) === token + 1);
        }
      }
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
    rove(this.words, token);
    this.focused = token;
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

/** The token whose box is nearest to a place beside it, and nearer than `least`, of those on a line. */
function nearest(boxes, x, isOnLine, least = Infinity) {
  const distances = boxes.map((box) => (isOnLine(box) ? Math.max(box.left - x, x - box.right, 0) : Infinity));
  const distance = Math.min(...distances);
  return distance < least ? distances.indexOf(distance) : null;
}

/** From a line to a place of the window, in units of the picture. */
function distance(line, x, y) {
  const place = new DOMPoint(x, y).matrixTransform(line.getScreenCTM().inverse());
  const steps = Math.ceil(line.getTotalLength() / 2);
  let least = Infinity;
  for (let step = 0; step <= steps; step += 1) {
    const point = line.getPointAtLength(2 * step);
    least = Math.min(least, Math.hypot(point.x - place.x, point.y - place.y));
  }
  return least;
}
