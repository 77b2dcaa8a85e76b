/*
 * The sentences of a text, as lisa_allennlp/data/tokenizers/sentence_splitter.py finds them.
 */

import { SPACE } from "./regex.js";

const TERMINAL = /[.?!…。！？]$/u;
const FINAL = /^(?:\.|[.?!…。！？]*[?!。！？][.?!…。！？]*)$/u;
const ELLIPSIS = /^(?:\.{2,}|…+\.*)$/u;
const EMOTICON = /^(?:[:;=8xX][-'o^]?[)(\]\[DPp3/|*]+|[(][:;=]|<3+|\^_*\^)$/u;
const ITEM = /^(?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{2,4})$/u;
const CONTINUATION = /^[,;:.?!%)\]}]/u;
const UPPER = /^\p{Uppercase}/u;
const LOWER = /^\p{Lowercase}/u;
const MOST_CLOSERS = 5;

const LINE = /([^\n\r\v\f\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x85\u2028\u2029]|$)/gu;
const END_SPACE = new RegExp(`[${SPACE}]+$`, "u");
const FIRST_WORD = new RegExp(`[^${SPACE}]+`, "u");
const [NARROWEST, WIDEST] = [50, 100];

/** The tokens of each sentence. `rules` has the lists of titles, starters and closers. */
export function splitSentences(text, spans, rules) {
  const words = spans.map(([start, end]) => text.slice(start, end));
  const starts = firstTokens(paragraphEnds(text), spans);
  const areAdjacent = (position) => spans[position][1] === spans[position + 1][0];
  const isMark = (word) => TERMINAL.test(word) || EMOTICON.test(word);

  /** The position after a terminal and what belongs to it, in the same paragraph. */
  function afterClosers(position) {
    let after = position + 1;
    const end = Math.min(after + MOST_CLOSERS, words.length);
    while (after < end && !starts.has(after)) {
      const isCloser = rules.closers.includes(words[after]) && areAdjacent(after - 1);
      if (!isCloser && !EMOTICON.test(words[after])) break;
      after++;
    }
    return after;
  }

  /** Whether the full stop at a position follows the number of a list's item. */
  function isItem(first, position) {
    const startsItem = position === first + 1 || [":", '"', "*", "(", "-"].includes(words[position - 2]);
    return startsItem && ITEM.test(words[position - 1]) && areAdjacent(position - 1);
  }

  /** Whether a sentence ends with the terminal at a position and its closers. */
  function isFinal(first, position, after) {
    const [word, following] = [words[position], words[after]];
    const beginsWithCapital = UPPER.test(following);
    if (FINAL.test(word)) {
      if (word === "." && isItem(first, position)) return false;
      if (words[position - 1] === "." && word === ".") return beginsWithCapital;
      if (after > position + 1) return !LOWER.test(following);
      if (areAdjacent(position)) return beginsWithCapital || word !== ".";
      return !CONTINUATION.test(following);
    }
    if (ELLIPSIS.test(word)) return beginsWithCapital;
    if (areAdjacent(after - 1)) return false;
    if (word.endsWith(".")) return rules.starters.includes(following) && !rules.titles.includes(word);
    return beginsWithCapital;
  }

  const sentences = [];
  let first = 0;
  for (let position = 0; position < words.length; position++) {
    if (position < first) continue;
    const endsByMark = isMark(words[position]);
    const after = endsByMark ? afterClosers(position) : position + 1;
    const isEnd = after === words.length || starts.has(after);
    if (isEnd || (endsByMark && position > first && isFinal(first, position, after))) {
      sentences.push(spans.slice(first, after));
      first = after;
    }
  }
  return sentences;
}

/** The position of the first token after each of the paragraphs' ends. */
function firstTokens(ends, spans) {
  const positions = new Set();
  let token = 0;
  for (const end of ends) {
    while (token < spans.length && spans[token][0] < end) token++;
    positions.add(token);
  }
  return positions;
}

/** The ends of all paragraphs but the last. */
function paragraphEnds(text) {
  const ends = [];
  let block = [];
  for (const line of text.matchAll(LINE)) {
    if (FIRST_WORD.test(line[1])) block.push(line);
    else {
      ends.push(...endsOf(block));
      block = [];
    }
  }
  return [...ends, ...endsOf(block)].slice(0, -1);
}

/** The ends of the paragraphs in lines without a blank one. */
function endsOf(block) {
  const texts = block.map((line) => line[1].replace(END_SPACE, ""));
  const size = (string) => [...string].length;
  const width = Math.max(0, ...texts.filter((line) => line.includes(" ")).map(size));
  const isWrapped = NARROWEST <= width && width <= WIDEST;
  return texts.flatMap((line, i) => {
    const following = i + 1 < texts.length ? texts[i + 1].match(FIRST_WORD)[0] : "";
    const fits = size(line) + 1 + size(following) <= width;
    return !isWrapped || !following || fits ? [block[i].index + line.length] : [];
  });
}
