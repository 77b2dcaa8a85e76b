/*
 * What the picture says, in words below it: what is under the pointer or has the focus, who does what
 * in each frame, and the senses of a predicate.
 */

import { keyOf } from "./differences.js";
import { element } from "./dom.js";
import { rolesetsOf } from "./rolesets.js";

/** Says what the part of a picture under the pointer, or with the focus, means. */
export function sayMeanings(picture, output) {
  const say = ({ target }) => {
    const title = target.closest("g")?.querySelector("title");
    if (title) output.textContent = title.textContent;
  };
  picture.addEventListener("pointerover", say);
  picture.addEventListener("focusin", say);
}

export class FrameLines {
  #sentence = null;
  #frames = [];
  #open = null;

  /** `setSense(token, sense)` is called when a person chooses a sense. */
  constructor(root, picture, setSense) {
    this.root = root;
    this.setSense = setSense;
    picture.addEventListener("click", ({ target }) => {
      const chosen = target.closest(".span[data-role=V]")?.dataset.predicate;
      const line = this.#frames.findIndex(({ predicate }) => predicate === Number(chosen));
      root.children[line]?.querySelector("summary")?.click();
      root.children[line]?.scrollIntoView({ block: "nearest" });
    });
  }

  /** Shows who does what in a sentence, once this is known, and marks the line of a predicate. */
  show(sentence, chosen, canChoose) {
    if (sentence !== this.#sentence) this.#open = null;
    this.#sentence = sentence;
    const frames = sentence.reading?.frames ?? [];
    if (sentence.isAnswered && frames !== this.#frames) {
      this.#frames = frames;
      this.root.replaceChildren(...this.#frames.map((frame) => this.#line(frame, sentence, canChoose)));
    }
    this.#frames.forEach(({ predicate }, place) => this.root.children[place].classList.toggle("of-chosen", predicate === chosen));
  }

  /** A line, which opens the senses of the predicate. */
  #line({ predicate, word, sense, gloss, roles, truth }, { own, drawn }, canChoose) {
    const parts = roles.flatMap(({ kind, name, text, spans }, place) => {
      const part = element("span", {}, `${name} `, element("mark", { className: kind }, element("bdi", {}, text)));
      const keys = spans.map(([role, first, last]) => keyOf({ predicate, role, first, last }));
      Object.assign(part.dataset, { keys: keys.join("|"), of: keyOf({ predicate }) });
      return [place > 0 ? " · " : ": ", part];
    });
    const said = truth ? element("small", { className: "muted" }, ` (${truth})`) : "";
    const line = [element("strong", {}, sense ?? word), gloss ? `, ${gloss}` : "", ...parts, said];
    if (!sense) return element("li", {}, ...line);
    const list = element("ul", { className: "senses" });
    const details = element("details", { open: predicate === this.#open }, element("summary", {}, ...line), list);
    details.addEventListener("toggle", async () => {
      if (details.open || this.#open === predicate) this.#open = details.open ? predicate : null;
      if (!details.open || list.firstChild) return;
      const found = await rolesetsOf(own.words[predicate], drawn.pos?.[predicate] ?? "VB", sense);
      list.replaceChildren(...found.map((one) => this.#sense(predicate, one, one.sense === sense, canChoose)));
    });
    return element("li", {}, details);
  }

  #sense(token, { sense, gloss, roles, functions }, isPresent, canChoose) {
    const means = ([role, meaning]) => `${role} ${meaning}${functions[role] ? ` (${functions[role]})` : ""}`;
    const onclick = () => this.setSense(token, sense);
    const choose = element("button", { type: "button", disabled: isPresent || !canChoose, onclick }, sense);
    const item = element("li", {}, choose, ` ${gloss}. `, element("small", {}, Object.entries(roles).map(means).join(" · ")));
    if (isPresent) item.setAttribute("aria-current", true);
    return item;
  }
}
