/* The page: a text to label, its sentences, the link in the address, and the theme. */

import { CorpusList } from "./corpus.js";
import { element, finder, later, takesText } from "./dom.js";
import { fileOf } from "./drawings.js";
import { Editor } from "./editor.js";
import { NO_EDITS, fits } from "./edits.js";
import { listenToExports } from "./exports.js";
import { MOST_CHARACTERS, fromFragment, toFragment } from "./link.js";
import { SentenceList } from "./list.js";
import { Sentence } from "./sentence.js";
import { ServiceError, get, label, post } from "./service.js";
import { chooseTheme } from "./theme.js";

const EXAMPLES = [
  "She promised to call him yesterday.",
  "She sold him the car that he had wanted.",
  "Time flies like an arrow.",
];

const find = finder(document);
const page = { document: null, sentences: [], active: 0, info: null, accepted: null };
let request = new AbortController();
let linking;

page.changed = () => {
  page.isExample &&= !page.sentences[page.active].isEdited;
  list.mark();
  page.corpus?.showState();
  // Only after the roles, because changing the address takes browsers a while.
  clearTimeout(linking);
  linking = setTimeout(showLink, 1000);
};
page.answered = (sentence) => page.corpus?.save(sentence);
page.succeeded = () => {
  find(".problem").hidden = true;
  clearTimeout(linking);
  linking = setTimeout(showLink, 50);
};
page.failed = (error, retry) => {
  const problem = find(".problem");
  problem.querySelector("span").textContent = page.sentences.some(({ isEdited }) => isEdited)
    ? `${error.message} Your edits are kept.`
    : error.message;
  problem.querySelector("button").onclick = () => {
    problem.hidden = true;
    retry();
  };
  problem.querySelector("button").hidden = error.isTemporary === false;
  problem.hidden = false;
  // That all was saved before would read as if it were now.
  find(".saving:not(.unsaved)")?.replaceChildren();
};
/** What has failed may succeed now. */
page.recovered = () => {
  const button = find(".problem button");
  if (!find(".problem").hidden && !button.hidden) button.click();
};
page.redraw = () => {
  if (page.sentences.length === 0) return;
  list.redraw();
  editor.update();
};
/** Moves the editor to a sentence, whose picture stays where it is, and to what is at a pointer. */
page.choose = async (number, event = null) => {
  const item = find("#sentences").children[number];
  // The last part is the picture, or the editor with it.
  const top = () => item.lastChild.getBoundingClientRect().top;
  const before = top();
  page.active = number;
  list.activate(number);
  await editor.open(page.sentences[number]);
  scrollBy(0, top() - before);
  if (event) editor.point(event);
  else item.scrollIntoView({ block: "nearest" });
};
/** Undoes the last step, which may be that a sentence of the corpus was accepted. */
page.undo = async () => {
  const { accepted } = page;
  page.accepted = null;
  if (accepted && accepted !== page.corpus.current) await page.corpus.open(accepted.number);
  editor.travel("undo");
};

const editor = new Editor(find("#work"), page);
const list = new SentenceList(find("#sentences"), editor.root, page);
Object.defineProperty(page, "options", { get: () => editor.options });

/** Shows a sentence of the corpus alone. */
page.show = async (sentence) => {
  page.sentences = [sentence];
  page.active = 0;
  list.show(page.sentences, 0);
  showLink();
  await editor.open(sentence);
  reveal();
};
page.refresh = (sentence) => sentence === page.sentences[page.active] && editor.update();
/** Says why something cannot be done, which trying again would not change. */
page.refuse = (message) => page.failed(new ServiceError(message, false));
page.labelled = (...correction) => page.corpus?.alike?.offer(...correction);
page.edit = (change) => editor.edit(change);
page.look = (token) => editor.choosing.select(token);

