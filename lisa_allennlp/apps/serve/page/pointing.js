/* Mouse, pen and touch: dragging an arc or a word to its new head, and clicking words and arcs. */

/** How far a pointer moves before it drags, in pixels. */
export const THRESHOLD = 5;

/** How near to the edge of the window a drag scrolls, and how far in each frame, in pixels. */
const EDGE = 40;
const SPEED = 8;

/**
 * `handlers` has `start(token)`, `move(token, target, x, y)`, `drop(token, target)`, `cancel()` and
 * `click({token, isArc} or null, isInPicture)`. A target is a token, "root" or `null`.
 */
export class Pointing {
  #drag = null;
  #wasDragged = false;

  constructor(picture, rootTarget, handlers) {
    this.picture = picture;
    this.rootTarget = rootTarget;
    this.handlers = handlers;
    const on = (name, handle) => picture.container.addEventListener(name, handle);
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", () => this.cancel());
    document.addEventListener("click", (event) => this.#click(event));
    // A finger drags the chosen word, and others sideways; otherwise it scrolls the page.
    const hold = (event) => (this.#drag?.isMoving || this.#drag?.isChosen) && event.preventDefault();
    picture.container.addEventListener("touchmove", hold, { passive: false });
  }

  /** Ends a drag without a change. */
  cancel() {
    const isDragging = this.#drag?.isMoving;
    this.#drag = null;
    if (isDragging) this.handlers.cancel();
  }

  /** A pointer that may begin to drag what is below it. */
  down(event) {
    const chosen = event.button === 0 && event.isPrimary ? this.picture.chosen(event) : null;
    if (!chosen) return;
    const { pointerId, clientX: x, clientY: y } = event;
    const isChosen = !chosen.isArc && this.picture.words[chosen.token].matches(".selected");
    this.#drag = { ...chosen, isChosen, pointerId, x, y, isMoving: false };
  }

  #move(event) {
    const drag = this.#drag;
    const { clientX: x, clientY: y } = event;
    // A head is also chosen without dragging.
    if (!drag && event.pointerType === "mouse") this.handlers.move(null, this.#target(null, x, y), x, y);
    if (!drag || event.pointerId !== drag.pointerId) return;
    if (!drag.isMoving) {
      if (Math.hypot(x - drag.x, y - drag.y) < THRESHOLD) return;
      if (event.pointerType === "touch" && !drag.isChosen && Math.abs(y - drag.y) > Math.abs(x - drag.x)) {
        this.#drag = null;
        return;
      }
      drag.isMoving = true;
      this.picture.container.setPointerCapture(drag.pointerId);
      this.handlers.start(drag.token);
    }
    drag.end = { x, y };
    if (!drag.isScrolling) this.#scroll(drag);
    this.handlers.move(drag.token, this.#target(drag.token, x, y), x, y);
  }

  /** Scrolls while something is dragged at the upper or the lower edge of the window. */
  #scroll(drag) {
    const { x, y } = drag.end;
    const step = y < EDGE ? -SPEED : y > innerHeight - EDGE ? SPEED : 0;
    drag.isScrolling = step !== 0 && drag === this.#drag;
    if (!drag.isScrolling) return;
    scrollBy(0, step);
    this.handlers.move(drag.token, this.#target(drag.token, x, y), x, y);
    requestAnimationFrame(() => this.#scroll(drag));
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointerId) return;
    if (drag.isMoving) {
      this.#wasDragged = true;
      // After the click that may follow.
      setTimeout(() => (this.#wasDragged = false));
      this.handlers.drop(drag.token, this.#target(drag.token, event.clientX, event.clientY));
    }
    this.#drag = null;
  }

  #click(event) {
    // Fields of the chosen word act on their own.
    if (this.#wasDragged || event.target.closest("[data-field]")) return;
    const isInPicture = this.picture.container.contains(event.target);
    this.handlers.click(isInPicture ? this.picture.chosen(event) : null, isInPicture);
  }

  #target(token, x, y) {
    const target = this.picture.tokenAt(x, y);
    if (target !== null) return target === token ? null : target;
    return y < this.rootTarget.getBoundingClientRect().bottom ? "root" : null;
  }
}
