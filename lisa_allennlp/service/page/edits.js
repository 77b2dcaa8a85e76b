/*
 * The edits of a sentence: the heads, predicates and relations that a person chose instead of the
 * model's own. Tokens are 0-based; heads are 1-based, 0 for the root, as in the service's JSON.
 * Edits are values: every function returns new ones.
 */

export const NO_EDITS = Object.freeze({ heads: {}, predicates: {}, labels: {} });

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

/** Edits in which a token is a predicate, or is not. */
export function withPredicate(edits, own, token, isPredicate) {
  const ownValue = (own.predicates ?? []).includes(token);
  return { ...edits, predicates: changed(edits.predicates, token, isPredicate, ownValue) };
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
  if (Object.keys(edits.predicates).length > 0 && !own.verbs) return null;
  let found = NO_EDITS;
  const apply = (values, change) => {
    for (const [token, value] of Object.entries(values)) found = change(found, Number(token), value);
  };
  apply(edits.heads, (before, token, head) => withHead(before, own, token, head));
  apply(edits.predicates, (before, token, is) => withPredicate(before, own, token, is));
  apply(edits.labels, withLabel);
  return found;
}

/** What to ask of the service. Relations never enter the network, so they are not sent. */
export function requestFor(own, edits) {
  const request = { tokens: own.words };
  if (Object.keys(edits.heads).length > 0) {
    request.head_indices = headsOf(own, edits);
    if (findCycle(request.head_indices)) request.allow_cycles = true;
  }
  if (Object.keys(edits.predicates).length > 0) request.predicates = predicatesOf(own, edits);
  return request;
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