/** Labels a text, and applies the edits of a link to its sentences. */
async function labelText(text, link = null, isFirst = false) {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  if (!text.trim()) {
    page.refuse("Type a sentence to label.");
    return;
  }
  find("main").setAttribute("aria-busy", "true");
  try {
    if (!page.info) await showInfo();
    // The service would end the connection.
    if (new Blob([JSON.stringify({ text })]).size > page.info.max_bytes) {
      page.refuse(`This text is too long: the service takes ${page.info.max_bytes.toLocaleString("en")} bytes.`);
      return;
    }
    const { notice, ...answer } = await label({ text }, page.extras, signal);
    if (signal.aborted) return;
    find("#notice").textContent = notice ?? "";
    page.succeeded();
    // The text before, with its edits, is one step back in the browser's history.
    if (!link && page.document && page.document.text !== text) {
      showLink();
      history.pushState(null, "", location.pathname);
    }
    page.isExample = isFirst;
    await open(answer, link);
    if (isFirst) {
      editor.invite();
    } else {
      showLink();
      reveal();
    }
  } catch (error) {
    if (!signal.aborted) page.failed(error, () => labelText(text, link, isFirst));
  } finally {
    if (!signal.aborted) find("main").removeAttribute("aria-busy");
  }
}

/** Brings the top of the picture into view, unless its first lines are in view. */
function reveal() {
  const { left, top, width, height } = find(".drawing svg").getBoundingClientRect();
  const end = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight / 3) - 2);
  if (top < 0 || !end?.closest(".drawing")) find("#sentences .active").scrollIntoView();
}

async function open(answer, link) {
  if (answer.sentences.length === 0) {
    page.refuse("This text has no words.");
    return;
  }
  // A text that is labelled again keeps its edits.
  const known = link ? [] : page.sentences.map((sentence) => [JSON.stringify(sentence.own), sentence]);
  page.document = answer;
  const unfit = [];
  page.sentences = answer.sentences.map((own, number) => {
    const same = known[number]?.[0] === JSON.stringify(own) ? known[number][1] : null;
    if (same) return same;
    const given = link?.sentences.get(number);
    const isFit = !given || fits(own, given);
    if (!isFit) unfit.push(number + 1);
    return new Sentence(own, isFit ? { ...NO_EDITS, ...given?.edits } : NO_EDITS);
  });
  page.active = Math.min(link?.active ?? 0, page.sentences.length - 1);
  list.show(page.sentences, page.active);
  await editor.open(page.sentences[page.active]);
  if (unfit.length > 0) {
    const message = `The link's edits of sentence ${unfit.join(", ")} do not fit it, so it is shown as parsed.`;
    page.refuse(message);
  }
}

function fragment() {
  const sentences = page.sentences.map(({ own, edits }) => ({ words: own.words.length, edits }));
  return toFragment({ text: page.document.text, active: page.active, sentences });
}

/** The entry of the browser's history has what the address is too short for. */
function showLink() {
  clearTimeout(linking);
  if (page.corpus?.current) history.replaceState(null, "", `#${page.corpus.current.number}`);
  if (!page.document || page.isExample) return;
  const found = fragment();
  history.replaceState(found, "", found.length <= MOST_CHARACTERS ? `#${found}` : location.pathname);
}

function openLink() {
  clearTimeout(linking);
  if (page.corpus) return;
  try {
    const link = fromFragment(location.hash.slice(1) || (history.state ?? ""));
    if (link) {
      find("#text").value = link.text;
      labelText(link.text, link);
    } else if (!page.document && page.info.reads_text && find("#text").value === "") {
      find("#text").value = EXAMPLES[0];
      find("#text").select();
      labelText(EXAMPLES[0], null, true);
    }
  } catch (error) {
    page.refuse(`This link cannot be read: ${error.message}.`);
  }
}

