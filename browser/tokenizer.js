/*
 * Tokens and sentences of English, as lisa_allennlp/data/tokenizers/english.py and raw_text.py find
 * them. Spans are [start, end] in a string's UTF-16 units.
 */

import { fromPython, SPACE } from "./regex.js";
import { SentenceSplitter } from "./sentences.js";

const STRING = new RegExp(`[^${SPACE}]+`, "gu");
const RUN = new RegExp(`[\\p{L}\\p{N}_]{1,500}|[^\\p{L}\\p{N}_${SPACE}]{1,500}`, "gu");
const LONGEST_TOKEN = 500;

export class Tokenizer {
  /** `rules` is tokenizer.json. */
  constructor(rules) {
    this.splitter = new SentenceSplitter(rules.splitter);
    this.invisible = new RegExp(`[${rules.invisible}]`, "gu");
    this.prefix = fromPython(rules.prefix, "y");
    this.suffix = fromPython(rules.suffix);
    this.infix = fromPython(rules.infix, "g");
    this.unsplit = fromPython(wrapped(rules.unsplit));
    this.url = fromPython(rules.url, "y");
    this.cases = new Map(rules.cases.map((case_) => [case_.replaceAll(" ", ""), case_.split(" ")]));
    this.sequences = new Set(rules.sequences);
    this.lengths = new Map();
    for (const sequence of rules.sequences) {
      const words = sequence.split(" ");
      if (!this.lengths.has(words[0])) this.lengths.set(words[0], new Set());
      this.lengths.get(words[0]).add(words.length);
    }
  }

  /** The words of each sentence of a text. */
  sentences(text) {
    const visible = text.replace(this.invisible, "");
    return this.splitter.split(visible, this.tokens(visible)).map(
      (sentence) => splitLast(visible, sentence).map(([start, end]) => visible.slice(start, end)));
  }

  tokens(text) {
    const spans = [];
    let start = 0;
    for (const match of text.matchAll(STRING)) {
      if (!isTooLong(match[0])) continue;
      spans.push(...this.split(text, start, match.index));
      for (const run of match[0].matchAll(RUN)) {
        spans.push([match.index + run.index, match.index + run.index + run[0].length]);
      }
      start = match.index + match[0].length;
    }
    return [...spans, ...this.split(text, start, text.length)];
  }

  /** The tokens of a part of the text. */
  split(text, start, end) {
    const spans = [];
    for (const match of text.slice(start, end).matchAll(STRING)) {
      const offset = start + match.index;
      for (const [first, last] of this.splitString(match[0])) spans.push([offset + first, offset + last]);
    }
    return this.joinCases(text, spans);
  }

  /** The tokens of a string without white space. */
  splitString(string) {
    let [first, last] = [0, string.length];
    const ends = [];
    const suffixes = [];
    while (first < last) {
      const rest = string.slice(first, last);
      if (this.cases.has(rest) || this.unsplit.test(rest)) break;
      let prefix = length(this.prefix, rest);
      let suffix = 0;
      if (!this.cases.has(rest.slice(prefix))) {
        suffix = length(this.suffix, rest.slice(prefix));
        if (this.cases.has(rest.slice(0, rest.length - suffix))) prefix = 0;
      }
      if (prefix) ends.push(first + prefix);
      if (suffix) suffixes.push(last);
      if (!prefix && !suffix) break;
      [first, last] = [first + prefix, last - suffix];
    }
    if (first < last) ends.push(...this.endsInside(string.slice(first, last)).map((end) => first + end));
    ends.push(...suffixes.reverse());
    return ends.map((end, i) => [i ? ends[i - 1] : 0, end]);
  }

  /** The ends of the tokens of a string without prefixes and suffixes. */
  endsInside(rest) {
    if (this.cases.has(rest)) return cumulated(this.cases.get(rest), 0).slice(1);
    if (this.unsplit.test(rest) || length(this.url, rest)) return [rest.length];
    const positions = new Set([rest.length]);
    for (const match of rest.matchAll(this.infix)) {
      positions.add(match.index).add(match.index + match[0].length);
    }
    return [...positions].sort((a, b) => a - b);
  }

  /** Replaces tokens that together are a special case. Longer sequences go first, then earlier ones. */
  joinCases(text, spans) {
    const words = spans.map(([start, end]) => text.slice(start, end));
    const found = [];
    words.forEach((word, first) => {
      for (const length of this.lengths.get(word) ?? []) {
        const part = spans.slice(first, first + length);
        const gaps = part.slice(1).map(([start], i) => text.slice(part[i][1], start));
        const isSequence = this.sequences.has(words.slice(first, first + length).join(" "));
        if (part.length === length && isSequence && gaps.every((gap) => gap === "" || gap === " ")) found.push([first, first + length - 1]);
      }
    });
    const taken = new Set();
    const joined = new Map();
    for (const [first, last] of found.sort((a, b) => b[1] - b[0] - (a[1] - a[0]))) {
      const start = spans[first][0];
      const parts = this.cases.get(text.slice(start, spans[last][1]));
      const isFree = parts && !taken.has(first) && !taken.has(last);
      for (let i = first; i <= last; i++) {
        taken.add(i);
        if (isFree) joined.set(i, []);
      }
      if (isFree) {
        const ends = cumulated(parts, start);
        joined.set(first, ends.slice(1).map((end, i) => [ends[i], end]));
      }
    }
    return spans.flatMap((span, i) => joined.get(i) ?? [span]);
  }
}

/** An expression for whole strings. A flag stays at the beginning. */
function wrapped(source) {
  const [flag] = source.match(/^(\(\?[iu]\))?/);
  return `${flag}^(?:${source.slice(flag.length)})$`;
}

function length(expression, string) {
  expression.lastIndex = 0;
  return expression.exec(string)?.[0].length ?? 0;
}

function cumulated(parts, start) {
  const ends = [start];
  for (const part of parts) ends.push(ends.at(-1) + part.length);
  return ends;
}

/** Makes the full stop after an abbreviation at the end of a sentence a token. */
function splitLast(text, sentence) {
  const [start, end] = sentence.at(-1);
  if (!/\p{L}\.$/u.test(text.slice(start, end))) return sentence;
  return [...sentence.slice(0, -1), [start, end - 1], [end - 1, end]];
}

/** Whether a string is so long, or has so many marks, that runs of letters and marks are its tokens. */
function isTooLong(string) {
  const length = [...string].length;
  const letters = string.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return length >= 50 && length > Math.min(LONGEST_TOKEN, 2 * letters);
}
