/*
 * The page of `lisa serve --find`: a question, how it was understood, and what answers it. The
 * question is in the fragment of the address.
 */

import { announce, element, finder } from "./dom.js";
import { fitted } from "./drawings.js";
import { toFragment } from "./link.js";
import { get, label, post } from "./service.js";
import { chooseTheme } from "./theme.js";

const AT_ONCE = 50;

const find = finder(document);
const state = { query: new URLSearchParams(), offset: 0, answer: null };

/** Asks, and shows the answer. `query` has the parameters of `/find/answer`. */
async function ask(query, offset = 0) {
  find(".problem").hidden = true;
  find("main").setAttribute("aria-busy", "true");
  try {
    const answer = await get("find/answer", new URLSearchParams([...query, ["offset", offset], ["limit", AT_ONCE]]));
    Object.assign(state, { query, offset, answer });
    show(answer);
  } catch (error) {
    fail(error);
  } finally {
    find("main").removeAttribute("aria-busy");
  }
}

/** Says what is wrong, without an answer to another question. */
function fail(error) {
  find("#answer").hidden = true;
  find(".problem").textContent = error.message;
  find(".problem").hidden = false;
}

function show({ senses, others, roles, alike, asked, polarity, number, left_out, hits, counts }) {
  find("#answer").hidden = false;
  find("#frame .rolesets").replaceChildren(...senses.map((own, place) => senseField([own, ...others[place]])));
  find("#frame .like").textContent = alike.length > 0 ? `${alike.length} like it: ${alike.join(", ")}` : "";
  find("#frame .roles").replaceChildren(...roles.map(roleField));
  const found = new Map([...senses, ...others.flat()].map(({ name, number }) => [name, number]));
  const bySense = [...found].filter(([, times]) => times > 0);
  const senseLinks = bySense.flatMap(([value, times]) => [linkTo(`${value} ${shown(times)}`, changedBy({ option: "sense", value })), ". "]);
  const areMore = bySense.length > senses.filter((own) => own.number > 0).length || senses.length > 1;
  find(".by-sense").replaceChildren(...(areMore ? ["By sense: ", ...senseLinks] : []));
  const links = left_out
    .filter(({ option }) => option !== "sense")
    .flatMap((more) => [linkTo(`${shown(more.number)} ${more.text}`, changedBy(more)), ". "]);
  find(".left-out").replaceChildren(links.length > 0 ? "Left out: " : "", ...links);
  find("[name=polarity]").value = polarity;
  find(".counted").hidden = counts.length === 0;
  find(".counted h2").textContent = asked.join(", ");
  find(".counted a").href = `find/rows?${new URLSearchParams([...state.query, ["counts", true]])}`;
  find("a.rows").href = `find/rows?${state.query}`;
  const most = Math.max(...counts.map((count) => count.number));
  find("#counts").replaceChildren(...counts.slice(0, 20).flatMap((count) => countRow(count, most)));
  find(".number").textContent = `${shown(number)} ${number === 1 ? "hit" : "hits"}`;
  announce(find(".number").textContent);
  find("[data-do=earlier]").hidden = state.offset === 0;
  find("[data-do=later]").hidden = state.offset + hits.length >= number;
  find("#hits").replaceChildren(...hits.map(hitRow));
}

function senseField(senses) {
  const options = senses.map(({ name, gloss, number }) => element("option", { value: name }, `${name} ${gloss} (${shown(number)})`));
  const field = element("select", { name: "sense" }, ...options);
  return element("label", {}, element("span", {}, element("mark", { className: "v" }, "sense")), field);
}

function linkTo(text, query) {
  return element("button", { type: "button", className: "example", onclick: () => go(query) }, text);
}

/** The question with other options. */
function changedBy({ option, value }) {
  const query = new URLSearchParams(state.query);
  option === "role" || option === "where" ? query.append(option, value) : query.set(option, value);
  return query;
}

function roleField({ role, meaning, value, style }) {
  const field = element("input", { name: role, value, spellcheck: false });
  return element("label", {}, element("span", {}, element("mark", { className: style }, role), ` ${meaning}`), field);
}

function countRow({ heads, number, examples }, most) {
  const bar = element("div", { className: "bar" });
  bar.style.width = `${(100 * number) / most}%`;
  const texts = examples.join("; ");
  return [
    element("bdi", {}, heads.join(", ")),
    element("span", { className: "times" }, shown(number)),
    bar,
    element("span", { className: "muted", title: texts }, texts),
  ];
}

