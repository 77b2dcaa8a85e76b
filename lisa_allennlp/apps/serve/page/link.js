/*
 * A link that reopens a text and its edits. All of it is in the fragment, which browsers do not
 * send: `text=...&at=0&edit=0.10;h8.2,2.0;p1.0;l8.obl` is, for sentence 0 of 10 words, the heads,
 * predicates (1 or 0), relations, tags (t), senses (s), universal tags (u) and lemmas (m) of tokens, and the roles (r) of predicates. What is read is checked, since anyone can write one.
 */

/** Browsers and mail programs accept links of this length. */
export const MOST_CHARACTERS = 16000;

const EDIT = /^(\d{1,6})\.(\d{1,4})((?:;[hpltsumr][^;]*)*)$/;
/** The letters of labels: their part of the edits, and what is expected. */
const LABELS = { l: ["labels", "a relation"], t: ["pos", "a tag"], s: ["senses", "a sense"], u: ["upos", "a universal tag"], m: ["lemmas", "a lemma"] };
const MOST_LABEL = 60;

/** The fragment, without `#`, for a text and the edits of its sentences. */
export function toFragment({ text, active, sentences }) {
  const fields = new URLSearchParams({ text });
  if (active > 0) fields.set("at", active);
  sentences.forEach(({ words, edits }, number) => {
    const parts = [
      part("h", edits.heads),
      part("p", edits.predicates, (isPredicate) => (isPredicate ? 1 : 0)),
      ...Object.entries(LABELS).map(([letter, [name]]) => part(letter, edits[name], encodeURIComponent)),
      part("r", edits.roles, (spans) => spans.map(([role, ...words]) => [encodeURIComponent(role), ...words].join(":")).join("+")),
    ].join("");
    if (parts) fields.append("edit", `${number}.${words}${parts}`);
  });
  return fields.toString();
}

/**
 * The reverse: `{text, active, sentences}`, where `sentences` is a map from numbers to
 * `{words, edits}`; `null` without a text. Throws an `Error` of one line.
 */
export function fromFragment(fragment) {
  const fields = new URLSearchParams(fragment);
  const text = fields.get("text");
  if (!text) return null;
  const active = fields.get("at") ?? "0";
  if (!/^\d{1,6}$/.test(active)) fail(active, "a sentence number");
  const sentences = new Map(fields.getAll("edit").map(readEdit));
  return { text, active: Number(active), sentences };
}

function part(letter, values, write = String) {
  const items = Object.entries(values).map(([token, value]) => `${token}.${write(value)}`);
  return items.length > 0 ? `;${letter}${items.join(",")}` : "";
}

function readEdit(edit) {
  const [, number, words, parts] = EDIT.exec(edit) ?? fail(edit, "such as 0.10;h8.2");
  const edits = { heads: {}, predicates: {}, labels: {}, pos: {}, senses: {}, roles: {}, upos: {}, lemmas: {} };
  for (const item of parts.split(";").slice(1)) {
    for (const pair of item.slice(1).split(",")) {
      const [, token, value] = /^(\d{1,4})\.(.+)$/s.exec(pair) ?? fail(pair, "TOKEN.VALUE");
      if (Number(token) >= Number(words)) fail(pair, `a token below ${words}`);
      const [label, expected] = LABELS[item[0]] ?? [];
      if (label) edits[label][token] = named(value, expected);
      else read[item[0]](edits, Number(token), value, Number(words));
    }
  }
  return [Number(number), { words: Number(words), edits }];
}

const read = {
  h(edits, token, value, words) {
    const isHead = /^\d{1,4}$/.test(value) && Number(value) <= words && Number(value) !== token + 1;
    edits.heads[token] = isHead ? Number(value) : fail(value, `a head of token ${token}`);
  },
  p(edits, token, value) {
    edits.predicates[token] = /^[01]$/.test(value) ? value === "1" : fail(value, "1 or 0");
  },
  r(edits, token, value, words) {
    edits.roles[token] = value.split("+").map((span) => {
      const [, role, first, last] = /^([^:]+):(\d{1,4}):(\d{1,4})$/.exec(span) ?? fail(span, "ROLE:FIRST:LAST");
      if (Number(first) > Number(last) || Number(last) >= words) fail(span, `words below ${words}`);
      return [named(role, "a role"), Number(first), Number(last)];
    });
  },
};

function named(value, expected) {
  try {
    const name = decodeURIComponent(value);
    if (name.length <= MOST_LABEL) return name;
  } catch {
    // It is refused as one that is too long.
  }
  return fail(value, expected);
}

function fail(found, expected) {
  const shown = JSON.stringify(found.length > 40 ? `${found.slice(0, 40)}...` : found);
  throw new Error(`found ${shown}; expected ${expected}`);
}
