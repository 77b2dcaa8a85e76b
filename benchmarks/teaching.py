"""
What corrections teach a shipped model at once (`lisa adapt`). It has not learned from the
development part of the English Web Treebank: half of its documents are corrected to gold, document
by document, and all figures are of the other half.

    python -m benchmarks.teaching --corpus DIR [--model english] [--seeds 5] [--json FILE]
"""

import random
import re
import sys
import time
from dataclasses import replace
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy

import lisa_allennlp
from benchmarks.common import Report, make_parser
from lisa_allennlp.commands.train import sentence_ratios
from lisa_allennlp.decoding.adaptation import Adaptation, Example, examples_of, fit_adaptation
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import VERB
from lisa_allennlp.sentence.sentence import Frame, Sentence

SIZES = (10, 50, 200)
"""The numbers of corrected sentences."""

SCORES = {"F1": "arguments F1", "precision": "arguments precision", "recall": "arguments recall"}
SCORES.update({"UAS": "UAS", "LAS": "LAS", "tags": "tags"})
"""The figures, by the names of `sentence_ratios`."""

DOCUMENT = re.compile(r"^# sent_id = (?P<document>.*)-\d+$", re.MULTILINE)


class Outcome(NamedTuple):
    """What is wrong in labelled sentences, by place, and their scores."""

    mistakes: Set[Tuple[int, int, str, int]]
    ratios: List[Any]
    right_senses: int
    found: int

    @property
    def scores(self) -> Dict[str, float]:
        """The scores, by the names of `sentence_ratios`, and the accuracy of senses."""
        sums = {name: numpy.sum([own[name] for own in self.ratios], 0) for name in self.ratios[0]}
        of_rest = {name: 100 * float(right) / float(all_) for name, (right, all_) in sums.items()}
        return {**of_rest, "senses": 100 * self.right_senses / self.found}

    def changes(self, before: "Outcome") -> Tuple[int, int]:
        """The numbers of mistakes that are mended, and of right readings that are spoilt."""
        return len(before.mistakes - self.mistakes), len(self.mistakes - before.mistakes)


class Lessons:
    """Teaches a model some gold sentences, by their numbers, and scores it on others."""

    def __init__(self, lisa: Labeller, gold: List[Sentence], test: List[Sentence]) -> None:
        self.lisa, self.gold, self.test = lisa, gold, test
        self._before = self._outcome(test)
        self._examples: Dict[int, Tuple[List[Example], float]] = {}

    def _outcome(self, gold: Sequence[Sentence], taught: Optional[Adaptation] = None) -> Outcome:
        requests = [Request(Sentence(sentence.words)) for sentence in gold]
        options = replace(self.lisa.options, adaptation=taught)
        return outcome(gold, self.lisa.label(requests, options))

    def _example(self, number: int) -> Tuple[List[Example], float]:
        if number not in self._examples:
            start = time.process_time()
            found = examples_of(self.lisa.label, [self.gold[number]], self.lisa.options)
            self._examples[number] = found, time.process_time() - start
        return self._examples[number]

    def figures(self, numbers: Sequence[int]) -> Dict[str, float]:
        """What some sentences teach. The seconds are those of the last sentence."""
        examples = [self._example(number) for number in numbers]
        start = time.process_time()
        own = [example for found, _ in examples for example in found]
        adaptation = fit_adaptation(own, len(numbers)) if numbers else None
        seconds = time.process_time() - start + (examples[-1][1] if numbers else 0)
        after = self._outcome(self.test, adaptation) if numbers else self._before
        mended, spoilt = after.changes(self._before)
        return {
            "sentences": len(numbers),
            "words": sum(len(self.gold[number].words) for number in numbers),
            **{name: after.scores[key] for name, key in {**SCORES, "senses": "senses"}.items()},
            "mended": mended,
            "spoilt": spoilt,
            "seconds": round(seconds, 2),
        }


def main() -> int:
    parser = make_parser(__doc__, needs_corpus=True)
    parser.add_argument("--model", default="english", help="(default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=5, help="orders of the documents")
    args = parser.parse_args()
    part = args.corpus / "ewt-dev.gold_conll"
    gold = read_annotated(part, parses=True).bare_sentences
    documents = DOCUMENT.findall(part.with_suffix(".conllu").read_text(encoding="utf-8"))
    if len(gold) != len(documents):
        raise ValueError(f"found {len(documents)} names of {len(gold)} sentences; expected as many")
    pool, others = halves(documents)
    test = [gold[number] for number in others]
    data = f"EWT dev: {len(pool)} sentences to correct from, {len(test)} of other documents"
    report = Report("teaching", args, data)
    lessons = Lessons(lisa_allennlp.load(args.model), gold, test)
    for size in (0, *SIZES):
        seeds = range(args.seeds if size else 1)
        row = means([lessons.figures(in_order(pool, documents, seed)[:size]) for seed in seeds])
        report.table(["", *row], [[f"at once, {size}" if size else "nothing", *row.values()]])
        add_bars(report, size, row)
    return report.finish()


def halves(documents: Sequence[str]) -> Tuple[List[int], List[int]]:
    """Divides the numbers of sentences, given the document of each: every other document."""
    even = {*[*dict.fromkeys(documents)][::2]}
    pool = [number for number, name in enumerate(documents) if name in even]
    return pool, [number for number, name in enumerate(documents) if name not in even]


def in_order(numbers: Sequence[int], documents: Sequence[str], seed: int) -> List[int]:
    """Orders sentences document by document. Seed 0 keeps the treebank's order."""
    names = list(dict.fromkeys(documents))
    if seed:
        random.Random(seed).shuffle(names)
    places = {name: place for place, name in enumerate(names)}
    return sorted(numbers, key=lambda number: (places[documents[number]], number))


def add_bars(report: Report, size: int, row: Dict[str, float]) -> None:
    """Compares what counts at once with what was hoped for."""
    if size:
        report.at_most(f"seconds at {size}", row["seconds"], 1.0)
        share = row["spoilt"] / max(1, row["mended"])
        report.at_most(f"spoilt at {size}: share of what is mended", share, 0.1)


def means(rows: Sequence[Dict[str, float]]) -> Dict[str, float]:
    """Returns means over several orders, and the most seconds."""
    found = {name: float(numpy.mean([row[name] for row in rows])) for name in rows[0]}
    return {**found, "seconds": max(row["seconds"] for row in rows)}


def outcome(gold: Sequence[Sentence], labelled: Sequence[Sentence]) -> Outcome:
    """Compares labelled sentences with gold ones."""
    mistakes: Set[Tuple[int, int, str, int]] = set()
    right = found = 0
    for number, (wanted, sentence) in enumerate(zip(gold, labelled, strict=True)):
        for frame in sentence.frames or []:
            other, here = wanted.frame_at(frame.predicate), (number, frame.predicate)
            if other is not None:
                found += 1
                right += frame.sense == other.sense
                if frame.sense != other.sense:
                    mistakes.add((*here, VERB, -1))
                wrong = heads(frame, sentence) ^ heads(other, sentence)
                mistakes.update((*here, *one) for one in wrong)
    return Outcome(mistakes, sentence_ratios(labelled, gold), right, found)


def heads(frame: Frame, sentence: Sentence) -> Set[Tuple[str, int]]:
    """The roles with the heads of their spans in the tree of a labelled sentence."""
    assert sentence.parse is not None
    return {(s.role, sentence.parse.span_head(s.first, s.last)) for s in frame.arguments}


if __name__ == "__main__":
    sys.exit(main())
