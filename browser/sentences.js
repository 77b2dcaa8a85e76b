/*
 * The sentences of a text, as lisa_allennlp/data/tokenizers/sentence_splitter.py finds them.
 */

import { SPACE } from "./regex.js";

const LINE = /([^\n\r\v\f\x85\u2028\u2029]*)(?:\r\n|[\n\r\v\f\x85\u2028\u2029]|$)/gu;
const END_SPACE = new RegExp(`[${SPACE}]+$`, "u");
const FIRST_WORD = new RegExp(`[^${SPACE}]+`, "u");
const [NARROWEST, WIDEST] = [50, 100];

const CLOSERS = new Set(["'", '"', "''", "’", "”", "’’", "»", "›", ")", "]", "}"]);
const QUESTION_IN_QUOTES = /[?!]["'”’]+\s*$/u;
const SPEAKER = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_.'’-]* ){1,3}(?:added|asked|asks|called|cried|demanded|exclaimed|inquired|muttered|replied|said|says|screamed|shouted|snapped|whispered|wondered|yelled)(?![\p{L}\p{N}_])/u;
const LONGEST_WORD = 30;
const SAME = { "！": "!", "？": "?", "。": ".", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "`": "'" };
const [ADJACENT, SPACED, PARAGRAPH] = [0, 1, 2];

export class SentenceSplitter {
  /** `network` is the network in tokenizer.json, with its weights in hundredths. */
  constructor({ words, shapes, vectors, layers }) {
    this.words = new Map(words.map((word, row) => [word, row + 1]));
    this.shapes = new Map(shapes.map((shape, row) => [shape, row + 1]));
    this.vectors = vectors.map(weights);
    this.layers = layers.map(({ kernel, bias }) => [kernel.map(weights), weights([bias])[0]]);
  }

  /** The tokens of each sentence. */
  split(text, spans) {
    if (spans.length === 0) return [];
    const starts = firstTokens(paragraphEnds(text), spans);
    const spaces = spans.map(([start], i) => {
      if (i === 0 || starts.has(i)) return PARAGRAPH;
      return start > spans[i - 1][1] || /[！？。]/u.test(text[start - 1]) ? SPACED : ADJACENT;
    });
    const scores = this.scores(spans.map(([start, end]) => text.slice(start, end)), spaces);
    const sentences = [];
    spans.forEach((span, i) => {
      const isCloser = spaces[i] === ADJACENT && CLOSERS.has(text.slice(...span));
      const isEnd = scores[i - 1] > 0 && !isCloser && !isSpeaker(text, span[0]);
      if (spaces[i] === PARAGRAPH || isEnd) sentences.push([]);
      sentences.at(-1).push(span);
    });
    return sentences;
  }

  /** The logit of a sentence's end after each token. */
  scores(words, spaces) {
    const [ofWords, ofShapes, ofSpaces] = this.vectors;
    const states = words.map((word, i) => {
      const [row, shape] = this.rows(word);
      return ofWords[row].map((value, k) => value + ofShapes[shape][k] + ofSpaces[spaces[i]][k]);
    });
    let outputs;
    for (const [kernel, bias] of this.layers) {
      const around = Math.floor(kernel.length / 2);
      outputs = states.map((_, i) => {
        const sums = [...bias];
        kernel.forEach((part, offset) => {
          states[i + offset - around]?.forEach((value, k) => {
            if (value !== 0) part[k].forEach((weight, output) => (sums[output] += value * weight));
          });
        });
        return sums;
      });
      states.forEach((state, i) => state.push(...outputs[i].map((value) => Math.max(value, 0))));
    }
    return outputs.map(([score]) => score);
  }

  /** The rows of a word and of its shape, or else of the shape's last character. */
  rows(word) {
    const same = [...word].slice(0, LONGEST_WORD).join("").replace(/[！？。…“”‘’`]/gu, (character) => SAME[character]);
    const kinds = [...same].map((character) => {
      if (/\p{Uppercase}/u.test(character)) return "X";
      if (/\p{L}/u.test(character)) return "x";
      return /\p{Nd}/u.test(character) ? "d" : character;
    });
    const short = kinds.join("").replace(/x+/g, "x").replace(/(.)\1{3,}/gsu, "$1$1$1");
    const shape = [...short].slice(0, 4);
    return [this.words.get(same.toLowerCase()) ?? 0, this.shapes.get(shape.join("")) ?? this.shapes.get(shape.at(-1)) ?? 0];
  }
}

function weights(rows) {
  return rows.map((row) => (Array.isArray(row) ? row.map((value) => value / 100) : row / 100));
}

/** Whether the speaker of a quotation that has just ended follows. */
function isSpeaker(text, start) {
  return QUESTION_IN_QUOTES.test(text.slice(Math.max(0, start - 5), start)) && SPEAKER.test(text.slice(start, start + 200));
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
