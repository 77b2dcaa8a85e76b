/* What differs between the model's own reading of a sentence and the reading of an edited parse. */

import { change, decimals, printable, textOf } from "./answers.js";

/** Changes of probability below this are not worth telling. */
const NOTABLE = 0.1;

/**
 * What differs in two readings: texts for people, with the keys of what each is about. Tags and arcs
 * come first; universal tags and lemmas are told where the tag does not say as much.
 */
export function changesOf(own, drawn) {
  const tags = labelChanges(own, drawn, "pos", "tag");
  const isNew = ({ keys: [key] }) => !tags.some((tag) => tag.keys[0] === key);
  const others = [...labelChanges(own, drawn, "upos", "universal tag"), ...labelChanges(own, drawn, "lemmas", "lemma")];
  return { arcs: [...tags, ...others.filter(isNew), ...arcChanges(own, drawn)], roles: frameChanges(own, drawn) };
}

function labelChanges(own, drawn, part, name) {
  return (own[part] ?? []).flatMap((before, token) => {
    const after = drawn[part]?.[token] ?? before;
    if (before === after) return [];
    return [{ text: `“${textOf(own, token)}”: ${name} ${change(printable(before), printable(after))}`, keys: [keyOf({ token })] }];
  });
}

function arcChanges(own, drawn) {
  if (!own.predicted_heads) return [];
  const head = (place) => (place === 0 ? "the root" : `“${textOf(own, place - 1)}”`);
  return own.words.flatMap((_, token) => {
    const [before, after] = [own, drawn].map(({ predicted_heads: heads, predicted_dependencies: labels }) => [heads[token], labels[token]]);
    if (before.join() === after.join()) return [];
    const told = ([place, label]) => `${head(place)} (${label})`;
    const text = before[0] === after[0] ? `relation ${change(before[1], after[1])}` : `head ${change(told(before), told(after))}`;
    return [{ text: `“${textOf(own, token)}”: ${text}`, keys: [keyOf({ dependent: token + 1 })] }];
  });
}

function frameChanges(own, drawn) {
  const [before, after] = [own, drawn].map(({ verbs = [] }) => new Map(verbs.map((verb) => [verb.index, verb])));
  const predicates = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return predicates.flatMap((predicate) => describeFrame(predicate, before.get(predicate), after.get(predicate), own));
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

/** Pairs of spans, `{before, after}`; one of them is `null` for what is gone or new. */
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

function describeFrame(predicate, before, after, own) {
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
  const sense = before.sense === after.sense ? [] : [item(`${verb}: ${change(before.sense, after.sense)}`)];
  const roles = spanDifferences(before, after).map((pair) => item(`${verb}: ${describeSpan(pair, own)}`, pair.before, pair.after));
  return [...sense, ...roles];
}

function describeSpan({ before, after }, own) {
  if (!after) return `${shown(before, own)} is gone`;
  if (!before) return `${shown(after, own)} is new`;
  const probability = (span) => (span.probability === undefined ? "" : ` ${decimals(span.probability)}`);
  const words = (span) => `“${textOf(own, span.first, span.last)}”`;
  if (before.first !== after.first || before.last !== after.last) {
    return `${before.role} ${change(words(before) + probability(before), words(after) + probability(after))}`;
  }
  if (before.role !== after.role) {
    return `${words(before)} ${change(before.role + probability(before), after.role + probability(after))}`;
  }
  return `${before.role} ${words(before)} is ${
    after.probability > before.probability ? "more" : "less"
  } probable:${probability(before)} → ${decimals(after.probability)}`;
}

function shown(span, own) {
  const probability = decimals(span.probability);
  return `${span.role} “${textOf(own, span.first, span.last)}”${probability && ` ${probability}`}`;
}
