/*
 * Answers of the service, which are never changed in place, with what the page adds or leaves out.
 */

import { continuation, headsOf, predicatesOf } from "./edits.js";

/**
 * The answer with the relations, tags, senses and spans that a person set, if the model has not
 * kept them already: it does not answer for relations and tags, nor for what people annotated.
 * Probabilities are those of the model's own values.
 */
export function withCorrections(answer, { labels, pos, senses, roles }) {
  const found = { ...answer };
  if (Object.keys(labels).length > 0) {
    found.predicted_dependencies = answer.predicted_dependencies.map((label, token) => labels[token] ?? label);
    delete found.head_probabilities;
  }
  if (Object.keys(pos).length > 0 && answer.pos) {
    found.pos = answer.pos.map((tag, token) => pos[token] ?? tag);
    delete found.pos_probabilities;
  }
  found.verbs = answer.verbs?.map((verb) =>
    withSpans(withSense(verb, senses[verb.index]), roles[verb.index] ?? []),
  );
  return found;
}

function withSense(verb, sense) {
  if (sense === undefined || sense === verb.sense) return verb;
  const { verb: form, index, description, tags, spans, offsets, probability, span_probabilities } = verb;
  const known = { verb: form, index, description, tags, spans, offsets, sense, probability, span_probabilities };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function withSpans(verb, given) {
  const tags = [...verb.tags];
  for (const [role, first, last] of given) {
    for (let token = first; token <= last; token += 1) {
      tags[token] = role === "O" ? role : `${token === first ? "B" : "I"}-${role}`;
    }
    // The second piece of a span that was longer.
    const cut = tags[last + 1] ?? "O";
    if (!cut.startsWith("I-")) continue;
    const whole = cut.slice(2);
    const hasFirst = first > 0 && tags[first - 1].slice(2) === whole;
    const name = hasFirst ? continuation(whole) : whole;
    for (let token = last + 1; tags[token] === cut; token += 1) {
      tags[token] = `${token === last + 1 ? "B" : "I"}-${name}`;
    }
  }
  if (tags.every((tag, token) => tag === verb.tags[token])) return verb;
  const { span_probabilities: _, ...others } = verb;
  return { ...others, tags, spans: spansOfTags(tags) };
}

function spansOfTags(tags) {
  const spans = [];
  tags.forEach((tag, token) => {
    if (tag.startsWith("B-")) spans.push([tag.slice(2), token, token]);
    else if (tag.startsWith("I-")) spans.at(-1)[2] = token;
  });
  return spans;
}

/** The answer with what people annotated: the parts `given` of `own`, where they are not edited. */
export function withGiven(answer, own, edits, given) {
  const found = { ...answer };
  if (given.includes("pos")) {
    found.pos = own.pos;
    delete found.pos_probabilities;
  }
  if (given.includes("parse")) {
    found.predicted_heads = headsOf(own, edits);
    found.predicted_dependencies = own.predicted_dependencies.map((label, token) =>
      token in edits.heads ? answer.predicted_dependencies[token] : label,
    );
    delete found.head_probabilities;
  }
  if (given.includes("frames")) {
    const frames = new Map([...(answer.verbs ?? []), ...own.verbs].map((verb) => [verb.index, verb]));
    found.predicates = predicatesOf(own, edits);
    found.verbs = found.predicates.map((token) => frames.get(token)).filter(Boolean);
    delete found.predicate_probabilities;
  }
  return found;
}

/** The answer for the words of a raw text, with the places of tokens and spans in the text. */
export function withOffsets(answer, own) {
  if (!own.offsets) return answer;
  const between = ([, first, last]) => [own.offsets[first][0], own.offsets[last][1]];
  const verbs = answer.verbs?.map((verb) => ({ ...verb, offsets: verb.spans.map(between) }));
  return { ...answer, ...(verbs && { verbs }), offsets: own.offsets };
}

/** The answer without probabilities, for a picture without them. */
export function withoutProbabilities(answer) {
  const { pos_probabilities: _, head_probabilities: __, ...others } = answer;
  const verbs = answer.verbs?.map(({ probability: ___, span_probabilities: ____, ...verb }) => verb);
  return { ...others, ...(verbs && { verbs }) };
}

const ACTIVE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A word with escapes for what would change the direction of writing, or if it would be invisible. */
export function printable(word) {
  const escape = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;
  return word.replace(/[^\p{Cf}\p{Mn}]/u.test(word) ? ACTIVE : /./gu, escape);
}

/** The words of a span. */
export function textOf(answer, first, last = first) {
  return answer.words.slice(first, last + 1).map(printable).join(" ");
}

/** A probability for people: two decimals, or "" if it is unknown. */
export function decimals(probability) {
  return probability === undefined || probability === null ? "" : probability.toFixed(2);
}
