/* The editor of one sentence: its picture, its fields, and what the service answers to its edits. */

import { printable } from "./answers.js";
import { Choosing } from "./choosing.js";
import { announce, element, finder, rove, takesText } from "./dom.js";
import { changesOf } from "./differences.js";
import { pictureOf } from "./drawings.js";
import {
  NO_EDITS, headsOf, predicatesOf, withCorrections, withHead, withLabel, withPredicate, withSense, withSpan, withValue,
} from "./edits.js";
import { Inspector } from "./inspector.js";
import { lightTogether, moveByArrows } from "./lighting.js";
import { FrameLines, sayMeanings } from "./meanings.js";
import { Picture } from "./picture.js";
import { roleGroups, rolesetsOf } from "./rolesets.js";
import { noticesOf, showReport, spokenReport } from "./report.js";
import { SpanFields } from "./spanfields.js";
import { Spanning } from "./spanning.js";

/** The part of the edits that a field of a word sets, and how, if not by `withValue`. */
const PARTS = { label: ["labels", withLabel], sense: ["senses", withSense], tag: ["pos"], upos: ["upos"], lemma: ["lemmas"] };

/** How long a word is aimed at before the page asks what would change, in milliseconds. */
const PATIENCE = 80;

export class Editor {
  #request = new AbortController();
  #imagining = new AbortController();
  #rolesets = [];
  #span = null;
  #shown = null;