/** Asks what the model can do, and shows only what it can. */
async function showInfo() {
  page.info = await get("info");
  const { model, version, formats, has_probabilities: hasProbabilities } = page.info;
  page.extras = hasProbabilities ? ["probabilities", "notice"] : ["notice"];
  find("#model").textContent = `${model}, version ${version}`;
  find("#finds").hidden = !page.info.finds;
  find("#ask").hidden = !page.info.reads_text || page.info.corpus;
  find("[data-copy=link]").hidden = page.info.corpus;
  find(".of-spans").hidden = page.info.roles.length === 0;
  document.body.classList.toggle("fixed-roles", page.info.roles.length === 0);
  for (const part of document.querySelectorAll("[data-part=accept]")) part.hidden = !page.info.corpus;
  if (!page.info.reads_text) page.refuse("This parser reads tags, so it labels no plain text: send it tokens with tags (docs/serving.md).");
  document.title = `lisa: ${model}`;
  find("[data-option=probabilities]").parentElement.hidden = !hasProbabilities;
  for (const format of ["json", "conllu", "props"]) {
    for (const button of document.querySelectorAll(`[data-copy=${format}], [data-save=${format}]`)) button.hidden = !formats.includes(format);
  }
}

async function start() {
  try {
    await showInfo();
  } catch (error) {
    page.failed(error, start);
    return;
  }
  if (!page.info.corpus) {
    openLink();
    return;
  }
  page.corpus = new CorpusList(find("#corpus"), find("#side"), page);
  await page.corpus.start(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null);
}

/** Accepts the sentence of the corpus, and goes to the next one. */
async function accept() {
  if (!page.corpus?.current) return;
  const open = page.corpus.adjudication?.open ?? [];
  const obstacle = editor.obstacle ?? (open.length > 0 ? `first choose ${open.join(", ")}` : null);
  if (obstacle) {
    page.corpus.tell(`Not accepted: ${obstacle}.`, true);
    return;
  }
  if (editor.mark({ accepted: true })) page.accepted = page.corpus.current;
  const focused = document.activeElement;
  await page.corpus.step();
  // Unless somebody has gone elsewhere meanwhile.
  if ([focused, document.body].includes(document.activeElement)) editor.picture.focus(editor.picture.focused, true);
}

function listen() {
  find("#ask").addEventListener("submit", (event) => {
    event.preventDefault();
    labelText(find("#text").value);
  });
  find("#text").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    find("#ask").requestSubmit();
  });
  find("[data-do=accept]").addEventListener("click", accept);
  find("[data-do=unaccept]").addEventListener("click", () => editor.mark({ accepted: false }));
  find("[name=comment]").addEventListener("change", ({ target }) => editor.mark({ comment: target.value.trim() }));
  document.addEventListener("keydown", (event) => {
    if (takesText(event.target) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    const isListed = event.target.matches?.("#corpus li :not([aria-current=true])");
    const accepts = page.corpus && key === "a" && !isCommand && !event.repeat && !isListed;
    if (!accepts && !(isCommand && (key === "z" || key === "y"))) return;
    event.preventDefault();
    if (accepts) accept();
    else if (key === "y" || event.shiftKey) editor.travel("redo");
    else page.undo();
  });
  addEventListener("popstate", openLink);
  for (const text of EXAMPLES) {
    const onclick = () => {
      find("#text").value = text;
      labelText(text);
    };
    find("#examples").append(element("button", { type: "button", className: "example", onclick }, text), " ");
  }
  let width = document.body.clientWidth;
  const redraw = () => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    page.redraw();
  };
  addEventListener("resize", later(redraw, 150));
}

listenToExports(
  find("#work"),
  {
    document: () => page.corpus ? page.corpus.current.drawn : ({ ...page.document, sentences: page.sentences.map(({ drawn, own }) => drawn ?? own) }),
    picture: (left) => post("draw", fileOf(page.sentences[page.active], editor.options, editor.picture.room, left)),
    link: () => {
      const found = fragment();
      return found.length <= MOST_CHARACTERS ? `${location.href.split("#")[0]}#${found}` : null;
    },
  },
  page.failed,
);
chooseTheme(find("#theme"));
listen();
start();
if (!location.hash && !find("#ask").hidden) find("#text").focus();
