/*
 * What differs between the model's own reading of a sentence and the reading of an edited parse.
 * Each difference has `before` and `after`; one of them is `null` for what is gone or new.
 */

import { decimals, printable, textOf } from "./answers.js";

/** Changes of probability below this are not worth telling. */
const NOTABLE = 0.1;

/** The arcs that differ: `{token, before: {head, label}, after: {head, label}}`. */
export function arcDifferences(own, drawn) {
  const arc = (answer, token) => ({
    head: answer.predicted_heads[token],
    label: answer.predicted_dependencies[token],
  });
  if (!own.predicted_heads) return [];
  return own.words
    .map((_, token) => ({ token, before: arc(own, token), after: arc(drawn, token) }))
    .filter(({ before, after }) => before.head !== after.head || before.label !== after.label);
}

/** The tags that differ, `{token, name, before, after}`, and where they do not, universal tags and lemmas. */
export function tagDifferences(own, drawn) {
  const pairs = (part, name) => (own[part] ?? []).map((before, token) => ({ token, name, before, after: drawn[part]?.[token] ?? before }));
  const found = (part, name) => pairs(part, name).filter(({ before, after }) => before !== after);
  const tags = found("pos", "tag");
  const others = [...found("upos", "universal tag"), ...found("lemmas", "lemma")];
  return [...tags, ...others.filter(({ token }) => !tags.some((tag) => tag.token === token))];
}

/**
 * The frames that differ, in the order of their predicates: `{predicate, before, after, spans}`,
 * where `before` and `after` are the frames, and each of `spans` is `{before, after}` of
 * `{role, first, last, probability}`.
 */
export function frameDifferences(own, drawn) {
  const before = byPredicate(own);
  const after = byPredicate(drawn);
  const predicates = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return predicates
    .map((predicate) => {
      const pair = { predicate, before: before.get(predicate) ?? null, after: after.get(predicate) ?? null };
      const spans = pair.before && pair.after ? spanDifferences(pair.before, pair.after) : [];
      return { ...pair, spans };
    })
    .filter(({ before, after, spans }) => !before || !after || before.sense !== after.sense || spans.length > 0);
}

/** The name of a part of a reading: of an arc, a role span, or a predicate, which is also a word. */
export function keyOf({ dependent, token, predicate, role, first, last }) {
  if (dependent !== undefined) return `arc ${dependent}`;
  if (role === undefined || role === "V") return `predicate ${predicate ?? token}`;
  return `span ${predicate} ${role} ${first} ${last}`;
}

/** The role spans of a frame, without the predicate itself. */
export function spansOf(verb) {
  return verb.spans
    .map(([role, first, last], place) => ({
      role, first, last, probability: verb.span_probabilities?.[place],
    }))
    .filter(({ role }) => role !== "V");
}

function byPredicate(answer) {
  return new Map((answer.verbs ?? []).map((verb) => [verb.index, verb]));
}

function spanDifferences(before, after) {
  const gone = spansOf(before);
  const found = spansOf(after);
  const pairs = [];
  const pairUp = (matches) => {
    for (const one of [...gone]) {
      const place = found.findIndex((other) => matches(one, other));
      if (place < 0) continue;
      pairs.push({ before: one, after: found[place] });
      gone.splice(gone.indexOf(one), 1);
      found.splice(place, 1);
    }
  };
  const sameWords = (one, other) => one.first === other.first && one.last === other.last;
  pairUp((one, other) => sameWords(one, other) && one.role === other.role);
  pairUp(sameWords);
  pairUp((one, other) => one.role === other.role && one.first <= other.last && other.first <= one.last);
  return [
    ...pairs.filter((pair) => !isSame(pair)),
    ...gone.map((span) => ({ before: span, after: null })),
    ...found.map((span) => ({ before: null, after: span })),
  ];
}

function isSame({ before, after }) {
  const isEqual = before.role === after.role && before.first === after.first && before.last === after.last;
  return isEqual && !(Math.abs(before.probability - after.probability) >= NOTABLE);
}

/** A frame's differences: for each, a text and the keys of what it is about. */
export function describeFrame({ predicate, before, after, spans }, own) {
  const verb = `“${textOf(own, predicate)}”`;
  const item = (text, ...found) => {
    const keys = found.filter(Boolean).map((span) => keyOf({ predicate, ...span }));
    return { text, keys, of: keyOf({ predicate }) };
  };
  if (!after) return [item(`${verb} is no predicate any more`, ...spansOf(before))];
  if (!before) {
    const roles = spansOf(after);
    const names = roles.map((span) => shown(span, own)).join(", ");
    return [item(`${verb} is a predicate now: ${names || "no roles"}`, ...roles)];
  }
  const sense = before.sense === after.sense ? [] : [item(`${verb}: ${before.sense} → ${after.sense}`)];
  const roles = spans.map((pair) => item(`${verb}: ${describeSpan(pair, own)}`, pair.before, pair.after));
  return [...sense, ...roles];
}

function describeSpan({ before, after }, own) {
  if (!after) return `${shown(before, own)} is gone`;
  if (!before) return `${shown(after, own)} is new`;
  const probability = (span) => (span.probability === undefined ? "" : ` ${decimals(span.probability)}`);
  const words = (span) => `“${textOf(own, span.first, span.last)}”`;
  if (before.first !== after.first || before.last !== after.last) {
    return `${before.role} ${words(before)}${probability(before)} → ${words(after)}${probability(after)}`;
  }
  if (before.role !== after.role) {
    return `${words(before)} ${before.role}${probability(before)} → ${after.role}${probability(after)}`;
  }
  return `${before.role} ${words(before)} is ${
    after.probability > before.probability ? "more" : "less"
  } probable:${probability(before)} → ${decimals(after.probability)}`;
}

function shown(span, own) {
  const probability = decimals(span.probability);
  return `${span.role} “${textOf(own, span.first, span.last)}”${probability && ` ${probability}`}`;
}

/** A tag's difference, in the same way. */
export function describeTag({ token, name, before, after }, own) {
  return { text: `“${textOf(own, token)}”: ${name} ${printable(before)} → ${printable(after)}`, keys: [keyOf({ token })] };
}

/** An arc's difference, in the same way. */
export function describeArc({ token, before, after }, own) {
  const head = (arc) => (arc.head === 0 ? "the root" : `“${textOf(own, arc.head - 1)}”`);
  const text =
    before.head === after.head
      ? `relation ${before.label} → ${after.label}`
      : `head ${head(before)} (${before.label}) → ${head(after)} (${after.label})`;
  return { text: `“${textOf(own, token)}”: ${text}`, keys: [keyOf({ dependent: token + 1 })] };
}
