/*
 * Choosing a word and its new head: the same steps for mouse, touch and keyboard. A click selects a
 * word, which changes nothing; a drag, a key or a button picks it, to choose its new head.
 */

import { announce } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { Pointing } from "./pointing.js";

export class Choosing {
  /** The word that the inspector shows, and the word whose new head is being chosen. */
  selected = null;
  picking = null;
  #aimed = null;

  /**
   * `handlers` has `changed()`, `head(token, head)`, `aim(token, head)` for a head that may be
   * chosen (`null` for none), `headOf(token)`, `predicate(token)`, `field(name, token)` and `help()`.
   */
  constructor(picture, rootTarget, handlers) {
    this.picture = picture;
    this.rootTarget = rootTarget;
    this.handlers = handlers;
    this.canPick = true;
    rootTarget.addEventListener("click", () => this.#drop("root"));
    this.pointing = new Pointing(picture, rootTarget, {
      start: (token) => this.#pick(token),
      move: (token, target, x, y) => this.#aim(target, x, y),
      drop: (token, target) => this.#drop(target),
      cancel: () => this.cancel(),
      click: (chosen, isInPicture) => this.#click(chosen, isInPicture),
    });
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.picking !== null) this.cancel(true);
    });
    listenToKeys(picture, {
      isPicking: () => this.picking !== null,
      move: (token) => this.#move(token),
      up: (token) => this.#move(this.handlers.headOf(token)),
      look: (token) => this.select(token),
      pick: (token) => this.begin(token),
      drop: (target) => this.#drop(target, true),
      cancel: () => this.cancel(true),
      predicate: handlers.predicate,
      help: handlers.help,
      field: (name, token) => {
        this.select(token);
        handlers.field(name, token);
      },
    });
  }

  /** Chooses a word, or none. */
  select(token) {
    this.keep(token);
    this.handlers.changed();
  }

  /** The same, without calling `changed`. */
  keep(token) {
    this.#end();
    this.selected = token;
    this.show();
  }

  /** Lets a person choose the new head of a word. */
  begin(token) {
    this.#pick(token);
    if (this.picking === null) return;
    this.picture.focus(token);
    const word = this.picture.words[token].getAttribute("aria-label");
    announce(`Choose the new head of ${word}: go to it and press Enter; R makes it a root; Escape cancels.`);
  }

  /** Changes nothing; a second time, leaves the word. */
  cancel(returns = false) {
    const { picking, selected } = this;
    if (picking !== null) this.pointing.cancel();
    this.select(picking);
    if (returns && selected !== null) this.picture.focus(selected);
    if (picking !== null) announce("Unchanged.");
  }

  show() {
    this.rootTarget.hidden = this.picking === null;
    if (this.picture.svg) {
      this.picture.mark({ selected: this.selected, picked: this.picking, aimed: null });
    }
  }

  /** A click beside all words and arcs cancels. */
  #click(chosen, isInPicture) {
    if (this.picking !== null && chosen && !chosen.isArc) this.#drop(chosen.token);
    else if (this.picking !== null) this.cancel();
    else if (isInPicture) this.select(chosen?.token ?? null);
  }

  #pick(token) {
    if (!this.canPick) {
      this.select(token);
      return;
    }
    this.#end();
    this.selected = this.picking = token;
    this.show();
    this.handlers.changed();
  }

  #move(token) {
    this.picture.focus(token);
    if (this.picking === null) return;
    const box = this.picture.words[this.picture.focused].getBoundingClientRect();
    this.#aim(this.picture.focused, (box.left + box.right) / 2, box.top);
  }

  #aim(target, x, y) {
    if (this.picking === null) return;
    this.picture.stretch(this.picking, x, y);
    this.picture.mark({ aimed: target === "root" || target === this.picking ? null : target });
    this.rootTarget.classList.toggle("aimed", target === "root");
    if (target === this.#aimed) return;
    this.#aimed = target;
    this.handlers.aim(this.picking, target === null || target === this.picking ? null : headOf(target));
  }

  #drop(target, returns = false) {
    const token = this.picking;
    this.select(token);
    if (returns) this.picture.focus(token);
    if (token === null || target === null || target === token) return;
    this.handlers.head(token, headOf(target));
  }

  #end() {
    if (this.#aimed !== null) this.handlers.aim(this.picking, null);
    this.picking = this.#aimed = null;
    this.rootTarget.classList.remove("aimed");
    if (this.picture.svg) this.picture.stretch(null);
  }
}

/** The 1-based head of a target. */
function headOf(target) {
  return target === "root" ? 0 : target + 1;
}
