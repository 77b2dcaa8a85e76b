/*
 * Texts of answers, for people.
 */

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
