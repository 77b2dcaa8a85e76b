/*
 * What accepted sentences have taught: how many there are, which choices of the model they changed,
 * and whether this counts for the sentences that are opened from now on.
 */

import { change, decimals } from "./answers.js";
import { element, finder } from "./dom.js";
import { get, post } from "./service.js";

export class Lesson {
  /** `page` has `failed(error, retry)`, `open(number)` and `forget()`, after which sentences are read again. */
  constructor(root, page) {
    this.root = root;
    this.find = finder(root);
    this.page = page;
    this.find("input").addEventListener("change", ({ target }) => this.refresh(target.checked));
  }

  /** Shows the present state, after the lesson is `used`, or not, if this is said. */
  async refresh(used = null) {
    try {
      this.#show(used === null ? await get("lesson") : JSON.parse(await post("lesson", { used })));
      if (used !== null) this.page.forget();
    } catch (error) {
      if (used !== null) this.find("input").checked = !used;
      this.page.failed(error, () => this.refresh(used));
    }
  }

  #show({ sentences, used, moved, predicates }) {
    const nameOf = (label) => (label === "O" ? "no role" : label);
    this.root.hidden = false;
    this.find("summary").textContent = `Learned from ${sentences.toLocaleString("en")} sentence${sentences === 1 ? "" : "s"}${used ? "" : ", not used"}`;
    this.find("input").checked = used;
    this.find(".moved").replaceChildren(...moved.map((one) => this.#row(one, one.words, change(nameOf(one.before), nameOf(one.after)))));
    this.find(".accepted").replaceChildren(...predicates.map((one) => this.#row(one, "", `${one.roleset} ${decimals(one.probability)}`)));
  }

  #row({ number, predicate }, words, text) {
    const what = words ? `${predicate}: ${words}` : predicate;
    const onclick = () => this.page.open(number);
    return element("li", {}, element("button", { type: "button", onclick }, `${number} `, element("bdi", {}, what), ` ${text}`));
  }
}
