/*
 * What accepted sentences have taught: how many there are, which choices of the model they changed,
 * and whether this counts for the sentences that are opened from now on.
 */

import { element, finder } from "./dom.js";
import { lesson, useLesson } from "./service.js";

export class Lesson {
  /** `page` has `failed(error, retry)`, `open(number)` and `forget()`, after which sentences are read again. */
  constructor(root, page) {
    this.root = root;
    this.find = finder(root);
    this.page = page;
    this.find("input").addEventListener("change", () => this.#use(this.find("input").checked));
  }

  /** Shows the present state. */
  async refresh() {
    try {
      this.#show(await lesson());
    } catch (error) {
      this.page.failed(error, () => this.refresh());
    }
  }

  async #use(used) {
    try {
      this.#show(await useLesson(used));
      this.page.forget();
    } catch (error) {
      this.find("input").checked = !used;
      this.page.failed(error, () => this.#use(used));
    }
  }

  #show({ sentences, used, moved }) {
    this.root.hidden = false;
    this.find("summary").textContent = `Learned from ${sentences.toLocaleString("en")} sentence${sentences === 1 ? "" : "s"}${used ? "" : ", not used"}`;
    this.find("input").checked = used;
    this.find("ul").replaceChildren(...moved.map((choice) => this.#row(choice)));
  }

  #row({ number, predicate, words, before, after }) {
    const what = words ? `${predicate}: ${words}` : predicate;
    const button = element("button", { type: "button" }, `${number} `, element("bdi", {}, what), ` ${nameOf(before)} → ${nameOf(after)}`);
    button.addEventListener("click", () => this.page.open(number));
    return element("li", {}, button);
  }
}

function nameOf(label) {
  return label === "O" ? "no role" : label;
}
