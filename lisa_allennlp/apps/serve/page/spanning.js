/*
 * Choosing role spans in the picture by mouse, pen and touch: a click on a span chooses it, a drag
 * over words in the row of a predicate makes a new one, and a drag at the end of a span moves it.
 */

import { THRESHOLD } from "./pointing.js";

/** The part of a span at each end that moves it, in pixels. */
const EDGE = 9;

/**
 * `handlers` has `choose(span)`, with `null` for none, and `move(span, first, last)`. A span is
 * `{predicate, role, first, last}`; a new one has the role `null`.
 */
export class Spanning {
  #drag = null;
  #wasDragged = false;

  constructor(picture, handlers) {
    this.picture = picture;
    this.handlers = handlers;
    const on = (name, handle, capture) => picture.container.addEventListener(name, handle, capture);
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", () => this.#end());
    // What a drag or a click on a span chooses stays chosen.
    on("click", (event) => this.#wasDragged && event.stopPropagation(), true);
    addEventListener("keydown", ({ key }) => key === "Escape" && this.#end());
  }

  get isDragging() {
    return Boolean(this.#drag?.isMoving);
  }

  /** A pointer that may begin to drag what is below it. */
  down(event) {
    this.#wasDragged = false;
    if (event.button !== 0 || (event.type === "pointerdown" && !event.isPrimary) || this.picture.chosen(event)) return;
    const { clientX: x, clientY: y, pointerId } = event;
    // Ghosts are in front of rows.
    const found = document.elementsFromPoint(x, y).map((one) => one.closest(".span, .row"));
    const part = found.find((one) => one && this.picture.svg?.contains(one));
    if (!part) return;
    const { predicate, role = null, first, last } = part.dataset;
    const span = { predicate: Number(predicate), role, first: Number(first), last: Number(last) };
    const isSpan = role !== null && role !== "V" && role !== "C-V";
    const { left, right } = part.getBoundingClientRect();
    const end = !isSpan ? null : x - left < EDGE ? "first" : right - x < EDGE ? "last" : null;
    const token = this.picture.tokenAbove(x, y);
    if (token === null) return;
    this.#drag = { pointerId, x, y, token, end, span, isSpan, isMoving: false, range: null };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (!drag.isMoving && Math.hypot(x - drag.x, y - drag.y) < THRESHOLD) return;
    if (!drag.isMoving) this.picture.container.setPointerCapture(drag.pointerId);
    drag.isMoving = true;
    const { first, last, predicate } = drag.span;
    const fixed = drag.end === "first" ? last : drag.end === "last" ? first : drag.token;
    const token = this.picture.tokenAbove(x, y) ?? fixed;
    drag.range = fixed === predicate ? null : beside(predicate, fixed, token);
    this.picture.markRange(drag.range);
  }

  /** The end of a drag or of a click. */
  up(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointerId) return;
    const { span, range, end, isMoving, isSpan } = drag;
    this.#end();
    // Until the click that may follow.
    this.#wasDragged = isMoving || isSpan;
    if (isMoving && range && end) this.handlers.move(span, ...range);
    else if (isMoving && range) this.handlers.choose({ ...span, role: null, first: range[0], last: range[1] });
    else if (!isMoving) this.handlers.choose(isSpan ? span : null);
  }

  #end() {
    if (this.#drag) this.picture.markRange(null);
    this.#drag = null;
  }
}

/** The words from one to another one, but none beyond the predicate. */
function beside(predicate, fixed, token) {
  const end = fixed < predicate ? Math.min(token, predicate - 1) : Math.max(token, predicate + 1);
  return [Math.min(fixed, end), Math.max(fixed, end)];
}