/** A line of the concordance. A click opens the sentence with its picture. */
function hitRow(hit) {
  const letters = Array.from(hit.text);
  const predicate = hit.places.find(({ role }) => role === "V")?.start ?? 0;
  const left = element("span", { className: "left" }, element("bdi", {}, ...marked(hit, letters, 0, predicate)));
  const right = element("span", {}, ...marked(hit, letters, predicate, letters.length));
  const name = [hit.document, hit.sentence].filter(Boolean).join(":");
  const onclick = () => toggle(item, row, hit);
  const source = element("span", { className: "muted" }, name);
  const truth = element("span", { className: "muted", title: hit.truth }, hit.truth);
  const row = element("button", { type: "button", title: hit.text, ariaExpanded: false, onclick }, source, left, right, truth);
  const item = element("li", {}, row);
  return item;
}

/** The letters of a part of the sentence, in the colours of the roles. */
function marked({ places }, letters, first, last) {
  const found = letters.map(() => null);
  // The predicate may be in a filler.
  for (const place of [...places].reverse()) found.fill(place, place.start, place.end);
  const parts = [];
  for (let start = first, end; start < last; start = end) {
    end = start + 1;
    while (end < last && found[end] === found[start]) end += 1;
    const text = letters.slice(start, end).join("").replace(/\s/g, " ");
    const { style: className, role: title } = found[start] ?? {};
    parts.push(className ? element("mark", { className, title }, text) : text);
  }
  return parts;
}

async function toggle(item, row, hit) {
  const opened = item.querySelector(".drawn");
  row.setAttribute("aria-expanded", !opened);
  if (opened) {
    opened.remove();
    return;
  }
  const link = element("a", { href: `.#${toFragment({ text: hit.text, active: 0, sentences: [] })}` }, "Change its parse");
  const picture = element("div", { className: "drawn" }, element("p", {}, hit.text, ` (${hit.truth}) `, link));
  item.append(picture);
  try {
    const room = item.clientWidth;
    const answer = await label({ sentence: hit.text }, []);
    picture.append(fitted(await post("draw", { answer, width: room, theme: null }), room));
  } catch (error) {
    picture.append(error.message);
  }
}

/** What the frame says now, instead of the example. */
function changed() {
  const { asked, roles } = state.answer;
  const query = new URLSearchParams(asked.map((role) => ["asked", role]));
  for (const [name, value] of new FormData(find("#frame"))) {
    const isRole = roles.some(({ role }) => role === name);
    query.append(isRole ? "role" : name, isRole ? `${name}=${value.trim() || "*"}` : value);
  }
  for (const name of ["lemma", "where"]) {
    for (const value of state.query.getAll(name)) query.append(name, value);
  }
  return query;
}

function shown(number) {
  return number.toLocaleString("en");
}

/** Asks what the address says; without a question, the page is as it was opened. */
function openLink() {
  const query = new URLSearchParams(location.hash.slice(1));
  find("#question").value = query.get("question") ?? find("#question").value;
  find("[name=like]").checked = query.get("like") === "true";
  if ([...query].length > 0) {
    ask(query);
    return;
  }
  find("#answer").hidden = find(".problem").hidden = true;
  find("#question").focus();
}

/** Says how much there is, and offers questions. */
async function open() {
  try {
    const { total, examples } = await get("find/about");
    find("#total").textContent = `${shown(total)} events`;
    const links = examples.flatMap((question) => [linkTo(question, new URLSearchParams({ question })), " "]);
    find("#examples").replaceChildren(links.length > 0 ? "Try: " : "", ...links);
  } catch (error) {
    fail(error);
  }
}

function go(query) {
  // The change of the address asks.
  if (location.hash === `#${query}`) openLink();
  else location.hash = query;
}

chooseTheme(find("#theme"));
find("#ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = find("#question").value.trim();
  if (question) go(new URLSearchParams({ question }));
});
find("#frame").addEventListener("submit", (event) => {
  event.preventDefault();
  go(changed());
});
find("[data-do=earlier]").addEventListener("click", () => ask(state.query, Math.max(0, state.offset - AT_ONCE)));
find("[data-do=later]").addEventListener("click", () => ask(state.query, state.offset + AT_ONCE));
find("#frame").addEventListener("change", ({ target }) => target.matches("select, [type=checkbox]") && go(changed()));
addEventListener("hashchange", openLink);
openLink();
open();
