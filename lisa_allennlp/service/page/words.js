/*
 * Words with their tags, heads and roles as sentences, which screen readers say.
 */

import { textOf } from "./answers.js";
import { spansOf } from "./differences.js";

/** What the tags of the Penn Treebank mean, by the start of the tag; the longest start counts. */
const TAGS = {
  CC: "conjunction", CD: "number", DT: "determiner", EX: "existential there", FW: "foreign word",
  IN: "preposition", JJ: "adjective", MD: "modal verb", NN: "noun", NNP: "name", PDT: "determiner",
  POS: "possessive ending", PRP: "pronoun", RB: "adverb", RP: "particle", SYM: "symbol", TO: "to",
  UH: "interjection", VB: "verb", WDT: "determiner", WP: "pronoun", WRB: "adverb",
};

/** All that is known of a word, such as "verb, predicate sell.01, head: root". */
export function describeWord(answer, token) {
  const parts = tag(answer.pos?.[token]);
  const verb = answer.verbs?.find(({ index }) => index === token);
  if (verb) parts.push(`predicate${verb.sense ? ` ${verb.sense}` : ""}`);
  if (answer.predicted_heads) parts.push(describeHead(answer, token));
  if (verb) parts.push(...frame(answer, verb));
  for (const other of answer.verbs ?? []) {
    const span = spansOf(other).find(({ first, last }) => first <= token && token <= last);
    if (span) parts.push(`${span.role} of ${answer.words[other.index]}`);
  }
  return parts.join(", ");
}

/** The head of a word and its relation: "nsubj of sold" or "head: root". */
function describeHead(answer, token) {
  const head = answer.predicted_heads[token];
  const label = answer.predicted_dependencies[token];
  if (head > 0) return `${label} of ${answer.words[head - 1]}`;
  return label === "root" ? "head: root" : `head: root, ${label}`;
}

/** A cycle, such as "3 (him) → 5 (car) → 3 (him)". */
export function describeCycle(cycle, words) {
  return [...cycle, cycle[0]].map((token) => `${token + 1} (${words[token]})`).join(" → ");
}

function tag(name) {
  if (!name) return [];
  const start = Object.keys(TAGS).filter((key) => name.startsWith(key)).sort((a, b) => b.length - a.length)[0];
  return start ? [TAGS[start]] : [];
}

function frame(answer, verb) {
  const roles = spansOf(verb).map(({ role, first, last }) => `${role} ${textOf(answer, first, last)}`);
  return roles.length > 0 ? [`roles: ${roles.join("; ")}`] : [];
}
