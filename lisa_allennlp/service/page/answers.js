/*
 * Answers of the service, which are never changed in place, with what the page adds or leaves out.
 */

/** The answer with the relations that a person chose. */
export function withLabels(answer, labels) {
  if (Object.keys(labels).length === 0) return answer;
  // The probabilities are those of the model's own relations.
  const { head_probabilities: _, ...others } = answer;
  const relations = answer.predicted_dependencies.map((label, token) => labels[token] ?? label);
  return { ...others, predicted_dependencies: relations };
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
