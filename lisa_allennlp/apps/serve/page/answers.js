/* Texts of answers, for people. */

const BRACKETS = { LRB: "(", RRB: ")", LSB: "[", RSB: "]", LCB: "{", RCB: "}" };
const ACTIVE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A word with `(` for `-LRB-`, and with escapes for what would change the direction of writing or be
 * invisible; what only marks a letter gets the circle that stands for one.
 */
export function printable(word) {
  word = word.replace(/-([LR][RSC]B)-/g, (_, name) => BRACKETS[name]);
  if (/^\p{Mn}+$/u.test(word)) return `◌${word}`;
  const escape = (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;
  return word.replace(/[^\p{Cf}\p{Mn}]/u.test(word) ? ACTIVE : /./gu, escape);
}

/** The words of a span, without blanks between those that touch in the text. */
export function textOf({ words, offsets }, first, last = first) {
  const hasBlank = (token) => token > first && offsets?.[token - 1][1] !== (offsets?.[token][0] ?? null);
  return words.slice(first, last + 1).map((word, place) => (hasBlank(first + place) ? " " : "") + printable(word)).join("");
}

/** What was and what is, with the arrow to the right also between words that are written to the left. */
export function change(before, after) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(`${before}${after}`) ? `${isolated(before)} → ${isolated(after)}` : `${before} → ${after}`;
}

// The number of a sense is on the right of its lemma, too.
const isolated = (text) => `\u2066${text.replace(/\.(?=\d)/g, "\u200e.")}\u2069`;

/** A probability for people: two decimals, or "" if it is unknown. */
export function decimals(probability) {
  return probability === undefined || probability === null ? "" : probability.toFixed(2);
}
