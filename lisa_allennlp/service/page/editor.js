/*
 * The editor of one sentence: its picture, its fields, and what the service answers to its edits.
 */

import { printable, withoutProbabilities } from "./answers.js";
import { Choosing } from "./choosing.js";
import { announce, element, finder, rove } from "./dom.js";
import { drawing, fileOf, pictureOf } from "./drawings.js";
import { NO_EDITS, headsOf, predicatesOf, withHead, withLabel, withPredicate } from "./edits.js";
import { Inspector } from "./inspector.js";
import { lightTogether, moveByArrows } from "./lighting.js";
import { Picture } from "./picture.js";
import { noticesOf, reportOf, showReport, spokenReport } from "./report.js";
import { readSvg } from "./safe-svg.js";
import { label } from "./service.js";

export class Editor {
  #request = new AbortController();

  /**
   * `work` has the sentences, the editor and the fields. `page` has `info`, `extras`, `changed()`,
   * `redraw()`, `failed(error, retry)` and `succeeded()`.
   */
  constructor(work, page) {
    this.work = work;
    this.page = page;
    this.find = finder(work);
    this.root = this.find("#editor");
    this.picture = new Picture(this.find(".drawing"));
    this.choosing = new Choosing(this.picture, this.find(".root-target"), {
      changed: () => this.#showControls(),
      head: (token, head) => this.#setHead(token, head),
      headOf: (token) => Math.max(0, (this.#heads()?.[token] || token + 1) - 1),
      predicate: (token) => this.#setPredicate(token, !this.#predicates()?.includes(token)),
      label: () => this.inspector.focusLabel(),
      help: () => this.#help(),
    });
    this.inspector = new Inspector(this.find(".inspector"), {
      head: (token, head) => this.#setHead(token, head),
      label: (token, chosen) => this.#setLabel(token, chosen),
      predicate: (token, is) => this.#setPredicate(token, is),
      pick: (token) => this.choosing.begin(token),
      close: () => this.choosing.cancel(true),
    });
    this.#listen();
  }

  /** Shows a sentence. */
  open(sentence) {
    this.sentence = sentence;
    this.work.hidden = false;
    this.choosing.keep(null);
    this.choosing.canPick = Boolean(sentence.own.predicted_heads && sentence.own.verbs);
    for (const part of this.work.querySelectorAll("#side, [data-option=both], [data-part=keys]")) {
      (part.closest(".check") ?? part).hidden = !sentence.own.verbs;
    }
    this.#makeChips();
    return this.update();
  }

  /** Undoes the last edit, or redoes it. */
  travel(direction) {
    if (this.sentence?.history[direction]()) this.update();
  }

  /** Chooses the word at a pointer, which may go on to drag it. */
  point(event) {
    const chosen = this.picture.chosen(event);
    if (!chosen) return;
    this.choosing.select(chosen.token);
    if (event.type === "pointerdown") this.choosing.pointing.down(event);
  }

  /** Marks an arc that shows best what can be done: that of the last word but the full stop. */
  invite() {
    const token = this.sentence.own.words.length - 2;
    if (!this.choosing.canPick) return;
    const mark = (chosen) => {
      this.picture.mark({ inviting: chosen });
      this.find(".invitation").hidden = chosen === null;
    };
    mark(token);
    this.find(".drawing").addEventListener("pointerdown", () => mark(null), { once: true });
  }

  get options() {
    const isChecked = (name) => this.find(`[data-option=${name}]`).checked;
    return { both: isChecked("both"), probabilities: isChecked("probabilities") };
  }

  /** The picture that is shown, as a file of its own. */
  get file() {
    return fileOf(this.sentence, this.options, this.picture.room);
  }

  /** Asks for what is missing and shows it. An answer that comes too late is ignored. */
  async update() {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const { sentence } = this;
    const { request } = sentence;
    // Asked before anything is drawn, because the answer takes the longest.
    const asked = sentence.isAnswered ? null : label(request, this.page.extras, signal);
    this.#showControls();
    this.page.changed();
    this.root.setAttribute("aria-busy", "true");
    try {
      if (asked) sentence.keep(request, await asked);
      const { options, picture: { room } } = this;
      const own = { own: sentence.own, isEdited: false };
      const both = sentence.isEdited && options.both;
      const drawings = [pictureOf(sentence, options, room), ...(both ? [pictureOf(own, options, room)] : [])];
      const found = await Promise.all(drawings.map((one) => drawing(one, signal)));
      if (signal.aborted) return;
      this.#show(...found);
      this.page.succeeded();
      await this.#showAttention(signal);
    } catch (error) {
      if (!signal.aborted) this.page.failed(error, () => this.update());
    } finally {
      if (!signal.aborted) this.root.removeAttribute("aria-busy");
    }
  }

  #show(svg, ownSvg) {
    const { own, drawn, isEdited, edits } = this.sentence;
    this.#steadily(() => this.picture.show(svg, drawn, ownSvg));
    const report = reportOf(own, drawn);
    this.choosing.show();
    this.#showControls();
    showReport(this.find(".changes .found"), report, isEdited);
    this.find("[data-part=words] p").textContent = this.picture.description;
    const notices = noticesOf(own, edits, this.#heads());
    this.find(".notices").replaceChildren(...notices.map((text) => element("li", {}, text)));
    // On a phone, the fields and the changes share a low part of the window.
    const side = this.find("#side");
    side.classList.toggle("edited", isEdited);
    if (isEdited) side.scrollTop = this.find(".changes").offsetTop - 8;
    announce([...notices, isEdited ? spokenReport(report) : "As parsed."].join(" "));
  }

  /** Keeps the chosen word where it is in the window, if its line had to move. */
  #steadily(change) {
    const token = this.choosing.selected ?? 0;
    const top = () => this.picture.words[token]?.querySelector(".word").getBoundingClientRect().top;
    const before = top();
    change();
    const moved = top() - before;
    if (Math.abs(moved) > 1) scrollBy(0, moved);
  }

  async #showAttention(signal) {
    const part = this.find("[data-part=attention]");
    part.hidden = !this.page.info.has_attention;
    if (!part.open || part.hidden) return;
    const { own, drawn, isEdited } = this.sentence;
    this.sentence.attention ??= await attentionTo(own.words, signal);
    const answer = { ...withoutProbabilities(drawn), attention: this.sentence.attention };
    const other = isEdited ? { other: withoutProbabilities(own) } : {};
    const svg = await drawing({ answer, ...other, theme: null, attention: true }, signal);
    if (!signal.aborted) this.find(".map").replaceChildren(readSvg(svg));
  }

