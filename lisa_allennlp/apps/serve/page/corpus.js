/* The sentences of a corpus: a list in an order or by a search, and steps from one to the next. */

import { Adjudication } from "./adjudication.js";
import { Alike } from "./alike.js";
import { element, finder, later, rove } from "./dom.js";
import { NO_EDITS } from "./edits.js";
import { Lesson } from "./lesson.js";
import { moveByArrows } from "./lighting.js";
import { Saver, resume } from "./saving.js";
import { Sentence } from "./sentence.js";
import { get } from "./service.js";

const LIMIT = 100;

export class CorpusList {
  #sentences = new Map();
  #items = [];
  #offset = 0;
  #counts = null;
  #end = "";
  #request = new AbortController();

  /** `page` has `info`, `show(sentence)`, `refresh(sentence)`, `recovered()` and `failed(error, retry)`. */
  constructor(root, side, page) {
    this.find = finder(root);
    this.side = finder(side);
    this.page = page;
    root.hidden = this.side(".steps").hidden = false;
    const { people, saves } = page.info;
    if (saves && people.length === 0) {
      const written = (numbers) => {
        numbers.forEach((number) => this.#sentences.delete(number));
        this.list(this.#offset);
      };
      this.alike = new Alike(this.side(".alike"), { failed: page.failed, written });
    }
    if (people.length > 0) {
      this.adjudication = new Adjudication(this.side(".adjudication"), people, page);
      const [certainty, differing] = ["certainty", "differing"].map((order) => this.find(`[value=${order}]`));
      certainty.hidden = differing.selected = true;
      differing.hidden = false;
    }
    this.saver = new Saver({
      saving: (text, isProblem) => this.tell(text, isProblem),
      saved: (sentence) => this.#saved(sentence),
      replaced: async (sentence) => {
        await page.refresh(sentence);
        page.refuse(`Sentence ${sentence.number} was saved elsewhere, in another tab or by another person. That version is shown; Undo returns to yours.`);
      },
    });
    const open = (number) => this.open(number);
    const forget = () => {
      const { mark, isEdited, number } = this.current;
      this.#forget();
      if (!mark && !isEdited && this.#sentences.delete(number)) open(number);
    };
    this.lesson = new Lesson(this.find(".lesson"), { open, failed: page.failed, forget });
    this.#listen();
  }

  /** Lists sentences and opens one, by default the first. */
  async start(number = null) {
    if (this.page.info.teaches) this.lesson.refresh();
    this.find(".drawer").open = isRoomy();
    await this.list(0);
    const chosen = number ?? this.#items[0]?.number;
    if (chosen) await this.open(chosen);
  }

  /** Lists sentences from an offset, in the chosen order. */
  async list(offset) {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    try {
      const answer = await get("corpus", this.#query(offset), signal);
      if (signal.aborted) return;
      this.#offset = offset;
      this.#items = answer.sentences;
      this.#counts = answer;
      this.#show();
    } catch (error) {
      if (!signal.aborted) this.page.failed(error, () => this.list(offset));
    }
  }

  #query(offset) {
    return { order: this.find("[name=order]").value, search: this.find("[name=search]").value, offset, limit: LIMIT };
  }

  async open(number) {
    const { current } = this;
    if (current) this.save(current);
    try {
      if (!this.#sentences.has(number)) this.#sentences.set(number, await this.#read(number));
      this.current = this.#sentences.get(number);
      this.#end = "";
      this.#mark();
      if (this.find("ol").contains(document.activeElement)) this.find("[aria-current=true]")?.focus({ preventScroll: true });
      await this.page.show(this.current);
    } catch (error) {
      this.page.failed(error, () => this.open(number));
    }
  }

  /** Opens the next sentence of the list, or the one before. */
  async step(by = 1) {
    let place = this.#items.findIndex(({ number }) => number === this.current?.number) + by;
    const offset = this.#offset + by * LIMIT;
    if (!this.#items[place] && offset >= 0 && offset < this.#counts.found) {
      await this.list(offset);
      place = by > 0 ? 0 : this.#items.length - 1;
    }
    if (this.#items[place]) {
      await this.open(this.#items[place].number);
    } else {
      this.#end = by > 0 ? "That was the last sentence of the list." : "This is the first sentence of the list.";
      this.tell("");
    }
  }

  /** Saves a sentence, if the service saves. */
  save(sentence) {
    if (this.page.info.saves) return this.saver.save(sentence);
    if (sentence.isEdited) this.tell("Not saved: lisa serve was started without --save.");
  }

  /** Reads sentences again that nobody has corrected, when they are opened, and says how certain they are now. */
  async #forget() {
    for (const [number, sentence] of this.#sentences) {
      if (sentence !== this.current && !sentence.mark && !sentence.isEdited) this.#sentences.delete(number);
    }
    const { sentences } = await get("corpus", this.#query(this.#offset)).catch(() => ({ sentences: [] }));
    for (const { number, certainty } of sentences) {
      const item = this.#items.find((one) => one.number === number);
      if (item) item.certainty = certainty;
    }
    this.#mark();
  }

  async #read(number) {
    const answer = await get("sentence", { number });
    const sentence = new Sentence(answer.start, NO_EDITS, number);
    const { place, differences, learned, own, start } = answer;
    Object.assign(sentence, { place, differences, learned, parsed: own && learned.length > 0 ? own : start });
    if (this.page.info.people.length > 0) sentence.start = "before choosing";
    else if (answer.given.length > 0) sentence.start = `as in ${answer.place.split(/[\\/:]/).at(-2)}${answer.given.length < 3 ? ", completed" : ""}`;
    // What was saved is where undo begins to go back from.
    resume(sentence, answer);
    sentence.mark = markOf(sentence);
    return sentence;
  }

  #saved(sentence) {
    const [mark, before] = [markOf(sentence), sentence.mark];
    const item = this.#items.find(({ number }) => number === sentence.number);
    sentence.mark = mark;
    if (item) item.mark = mark;
    this.#counts.corrected += Boolean(mark) - Boolean(before);
    this.#counts.accepted += (mark === "accepted") - (before === "accepted");
    this.#mark();
    this.tell("Saved.");
    this.page.recovered();
    if (this.page.info.teaches && (mark === "accepted" || before === "accepted")) {
      this.lesson.refresh();
      this.#forget();
    }
  }

  /** Says what was done, or why not, and whether the list ends here. */
  tell(text, isProblem = false) {
    const output = this.side(".saving");
    output.textContent = [text, this.#end].join(" ").trim();
    output.classList.toggle("unsaved", isProblem);
  }

  /** Says which sentence is shown, and whether it is accepted. */
  showState() {
    const { number, place, edits, isEdited, isTakenBack } = this.current;
    const open = isTakenBack ? "No longer accepted" : isEdited ? "Corrected, not accepted" : "Not accepted";
    this.side(".state").textContent = edits.accepted ? "✓ Accepted" : open;
    this.side(".state").classList.toggle("unsaved", isTakenBack);
    this.side("[data-do=unaccept]").hidden = !edits.accepted;
    const total = this.adjudication ? "" : ` of ${this.#counts.total.toLocaleString("en")}`;
    this.side("[name=comment]").value = edits.comment;
    this.side(".place").textContent = `${number.toLocaleString("en")}${total}, ${place.split(/[\\/]/).at(-1)}`;
    this.side(".place").title = place;
    this.adjudication?.show(this.current);
    this.alike?.show(this.current);
  }

  #show() {
    const rows = this.#items.map(({ number, text, certainty }) => {
      const sure = element("small", { className: "sure", title: certainty === null ? "in how many parts both differ" : "how certain the model is" });
      const button = element("button", { type: "button" }, `${number} `, element("bdi", {}, text), element("small", { className: "badge" }), sure);
      button.addEventListener("click", () => {
        if (!isRoomy()) this.find(".drawer").open = false;
        this.open(number);
      });
      return element("li", {}, button);
    });
    this.find("ol").replaceChildren(...rows);
    this.find("ol").scrollTop = 0;
    const [{ found }, last] = [this.#counts, this.#offset + this.#items.length];
    this.find(".range").textContent = found === 0 ? "No sentence." : `${this.#offset + 1} to ${last} of ${found.toLocaleString("en")}`;
    this.find("[data-do=earlier]").disabled = this.#offset === 0;
    this.find("[data-do=later]").disabled = last >= found;
    this.#mark();
  }

  #mark() {
    const { total, corrected, accepted } = this.#counts;
    this.find(".counts").textContent = `${total.toLocaleString("en")} sentences, ${corrected} corrected or accepted, ${accepted} accepted`;
    const chosen = this.#items.findIndex(({ number }) => number === this.current?.number);
    rove([...this.find("ol").querySelectorAll("button")], Math.max(chosen, 0));
    this.#items.forEach(({ number, mark, certainty, differences }, place) => {
      const row = this.find("ol").children[place];
      const isCurrent = number === this.current?.number;
      row.querySelector("button").setAttribute("aria-current", isCurrent);
      Object.assign(row.querySelector(".badge"), { textContent: mark, className: `badge ${mark}` });
      row.querySelector(".sure").textContent = certainty?.toFixed(2) ?? differences;
      if (isCurrent) this.#reveal(row);
    });
  }

  /** Scrolls the list, and nothing else, to a row. */
  #reveal(row) {
    const list = this.find("ol");
    const top = row.offsetTop - list.offsetTop;
    list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + row.offsetHeight - list.clientHeight));
  }

  #listen() {
    const again = () => this.list(0);
    this.find("[name=order]").addEventListener("change", again);
    this.find("[name=search]").addEventListener("input", later(again, 200));
    moveByArrows(this.find("ol"), "button");
    this.find("[data-do=earlier]").addEventListener("click", () => this.list(this.#offset - LIMIT));
    this.find("[data-do=later]").addEventListener("click", () => this.list(this.#offset + LIMIT));
    this.side("[data-do=previous]").addEventListener("click", () => this.step(-1));
    this.side("[data-do=next]").addEventListener("click", () => this.step());
  }
}

/** Whether there is room for the list beside a picture; elsewhere it is a drawer. */
function isRoomy() {
  return innerWidth > 960 && innerHeight > 1000;
}

function markOf({ edits, isEdited }) {
  return edits.accepted ? "accepted" : isEdited ? "corrected" : edits.comment ? "commented" : "";
}
