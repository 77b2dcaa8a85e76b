"""
Writes the table of irregular lemmas that the package carries, from the English Web Treebank, and
prints how many universal parts of speech and lemmas of dev are right, given gold tags and trees.

    python -m experiments.english.lemmas --corpus EWT
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

from lisa_allennlp.english.morphology import (
    LEMMAS_FILE,
    english_morphology,
    lemma_key,
    regular_lemma,
)
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import parse_conllu
from lisa_allennlp.sentence.sentence import Sentence

LEAST = 2
"""An entry of the table corrects so many more tokens of train than it spoils."""

RARE = {
    "MD sha": "shall",
    "NNP aug": "August",
    "NNP aug.": "August",
    "NNP tue": "Tuesday",
    "NNP tue.": "Tuesday",
    "NNS leaves": "leaf",
    "PRP 'em": "they",
    "PRP em": "they",
    "PRP ya": "you",
    "RBS least": "least",
    "VB 've": "have",
}
"""What the treebank shows less often, or only of other months, days and forms."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n\n")[0])
    text = "a folder with ewt-train.conllu and ewt-dev.conllu"
    parser.add_argument("--corpus", type=Path, required=True, help=text)
    corpus = parser.parse_args().corpus
    table = {**learn(_read(corpus / "ewt-train.conllu")), **RARE}
    text = json.dumps(table, ensure_ascii=False, indent=0, sort_keys=True)
    LEMMAS_FILE.write_text(text + "\n", encoding="utf-8")
    upos, lemmas = accuracy(_read(corpus / "ewt-dev.conllu"))
    print(f"{len(table)} entries; on dev, UPOS {upos:.2f} %, lemmas {lemmas:.2f} %")


def _read(path: Path) -> List[Sentence]:
    return [item.sentence for item in parse_conllu(read_lines(path), path)]


def learn(sentences: Sequence[Sentence]) -> Dict[str, str]:
    """Returns the most frequent lemmas where `regular_lemma` gives others."""
    lemmas: Dict[str, Counter] = defaultdict(Counter)
    right: Counter = Counter()
    for form, tag, lemma in _whole_words(sentences):
        lemmas[lemma_key(form, tag)][lemma] += 1
        right[lemma_key(form, tag)] += regular_lemma(form, tag) == lemma
    best = {key: counts.most_common(1)[0] for key, counts in lemmas.items()}
    return {key: lemma for key, (lemma, n) in best.items() if n - right[key] >= LEAST}


def _whole_words(sentences: Sequence[Sentence]) -> Iterator[Tuple[str, str, str]]:
    """
    The forms, tags and lemmas of tokens. Of a word that is torn apart, the first part has the lemma
    of the whole, and the others have none.
    """
    for s in sentences:
        assert s.pos is not None and s.head_tags is not None and s.lemmas is not None
        columns = zip(s.words, s.pos, s.head_tags, s.lemmas, strict=True)
        yield from (
            (f, t, lemma) for f, t, tag, lemma in columns if tag != "goeswith" and t != "GW"
        )


def accuracy(gold: Sequence[Sentence]) -> Tuple[float, float]:
    found = [english_morphology(sentence) for sentence in gold]
    pairs = [
        [(getattr(f, name), getattr(s, name)) for f, s in zip(found, gold, strict=True)]
        for name in ("upos", "lemmas")
    ]
    right = [sum(a == b for p in of_kind for a, b in zip(*p, strict=True)) for of_kind in pairs]
    upos, lemmas = (100 * number / sum(map(len, gold)) for number in right)
    return upos, lemmas


if __name__ == "__main__":
    main()