  #edit(change) {
    const { history, own } = this.sentence;
    const isChanged = history.add(change(history.present, own));
    if (isChanged) this.update();
    return isChanged;
  }

  #setHead(token, head) {
    this.choosing.keep(token);
    const isChanged = this.#edit((edits, own) => withHead(edits, own, token, head));
    if (isChanged && !this.sentence.isAnswered) this.picture.drop(token, head);
    if (!isChanged) this.#showControls();
  }

  #setPredicate(token, is) {
    if (this.#predicates()) this.#edit((edits, own) => withPredicate(edits, own, token, is));
  }

  #setLabel(token, chosen) {
    const modelled = this.sentence.answer?.predicted_dependencies[token];
    this.#edit((edits) => withLabel(edits, token, chosen === modelled ? undefined : chosen));
  }

  #heads() {
    const { own, edits } = this.sentence;
    return own.predicted_heads && headsOf(own, edits);
  }

  #predicates() {
    const { own, edits } = this.sentence;
    return own.verbs && predicatesOf(own, edits);
  }

  #showControls() {
    const { own, drawn, history, edits, isEdited, isAnswered } = this.sentence;
    const predicates = this.#predicates();
    this.find("[data-do=undo]").disabled = !history.canUndo;
    this.find("[data-do=redo]").disabled = !history.canRedo;
    this.find("[data-do=reset]").disabled = !isEdited;
    for (const button of this.root.querySelectorAll("[data-copy]:not([data-copy=link])")) {
      button.disabled = !isAnswered;
    }
    this.root.querySelectorAll(".chips input").forEach((box, token) => {
      box.checked = predicates?.includes(token);
    });
    const { selected: token, picking } = this.choosing;
    const labels = (drawn ?? own).predicted_dependencies?.map((name, place) => edits.labels[place] ?? name);
    this.inspector.show(token, {
      words: own.words.map(printable), pos: own.pos, heads: this.choosing.canPick ? this.#heads() : null, labels,
      isPredicate: predicates ? predicates.includes(token) : null, isPicking: picking !== null,
      headTags: this.page.info.head_tags,
    });
  }

  #makeChips() {
    const { words, verbs, predicate_probabilities: probabilities } = this.sentence.own;
    this.find(".predicates").hidden = !verbs;
    const boxes = words.map((_, token) => {
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => this.#setPredicate(token, box.checked));
      return box;
    });
    rove(boxes, 0);
    const chips = words.map((word, token) => {
      const sure = probabilities?.[token] >= 0.01 ? [element("small", {}, ` ${probabilities[token].toFixed(2)}`)] : [];
      return element("label", { className: "chip" }, boxes[token], element("bdi", {}, printable(word)), ...sure);
    });
    this.find(".chips").replaceChildren(...chips);
  }

  #help() {
    const keys = this.find("[data-part=keys]");
    keys.open = true;
    keys.querySelector("summary").focus();
  }

  #listen() {
    const on = (selector, name, handle) => this.find(selector).addEventListener(name, handle);
    on("[data-do=undo]", "click", () => this.travel("undo"));
    on("[data-do=redo]", "click", () => this.travel("redo"));
    on("[data-do=reset]", "click", () => this.#edit(() => NO_EDITS));
    on("[data-option=both]", "change", () => this.update());
    on("[data-option=probabilities]", "change", () => this.page.redraw());
    on("[data-part=attention]", "toggle", () => this.sentence && this.update());
    lightTogether(this.work);
    moveByArrows(this.find(".chips"), "input");
    moveByArrows(this.find(".found"), "[data-keys]");
  }
}

/** The attention to each token, in as many digits as a picture shows. */
async function attentionTo(tokens, signal) {
  const { attention } = await label({ tokens }, ["attention"], signal);
  return attention.map((row) => row.map((weight) => Math.round(weight * 1e4) / 1e4));
}
