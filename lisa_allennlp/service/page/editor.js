/*
 * The editor of one sentence: its picture, its fields, and what the service answers to its edits.
 */

import { withoutProbabilities } from "./answers.js";
import { Choosing } from "./choosing.js";
import { announce, element, finder } from "./dom.js";
import { drawing } from "./drawings.js";
import { NO_EDITS, headsOf, predicatesOf, withHead, withLabel, withPredicate } from "./edits.js";
import { Inspector } from "./inspector.js";
import { Picture } from "./picture.js";
import { noticesOf, reportOf, showReport, spokenReport } from "./report.js";
import { readSvg } from "./safe-svg.js";
import { label } from "./service.js";

const NAMES = ["as drawn", "as parsed"];

export class Editor {
  #request = new AbortController();

  /** `page` has `theme`, `info`, `extras`, `changed()`, `redraw()`, `failed(error, retry)`, `succeeded()`. */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.find = finder(root);
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
      close: () => this.choosing.select(null),
    });
    // On narrow screens, two readings are a long way to scroll.
    this.find("[data-option=both]").checked = matchMedia("(min-width: 40rem)").matches;
    this.#listen();
  }

  /** Shows a sentence. */
  open(sentence) {
    this.sentence = sentence;
    this.root.hidden = false;
    this.choosing.keep(null);
    this.choosing.canPick = Boolean(sentence.own.predicted_heads && sentence.own.verbs);
    this.find(".hint").classList.toggle("unseen", !this.choosing.canPick);
    for (const part of this.root.querySelectorAll(".edits, .inspector, [data-part=keys]")) {
      part.hidden = !sentence.own.verbs;
    }
    this.#makeChips();
    return this.update();
  }

  /** Undoes the last edit, or redoes it. */
  travel(direction) {
    if (this.sentence?.history[direction]()) this.update();
  }

  /** An answer as pictures show it, with or without probabilities. */
  shown(answer) {
    return this.#option("probabilities") ? answer : withoutProbabilities(answer);
  }

  /** The picture that is shown, for the service to draw. */
  pictured(theme = this.page.theme) {
    const { own, drawn, isEdited } = this.sentence;
    const both = isEdited && this.#option("both") ? { other: this.shown(own), names: NAMES } : {};
    const width = Math.floor(this.picture.container.clientWidth);
    return { answer: this.shown(drawn), ...both, width, theme };
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
      const svg = await drawing(this.pictured(), signal);
      if (signal.aborted) return;
      this.#show(svg);
      this.page.succeeded();
      await this.#showAttention(signal);
    } catch (error) {
      if (!signal.aborted) this.page.failed(error, () => this.update());
    } finally {
      if (!signal.aborted) this.root.removeAttribute("aria-busy");
    }
  }

  #show(svg) {
    const { own, drawn, isEdited, edits } = this.sentence;
    this.picture.show(svg, drawn);
    const report = reportOf(own, drawn);
    if (isEdited && !this.#option("both")) this.picture.markDifferent(report.tokens, report.spans);
    this.choosing.show();
    this.#showControls();
    this.find(".changes").hidden = !isEdited;
    showReport(this.find(".changes ul"), report);
    this.find("[data-part=words] p").textContent = this.picture.description;
    const notices = noticesOf(own, edits, this.#heads());
    this.find(".notices").replaceChildren(...notices.map((text) => element("li", {}, text)));
    announce([...notices, isEdited ? spokenReport(report) : "As parsed."].join(" "));
  }

  async #showAttention(signal) {
    const part = this.find("[data-part=attention]");
    part.hidden = !this.page.info.has_attention;
    if (!part.open || part.hidden) return;
    const { own, drawn, isEdited } = this.sentence;
    this.sentence.attention ??= await attentionTo(own.words, signal);
    const answer = { ...withoutProbabilities(drawn), attention: this.sentence.attention };
    const other = isEdited ? { other: withoutProbabilities(own), names: NAMES } : {};
    const svg = await drawing({ answer, ...other, theme: this.page.theme, attention: true }, signal);
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
    if (!this.#edit((edits, own) => withHead(edits, own, token, head))) this.#showControls();
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
    const token = this.choosing.selected;
    const labels = (drawn ?? own).predicted_dependencies?.map((name, place) => edits.labels[place] ?? name);
    this.inspector.show(token, {
      words: own.words, pos: own.pos, heads: this.choosing.canPick ? this.#heads() : null, labels,
      isPredicate: predicates ? predicates.includes(token) : null, headTags: this.page.info.head_tags,
    });
  }

  #makeChips() {
    const { words, verbs, predicate_probabilities: probabilities } = this.sentence.own;
    this.find(".predicates").hidden = !verbs;
    const chips = words.map((word, token) => {
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => this.#setPredicate(token, box.checked));
      const sure = probabilities?.[token] >= 0.01 ? [element("small", {}, ` ${probabilities[token].toFixed(2)}`)] : [];
      return element("label", { className: "chip" }, box, element("bdi", {}, word), ...sure);
    });
    this.find(".chips").replaceChildren(...chips);
  }

  #option(name) {
    return this.find(`[data-option=${name}]`).checked;
  }

  #help() {
    const keys = this.find("[data-part=keys]");
    keys.open = true;
    keys.querySelector("summary").focus();
  }

  #listen() {
    const on = (selector, name, handle) => {
      for (const part of this.root.querySelectorAll(selector)) part.addEventListener(name, handle);
    };
    on("[data-do=undo]", "click", () => this.travel("undo"));
    on("[data-do=redo]", "click", () => this.travel("redo"));
    on("[data-do=reset]", "click", () => this.#edit(() => NO_EDITS));
    on("[data-option=both]", "change", () => this.update());
    on("[data-option=probabilities]", "change", () => this.page.redraw());
    on("[data-part=attention]", "toggle", () => this.sentence && this.update());
  }
}

/** The attention to each token, in as many digits as a picture shows. */
async function attentionTo(tokens, signal) {
  const { attention } = await label({ tokens }, ["attention"], signal);
  return attention.map((row) => row.map((weight) => Math.round(weight * 1e4) / 1e4));
}
