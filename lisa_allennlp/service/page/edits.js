/*
 * The edits of a sentence: the heads, predicates, relations, tags, senses and roles that a person
 * chose instead of those it had, and whether a person has accepted it. Tokens are 0-based; heads are
 * 1-based, 0 for the root, as in the service's JSON. The roles of a predicate are spans, lists of
 * role, first and last word, that do not overlap; the role "O" is for words without a role. Edits
 * are values: every function returns new ones.
 */

const NOTHING = { heads: {}, predicates: {}, labels: {}, pos: {}, senses: {}, roles: {} };

export const NO_EDITS = Object.freeze({ ...NOTHING, accepted: false });

/** Whether nothing is edited. */
export function isUnedited(edits) {
  return Object.values(edits).every((part) => Object.keys(part).length === 0);
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

/** Edits with a tag of a token. */
export function withTag(edits, own, token, tag) {
  return { ...edits, pos: changed(edits.pos, token, tag, own.pos?.[token]) };
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

/** Spans with another one, in text order. Spans lose the words that it takes. */
function added(spans, [role, first, last]) {
  const rest = spans.flatMap(([other, start, end]) => [
    [other, start, Math.min(end, first - 1)],
    [other === "O" || start >= first ? other : continuation(other), Math.max(start, last + 1), end],
  ]);
  return [...rest.filter(([, start, end]) => start <= end), [role, first, last]].sort((a, b) => a[1] - b[1]);
}

/** The role of the second piece of a span. */
export function continuation(role) {
  return role.startsWith("C-") ? role : `C-${role}`;
}

/** Edits with a chosen relation for the arc of a token, or the model's without one. */
export function withLabel(edits, token, label) {
  return { ...edits, labels: changed(edits.labels, token, label) };
}

/** Given edits, such as those of a link, without what the model has anyway; `null` if they do not fit. */
export function fitted(own, { words, edits }) {
  const hasParse = Boolean(own.predicted_heads && own.verbs);
  const changesParse = Object.keys({ ...edits.heads, ...edits.labels }).length > 0;
  if (words !== own.words.length || (changesParse && !hasParse)) return null;
  const changesRoles = Object.keys({ ...edits.predicates, ...edits.senses, ...edits.roles }).length > 0;
  if (changesRoles && !own.verbs) return null;
  let found = NO_EDITS;
  const apply = (values, change) => {
    for (const [token, value] of Object.entries(values)) found = change(found, Number(token), value);
  };
  apply(edits.heads, (before, token, head) => withHead(before, own, token, head));
  apply(edits.predicates, (before, token, is) => withPredicate(before, own, token, is));
  apply(edits.labels, withLabel);
  apply(edits.pos, (before, token, tag) => withTag(before, own, token, tag));
  apply(edits.senses, (before, token, sense) => withSense(before, own, token, sense));
  apply(edits.roles, (before, token, spans) =>
    spans.reduce((edits, span) => withSpan(edits, own, token, span), before));
  return found;
}

/**
 * What to ask of the service. Relations and tags never enter the network, so they are not sent.
 * `given` has the parts of `own` that people annotated; these are sent as they are.
 */
export function requestFor(own, edits, given = []) {
  const request = { tokens: own.words };
  if (Object.keys(edits.heads).length > 0 || given.includes("parse")) {
    request.head_indices = headsOf(own, edits);
    if (findCycle(request.head_indices)) request.allow_cycles = true;
  }
  if (Object.keys(edits.predicates).length > 0 || given.includes("frames")) {
    request.predicates = predicatesOf(own, edits);
  }
  // What people annotated may have roles that the model does not know, and needs no answer.
  const isAsked = (token) => !(given.includes("frames") && own.predicates.includes(token));
  const edited = Object.keys({ ...edits.senses, ...edits.roles }).map(Number);
  const known = edited.filter(isAsked).sort((a, b) => a - b);
  if (known.length > 0) {
    request.given_roles = known.map((index) => ({
      index,
      ...(edits.senses[index] && { sense: edits.senses[index] }),
      ...(edits.roles[index] && { spans: edits.roles[index] }),
    }));
  }
  return request;
}

/** Whether the model has to answer: not for tags, relations and what is annotated already. */
export function needsModel(edits, given = []) {
  const { heads, predicates, senses, roles } = edits;
  if (!given.includes("frames")) return !isUnedited({ heads, predicates, senses, roles });
  return Object.keys(heads).length > 0 || Object.values(predicates).includes(true);
}

/** The key `corrections` of a record. */
export function correctionsOf({ accepted, ...edits }) {
  const known = Object.entries(edits).filter(([, values]) => Object.keys(values).length > 0);
  return { accepted, ...Object.fromEntries(known) };
}

/** The edits of a record with `corrections`; none for `null`. */
export function editsOf(record) {
  const { number: _, ...known } = record?.corrections ?? {};
  return { ...NO_EDITS, ...known };
}

/** The tokens of a cycle, each followed by its head; `null` if there is none. */
export function findCycle(heads) {
  const seenFrom = heads.map(() => -1);
  for (let start = 0; start < heads.length; start += 1) {
    let token = start;
    while (token >= 0 && seenFrom[token] < 0) {
      seenFrom[token] = start;
      token = heads[token] - 1;
    }
    if (token >= 0 && seenFrom[token] === start) {
      const cycle = [token];
      while (heads[cycle.at(-1)] - 1 !== token) cycle.push(heads[cycle.at(-1)] - 1);
      return cycle;
    }
  }
  return null;
}

function changed(values, token, value, ownValue) {
  const { [token]: _, ...others } = values;
  return value === undefined || value === ownValue ? others : { ...others, [token]: value };
}