  /**
   * `work` has the sentences, the editor and the fields. `page` has `info`, `accepted`, `changed()`,
   * `labelled(sentence, part, token, label)` for a label that a person has set,
   * `answered(sentence)`, `redraw()`, `undo()`, `failed(error, retry)` and `succeeded()`.
   */
  constructor(work, page) {
    this.work = work;
    this.page = page;
    this.find = finder(work);
    this.root = this.find("#editor");
    this.picture = new Picture(this.find(".drawing"));
    this.choosing = new Choosing(this.picture, this.find(".root-target"), {
      changed: () => {
        if (this.choosing.selected !== null) this.#span = null;
        this.#showControls();
        this.#uncover();
      },
      head: (token, head) => this.#setHead(token, head),
      aim: (token, head) => this.#imagine(token, head),
      headOf: (token) => Math.max(0, (this.#heads()?.[token] || token + 1) - 1),
      predicate: (token) => this.#setPredicate(token, !this.#predicates()?.includes(token)),
      field: (name, token) => (name === "roles" ? this.#openRoles(token) : this.inspector.field(name).focus()),
      help: () => {
        const keys = this.find("[data-part=keys]");
        keys.open = true;
        keys.querySelector("summary").focus();
      },
    });
    this.inspector = new Inspector(this.find(".inspector"), {
      head: (token, head) => this.#setHead(token, head),
      predicate: (token, is) => this.#setPredicate(token, is),
      set: (name, token, value) => this.#set(name, token, value),
      leave: (token) => this.picture.focus(token, true),
      roles: (token) => this.#openRoles(token),
      pick: (token) => this.choosing.begin(token),
      close: () => this.choosing.cancel(true),
    });
    this.spanFields = new SpanFields(this.find(".span-fields"), {
      choose: (span) => this.#chooseSpan(span ?? newSpan(this.#span.predicate)),
      set: (span) => this.#setSpan(span),
      remove: (span) => this.#setSpan({ ...span, role: "O" }),
      close: () => this.#closeSpan(),
    });
    this.frameLines = new FrameLines(this.find(".frames"), this.find(".drawing"), (token, sense) => this.#set("sense", token, sense));
    this.spanning = new Spanning(this.picture, {
      choose: (span) => {
        this.#chooseSpan(span);
        if (span) this.spanFields.field("role").focus();
      },
      move: (span, first, last) => this.page.info.roles.length > 0 && this.#setSpan({ ...withOld(span), first, last }),
    });
    this.#listen();
  }

  open(sentence) {
    this.sentence = sentence;
    this.work.hidden = false;
    this.#span = null;
    this.find(".meaning").textContent = "";
    this.find(".invitation").hidden = true;
    this.find("[data-option=both] + span").textContent = `Also show ${sentence.start}`;
    this.choosing.keep(null);
    this.choosing.canPick = Boolean(sentence.own.predicted_heads && sentence.own.verbs);
    for (const part of this.work.querySelectorAll("#side, [data-option=both], [data-part=keys], .legend")) {
      (part.closest(".check") ?? part).hidden = !sentence.own.verbs;
    }
    this.#makeChips();
    return this.update();
  }

  /** Undoes the last edit, or redoes it. */
  travel(direction) {
    if (this.sentence?.history[direction]()) this.update();
  }

  /** Says that the sentence is `accepted`, or not, or has a `comment`. Returns whether this changes anything. */
  mark(values) {
    const { history } = this.sentence;
    const isChanged = history.add({ ...history.present, ...values });
    if (isChanged) this.update();
    return isChanged;
  }

  /** Why the sentence cannot be accepted now, or `null`. */
  get obstacle() {
    if (this.#shown !== this.sentence || !this.sentence.isAnswered) return "its picture is not there yet";
    const isChoosing = this.choosing.picking !== null || this.spanning.isDragging || this.#span?.role === null;
    return isChoosing ? "first finish what you are choosing, or press Esc" : null;
  }

  /** Chooses the word or the span at a pointer, which may go on to drag it. */
  point(event) {
    const chosen = this.picture.chosen(event);
    if (chosen) this.choosing.select(chosen.token);
    if (event.type === "pointerdown") this.choosing.pointing.down(event);
    this.spanning.down(event);
    if (event.type === "click") this.spanning.up(event);
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
    return { both: isChecked("both"), probabilities: isChecked("probabilities"), start: this.sentence.start };
  }

  get #drawing() {
    return pictureOf(this.sentence, this.options, this.picture.room);
  }

  /** Asks for what is missing and shows it. An answer that comes too late is ignored. */
  async update() {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const { sentence } = this;
    const hasBoth = sentence.hasChanged && this.options.both;
    // Asked before anything is drawn, because the answer takes the longest.
    const asked = [sentence, ...(hasBoth ? [sentence.before] : [])].map((one) => one.read(this.#drawing, signal));
    this.#showControls();
    this.page.changed();
    this.root.setAttribute("aria-busy", "true");
    try {
      const found = await Promise.all(asked);
      if (signal.aborted) return;
      this.#show(...found);
      this.page.succeeded();
      this.page.answered(sentence);
    } catch (error) {
      if (signal.aborted) return;
      if (this.#shown !== sentence) this.#clear();
      this.page.failed(error, () => this.update());
      this.page.answered(sentence);
    } finally {
      if (!signal.aborted) this.root.removeAttribute("aria-busy");
    }
  }

  /** Says what would change if a word had another head. The answer is kept, for a drop there. */
  async #imagine(token, head) {
    this.#imagining.abort();
    this.#imagining = new AbortController();
    const { signal } = this.#imagining;
    const { sentence } = this;
    const edits = head === null ? sentence.edits : withHead(sentence.edits, sentence.own, token, head);
    if (edits === sentence.edits) {
      if (sentence.isAnswered) this.#report(sentence, "What changed");
      return;
    }
    const imagined = sentence.with(edits);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    try {
      if (signal.aborted) return;
      await imagined.read(this.#drawing, signal);
      if (!signal.aborted) announce(spokenReport(this.#report(imagined, "What would change")));
    } catch {
      // A drop there asks again, and says what is wrong.
    }
  }

  #report(sentence, title) {
    const report = changesOf(sentence.parsed, sentence.drawn);
    this.find("#changes-title").textContent = title;
    const undo = (corrections) => this.edit((edits) => withCorrections(edits, corrections));
    showReport(this.find(".changes .found"), report, sentence, undo);
    return report;
  }

  #show(svg, ownSvg) {
    const { drawn, hasChanged, isEdited, edits, isTakenBack } = this.sentence;
    const start = `${this.sentence.start[0].toUpperCase()}${this.sentence.start.slice(1)}`;
    const show = () => this.picture.show(svg, drawn, start, ownSvg);
    if (this.#shown === this.sentence) this.#steadily(show);
    else show();
    this.#shown = this.sentence;
    this.choosing.show();
    if (this.#span?.old && !isSpanOf(drawn, this.#span)) this.#span = null;
    this.#showControls();
    const report = this.#report(this.sentence, "What changed");
    this.find("[data-part=words] p").textContent = this.picture.description;
    // Where two people differ, most relations are chosen.
    const isChosenFrom = !this.find(".adjudication").hidden;
    const notices = noticesOf(isChosenFrom ? NO_EDITS : edits, this.sentence.reading?.broken_rules ?? []);
    if (isTakenBack) notices.unshift("You had accepted this sentence; it has to be accepted again.");
    this.find(".notices").replaceChildren(...notices.map((text) => element("li", {}, text)));
    this.find("#side").classList.toggle("edited", isEdited);
    this.#uncover();
    announce([...notices, hasChanged ? spokenReport(report) : `${start}.`].join(" "));
  }

  /** Shows nothing of another sentence. */
  #clear() {
    this.#shown = null;
    this.picture.clear();
    for (const part of [".notices", ".found", "[data-part=words] p"]) this.find(part).replaceChildren();
  }

  /** Brings the chosen word above the sheet of narrow windows. */
  #uncover() {
    const word = this.choosing.picking === null && this.picture.words[this.choosing.selected];
    if (word && getComputedStyle(this.find("#side")).position === "fixed") word.scrollIntoView({ block: "nearest" });
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

  /** Edits the sentence by a function of its edits and of its own reading. Returns whether this changes anything. */
  edit(change) {
    const { history, own } = this.sentence;
    const edits = change(history.present, own);
    const isSame = JSON.stringify(edits) === JSON.stringify(history.present);
    // The model may change the rest, which nobody has accepted then.
    const isChanged = !isSame && history.add({ ...edits, accepted: false });
    if (isChanged) this.page.accepted = null;
    if (isChanged) this.update();
    return isChanged;
  }

  #setHead(token, head) {
    this.choosing.keep(token);
    const isChanged = this.edit((edits, own) => withHead(edits, own, token, head));
    if (!isChanged) this.#showControls();
  }

  #setPredicate(token, is) {
    if (this.#predicates()) this.edit((edits, own) => withPredicate(edits, own, token, is));
  }

  /** Sets a field of a word to a label, which may be right for the same word elsewhere. */
  #set(name, token, label) {
    const [part, change = (edits, own, ...values) => withValue(edits, own, part, ...values)] = PARTS[name];
    const isChanged = this.edit((edits, own) => change(edits, own, token, label));
    if (isChanged && ["pos", "labels", "senses"].includes(part)) this.page.labelled(this.sentence, part, token, label);
  }

  /** Chooses a span, `{predicate, role, first, last}`, whose role may be chosen yet, or none. */
  #chooseSpan(span) {
    if (span && this.page.info.roles.length === 0) return;
    this.choosing.keep(null);
    this.#span = span && withOld(span);
    this.#showControls();
  }

  /** Lets a person choose among the spans of a predicate. */
  #openRoles(token) {
    const hasRoles = this.page.info.roles.length > 0 && this.sentence.own.words.length > 1;
    if (!hasRoles || !this.#predicates()?.includes(token)) {
      announce("This word is no predicate; P makes it one.");
      return;
    }
    this.#chooseSpan(newSpan(token));
    this.spanFields.field("span").focus();
  }

  #closeSpan() {
    const { predicate } = this.#span;
    this.#chooseSpan(null);
    this.picture.focus(predicate, true);
  }

  #setSpan({ predicate, role, first, last, old }) {
    const span = [role, first, last];
    this.choosing.keep(null);
    this.#span = role === "O" ? null : { predicate, role, first, last, old: span };
    this.edit((edits, own) => withSpan(edits, own, predicate, span, old));
    this.picture.focus(predicate, true);
  }

  /** Finds the rolesets of a word, and shows them when they are there. */
  #rolesetsOf(token) {
    const { own, drawn } = this.sentence;
    const [word, tag] = [own.words[token], (drawn ?? own).pos?.[token] ?? "VB"];
    const sense = (drawn ?? own).verbs?.find(({ index }) => index === token)?.sense;
    const key = JSON.stringify([word, tag, sense]);
    if (this.#rolesets.key === key) return { sense, rolesets: this.#rolesets };
    rolesetsOf(word, tag, sense ?? "").then((found) => {
      this.#rolesets = Object.assign([...found], { key });
      this.#showControls();
    });
    return { sense, rolesets: [] };
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
    this.find("[data-do=undo]").disabled = history.past.length === 0 && !this.page.accepted;
    this.find("[data-do=redo]").disabled = history.future.length === 0;
    this.find("[data-do=reset]").disabled = !isEdited;
    for (const button of this.work.querySelectorAll("[data-save], [data-copy]:not([data-copy=link])")) {
      button.disabled = !isAnswered;
    }
    this.work.querySelectorAll(".chips input").forEach((box, token) => {
      box.checked = predicates?.includes(token);
    });
    const { selected: token, picking } = this.choosing;
    const set = (key, part) => (drawn ?? own)[key]?.map((name, place) => edits[part][place] ?? name);
    const { roles } = this.page.info;
    const predicate = this.#span?.predicate ?? (predicates?.includes(token) ? token : null);
    const isFramed = predicate !== null && roles.length > 0;
    const { sense, rolesets } = isFramed ? this.#rolesetsOf(predicate) : { rolesets: null };
    const groups = roleGroups(this.page.info, rolesets?.find((one) => one.sense === sense));
    this.inspector.show(token, {
      sense, rolesets, words: own.words.map(printable), heads: this.choosing.canPick ? this.#heads() : null,
      pos: set("pos", "pos"), upos: set("upos", "upos"), lemmas: set("lemmas", "lemmas"), labels: set("predicted_dependencies", "labels"),
      isPredicate: predicates ? predicates.includes(token) : null, isPicking: picking !== null, info: this.page.info,
    });
    if (this.#span) this.find(".hint").hidden = true;
    this.spanFields.show(this.#span, drawn ?? own, groups);
    this.frameLines.show(this.sentence, predicate, roles.length > 0);
    if (this.picture.svg) this.picture.markSet(edits, this.#span);
  }

  #makeChips() {
    const { words, verbs, predicate_probabilities: probabilities } = this.sentence.own;
    this.find(".predicates").hidden = !verbs;
    const set = (token) => ({ target }) => this.#setPredicate(token, target.checked);
    const boxes = words.map((_, token) => element("input", { type: "checkbox", onchange: set(token) }));
    rove(boxes, 0);
    const chips = words.map((word, token) => {
      const sure = probabilities?.[token] >= 0.01 ? [element("small", {}, ` ${probabilities[token].toFixed(2)}`)] : [];
      return element("label", { className: "chip" }, boxes[token], element("bdi", {}, printable(word)), ...sure);
    });
    this.find(".chips").replaceChildren(...chips);
  }

  #listen() {
    const on = (selector, name, handle) => this.find(selector).addEventListener(name, handle);
    on("[data-do=undo]", "click", () => this.page.undo());
    on("[data-do=redo]", "click", () => this.travel("redo"));
    on("[data-do=reset]", "click", () => this.edit(({ comment }) => ({ ...NO_EDITS, comment })));
    on("[data-option=both]", "change", () => this.update());
    on("[data-option=probabilities]", "change", () => this.page.redraw());
    document.addEventListener("keydown", ({ key, target }) => {
      if (!this.#span || (takesText(target) && !(key === "Delete" && target.matches("[data-field=role]")))) return;
      if (key === "Escape") this.#closeSpan();
      else if ((key === "Delete" || key === "Backspace") && this.#span.old) this.#setSpan({ ...this.#span, role: "O" });
    });
    lightTogether(this.work);
    sayMeanings(this.find(".drawing"), this.find(".meaning"));
    moveByArrows(this.find(".chips"), "input");
    moveByArrows(this.find(".found"), "[data-keys]");
  }
}

/** A span with itself as the old one, if it has a role. */
function withOld(span) {
  return { ...span, old: span.role === null ? null : [span.role, span.first, span.last] };
}

/** A span without a role beside a predicate. */
function newSpan(predicate) {
  const token = predicate === 0 ? 1 : predicate - 1;
  return { predicate, role: null, first: token, last: token };
}

function isSpanOf(answer, { predicate, role, first, last }) {
  const spans = answer.verbs?.find(({ index }) => index === predicate)?.spans ?? [];
  return spans.some(([name, start, end]) => name === role && start === first && end === last);
}
