"""
Chooses sentences of raw text that teachers label for a student: half at random, half those most
like the treebank (Moore & Lewis 2010).

```
python -m experiments.english.raw_sentences raw-text.txt.xz --like ewt-train.gold_conll \
    --tokens 5000000 --output-file sentences.jsonl
```
"""

import argparse
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Callable, Iterable, Iterator, List, Sequence, Set

import spacy
from allennlp.common.file_utils import open_compressed
from allennlp.common.tqdm import Tqdm

from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.text.tokens import escape_parentheses

LENGTHS = range(3, 61)
"""The numbers of tokens of a sentence that can be chosen."""

MIN_WORDS = 0.6
"""The smallest share of tokens with only letters: tables and lists of numbers are left out."""

Words = List[str]


def main() -> None:
    args = _parser().parse_args()
    with open_compressed(args.raw_text) as file:
        paragraphs = map(str.strip, Tqdm.tqdm(file, desc="reading", unit=" paragraphs"))
        sentences = list(distinct(suitable(split(paragraphs))))
    random.Random(args.seed).shuffle(sentences)
    treebank = [sentence.words for sentence in read_annotated(args.like).bare_sentences]
    likeness = unigram_likeness(treebank, sentences)
    chosen = choose(sentences, likeness, args.tokens)
    with open(args.output_file, "w", encoding="utf-8") as file:
        for words in chosen:
            file.write(json.dumps({"tokens": escaped(words)}, ensure_ascii=False) + "\n")
    print(f"{len(chosen):,} sentences, {sum(map(len, chosen)):,} tokens")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("raw_text", help="a paragraph per line; may be compressed")
    parser.add_argument("--like", type=Path, required=True, help="an annotated corpus")
    parser.add_argument("--tokens", type=int, required=True, help="the number of tokens to choose")
    parser.add_argument("--output-file", required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def split(texts: Iterable[str]) -> Iterator[Words]:
    """Yields the sentences of texts, by spaCy's rules."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    for document in nlp.pipe(texts):
        for sentence in document.sents:
            words = [token.text for token in sentence if not token.is_space]
            if words:
                yield words


def suitable(sentences: Iterable[Words]) -> Iterator[Words]:
    """Yields the sentences of a usual length, most of whose tokens are words."""
    for words in sentences:
        has_words = sum(map(str.isalpha, words)) >= MIN_WORDS * len(words)
        # Columns cannot hold a token with white space.
        if len(words) in LENGTHS and has_words and " ".join(words).split() == words:
            yield words


def distinct(sentences: Iterable[Words]) -> Iterator[Words]:
    """Yields the first of equal sentences, by their hashes, which need little memory."""
    seen: Set[int] = set()
    for words in sentences:
        key = hash(tuple(words))
        if key not in seen:
            seen.add(key)
            yield words


def escaped(words: Words) -> Words:
    return [escape_parentheses(word) for word in words]


def unigram_likeness(
    treebank: Sequence[Words], sentences: Sequence[Words]
) -> Callable[[Words], float]:
    """
    The mean over tokens of log p(word | treebank) - log p(word | raw text), with unigram models
    that are smoothed by adding one.
    """
    here, there = (
        Counter(word.lower() for words in text for word in words) for text in (treebank, sentences)
    )
    shift = math.log(sum(there.values()) + len(there)) - math.log(sum(here.values()) + len(there))

    def likeness(words: Words) -> float:
        ratios = (math.log((here[w.lower()] + 1) / (there[w.lower()] + 1)) for w in words)
        return shift + sum(ratios) / len(words)

    return likeness


def choose(
    shuffled: Sequence[Words], likeness: Callable[[Words], float], tokens: int
) -> List[Words]:
    """
    Chooses sentences with this number of tokens, half from the beginning of the shuffled ones, half
    by their likeness. They stay in the order of `shuffled`.
    """
    order = range(len(shuffled))
    first = _up_to(order, shuffled, tokens // 2)
    rest = sorted(order[len(first) :], key=lambda n: -likeness(shuffled[n]))
    second = _up_to(rest, shuffled, tokens - tokens // 2)
    return [shuffled[n] for n in sorted([*first, *second])]


def _up_to(order: Iterable[int], sentences: Sequence[Words], tokens: int) -> List[int]:
    taken: List[int] = []
    count = 0
    for number in order:
        if count >= tokens:
            break
        taken.append(number)
        count += len(sentences[number])
    return taken


if __name__ == "__main__":
    main()
