/*
 * The edits of a sentence: the heads, predicates, relations, tags, lemmas, senses and roles that a
 * person chose instead of those it had, whether a person has accepted it, and a comment. Tokens are 0-based; heads are
 * 1-based, 0 for the root, as in the service's JSON. The roles of a predicate are spans, lists of
 * role, first and last word, that do not overlap; the role "O" is for words without a role. Edits
 * are values: every function returns new ones.
 */

const NOTHING = { heads: {}, predicates: {}, labels: {}, pos: {}, senses: {}, roles: {}, upos: {}, lemmas: {} };

export const NO_EDITS = Object.freeze({ ...NOTHING, accepted: false, comment: "" });

/** Whether nothing is edited. A comment is no edit. */
export function isUnedited(edits) {
  return Object.keys(correctionsOf({ ...edits, comment: "" })).length === 0;
}

/** The heads, one per token. */
export function headsOf(own, edits) {
  return own.predicted_heads.map((head, token) => edits.heads[token] ?? head);
}

/** The positions of the predicates, in order. */
export function predicatesOf(own, edits) {
  const known = new Set(own.predicates ?? []);
  return own.words.map((_, token) => token).filter((token) => edits.predicates[token] ?? known.has(token));
}

/** Edits with another head for a token. A relation chosen for its old arc is forgotten. */
export function withHead(edits, own, token, head) {
  if (head === token + 1 || head === headsOf(own, edits)[token]) return edits;
  const heads = changed(edits.heads, token, head, own.predicted_heads[token]);
  return { ...edits, heads, labels: changed(edits.labels, token) };
}

/** Edits in which a token is a predicate, or is not and has no sense and no roles. */
export function withPredicate(edits, own, token, isPredicate) {
  const ownValue = (own.predicates ?? []).includes(token);
  const predicates = changed(edits.predicates, token, isPredicate, ownValue);
  if (isPredicate) return { ...edits, predicates };
  const [senses, roles] = [changed(edits.senses, token), changed(edits.roles, token)];
  return { ...edits, predicates, senses, roles };
}

/** Edits with a tag of a token ("pos" or "upos"), or its lemma ("lemmas"). */
export function withValue(edits, own, part, token, value) {
  return { ...edits, [part]: changed(edits[part], token, value, own[part]?.[token]) };
}

/** Edits with the roleset of a token, which is a predicate. */
export function withSense(edits, own, token, sense) {
  const found = withPredicate(edits, own, token, true);
  return { ...found, senses: { ...found.senses, [token]: sense } };
}

/** Edits with a span of a predicate, perhaps in place of an old one, whose other words have no role. */
export function withSpan(edits, own, predicate, span, old = null) {
  const [, first, last] = span;
  if (first <= predicate && predicate <= last) return edits;
  const found = withPredicate(edits, own, predicate, true);
  let spans = found.roles[predicate] ?? [];
  if (old) spans = added(spans, ["O", old[1], old[2]]);
  return { ...found, roles: { ...found.roles, [predicate]: added(spans, span) } };
}

/** Spans with another one, in text order. Spans lose the words that it takes; a second piece continues. */
function added(spans, [role, first, last]) {
  const rest = spans.flatMap(([other, start, end]) => [
    [other, start, Math.min(end, first - 1)],
    [other === "O" || other.startsWith("C-") || start >= first ? other : `C-${other}`, Math.max(start, last + 1), end],
  ]);
  return [...rest.filter(([, start, end]) => start <= end), [role, first, last]].sort((a, b) => a[1] - b[1]);
}

/** Edits with a chosen relation for the arc of a token. */
export function withLabel(edits, own, token, label) {
  const ownLabel = token in edits.heads ? undefined : own.predicted_dependencies[token];
  return { ...edits, labels: changed(edits.labels, token, label, ownLabel) };
}

/** Whether edits, such as those of a link, fit a sentence. */
export function fits(own, { words, edits }) {
  const parts = [[own.predicted_heads, edits.heads, edits.labels], [own.verbs, edits.predicates, edits.senses, edits.roles], [own.upos, edits.upos], [own.lemmas, edits.lemmas]];
  const isMissing = ([part, ...values]) => !part && values.some((one) => Object.keys(one).length > 0);
  return words === own.words.length && !parts.some(isMissing);
}

/** What is edited, as the key `corrections` of a record has it. */
export function correctionsOf(edits) {
  return Object.fromEntries(Object.entries(edits).filter(([, values]) => Object.keys(values).length > 0));
}

/** The edits of a record with `corrections`; none for `null`. */
export function editsOf(record) {
  const { number: _, ...known } = record?.corrections ?? {};
  return { ...NO_EDITS, ...known };
}

/** Edits with the corrections of a record, in place of those of the same words. */
export function withCorrections(edits, corrections) {
  const found = { ...edits };
  for (const [key, values] of Object.entries(corrections)) {
    for (const [token, value] of Object.entries(values)) {
      const spans = key === "roles" && value.reduce(added, edits.roles[token] ?? []);
      found[key] = { ...found[key], [token]: spans || value };
      if (value === false) [found.senses, found.roles] = [changed(found.senses, token), changed(found.roles, token)];
    }
  }
  return found;
}

/** Whether edits have the corrections of a record, or some of the same words. */
export function haveCorrections(edits, corrections) {
  return valuesOf(edits, corrections).every(([known, value]) => JSON.stringify(known) === JSON.stringify(value));
}

export function haveOthers(edits, corrections) {
  return valuesOf(edits, corrections).some(([known]) => known !== undefined);
}

/** Pairs of what edits have where corrections have a value, and this value. */
function valuesOf(edits, corrections) {
  const pairs = Object.entries(corrections).flatMap(([key, values]) => Object.entries(values).map(([token, value]) => [key, edits[key][token], value]));
  return pairs.flatMap(([key, known, value]) => {
    if (key !== "roles") return [[known, value]];
    return value.map((span) => [known?.find(([, first, last]) => first <= span[2] && span[1] <= last), span]);
  });
}

function changed(values, token, value, ownValue) {
  const { [token]: _, ...others } = values;
  return value === undefined || value === ownValue ? others : { ...others, [token]: value };
}
