"""
What corrections teach a model at once (`lisa adapt`) that has not seen one genre of the English Web
Treebank. Sentences of this genre are corrected to gold, document by document. All figures are of
other documents of the genre, and of the development part of the other genres, which the model
should not forget. A mistake is repeated if it has the roleset that was wrong before, or the same
role of the same roleset.

    python -m benchmarks.teaching --corpus DIR --vectors VECTORS --out OUT
        [--genre reviews] [--epochs 12] [--seeds 5] [--json FILE]

OUT keeps the first model, whose training takes half an hour.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.records import ROOT
from lisa_allennlp.commands.train import sentence_ratios
from lisa_allennlp.decoding.adaptation import Adaptation, Example, examples_of, fit_adaptation
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conll12 import write_conll12
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.scoring import paired_bootstrap
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import VERB
from lisa_allennlp.sentence.sentence import Frame, Sentence

BASE = """
(import '%s/training_configs/lib/treebank.libsonnet') + {
  dataset_reader+: { senses: true },
  model+: { sense_tagger: { type: 'linear' } },
  trainer+: { num_epochs: %s },
}
"""
"""The config of the first model: the network of `english-fast`, which learns from the treebank."""

SIZES = (10, 50, 200)
"""The numbers of corrected sentences."""

FEWER = {50: 1 / 3, 200: 1 / 2}
"""How many of the repeated mistakes should be mended, by the number of sentences."""

SCORES = {"F1": "arguments F1", "precision": "arguments precision", "recall": "arguments recall"}
SCORES.update({"UAS": "UAS", "LAS": "LAS", "tags": "tags"})
"""The figures of the genre, by the names of `sentence_ratios`."""

GENRE = re.compile(r"^# sent_id = (?P<genre>\w+?)-(?P<document>.*)-\d+$", re.MULTILINE)

Kind = Tuple[str, str]
"""A predicted roleset and `V`, or a roleset and a role."""


class Part(NamedTuple):
    """Sentences of a part of the treebank, with the genre and the document of each."""

    sentences: List[Sentence]
    genres: List[str]
    documents: List[str]

    def of_genre(self, genre: str, wanted: bool = True) -> List[Sentence]:
        """Returns the sentences of a genre, or all others."""
        pairs = zip(self.sentences, self.genres, strict=True)
        return [sentence for sentence, found in pairs if (found == genre) == wanted]

    def in_order(self, numbers: Sequence[int], seed: int) -> List[int]:
        """Returns numbers of sentences, document by document. Seed 0 keeps the treebank's order."""
        order = [*numbers]
        if seed:
            random.Random(seed).shuffle(order)
        places: Dict[str, int] = {}
        for place, number in enumerate(order):
            places.setdefault(self.documents[number], place)
        return sorted(order, key=lambda number: (places[self.documents[number]], number))


class Outcome(NamedTuple):
    """What is wrong in labelled sentences, by place, and their scores."""

    mistakes: Dict[Tuple[int, int, str, int], Kind]
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
        own, others = self.mistakes.keys(), before.mistakes.keys()
        return len(others - own), len(own - others)

    def repeated(self, known: "Outcome") -> Tuple[int, int]:
        """The numbers of mistakes, in rolesets and in roles, that are of a known kind."""
        kinds = {*known.mistakes.values()}
        again = [kind[1] == VERB for kind in self.mistakes.values() if kind in kinds]
        return sum(again), len(again) - sum(again)


class Lessons:
    """Teaches a model gold sentences, and scores it on the genre and on the others."""

    def __init__(self, lisa: Labeller, gold: List[Sentence], sides: List[List[Sentence]]) -> None:
        self.lisa, self.gold, self.sides = lisa, gold, sides
        self._before = [self._outcome(side) for side in sides]
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
        """
        What some sentences teach. The p-values are those of F1; the seconds are those of the last
        sentence.
        """
        examples = [self._example(number) for number in numbers]
        start = time.process_time()
        own = [example for found, _ in examples for example in found]
        adaptation = fit_adaptation(own, len(numbers)) if numbers else None
        seconds = time.process_time() - start + (examples[-1][1] if numbers else 0)
        taught = [self.gold[number] for number in numbers]
        known = self._outcome(taught)
        before, after = self._before[0], self._outcome(self.sides[0], adaptation)
        other_before, other = self._before[1], self._outcome(self.sides[1], adaptation)
        scores, of_others = after.scores, other.scores
        mended, spoilt = after.changes(before)
        other_mended, other_spoilt = other.changes(other_before)
        (senses, roles), (senses_after, roles_after) = before.repeated(known), after.repeated(known)
        return {
            "sentences": len(taught),
            "words": sum(len(sentence.words) for sentence in taught),
            **{name: scores[key] for name, key in {**SCORES, "senses": "senses"}.items()},
            "repeated senses": senses,
            "repeated senses after": senses_after,
            "repeated roles": roles,
            "repeated roles after": roles_after,
            "mended": mended,
            "spoilt": spoilt,
            "p": p_value(before, after),
            "other F1": of_others["arguments F1"],
            "other tags": of_others["tags"],
            "other senses": of_others["senses"],
            "other mended": other_mended,
            "other spoilt": other_spoilt,
            "other p": p_value(other_before, other),
            "seconds": round(seconds, 2),
        }


def main() -> int:
    parser = make_parser(__doc__, needs_corpus=True)
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, GloVe's format")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the first model")
    parser.add_argument("--genre", default="reviews", help="left out (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=12, help="of the first model")
    parser.add_argument("--seeds", type=int, default=5, help="orders of the documents")
    args = parser.parse_args()
    train, dev = (read_part(args.corpus, part) for part in ("train", "dev"))
    pool, rest = halves(train, args.genre)
    test = [train.sentences[number] for number in rest] + dev.of_genre(args.genre)
    others = dev.of_genre(args.genre, False)
    data = (
        f"EWT without {args.genre}; of {args.genre}, {len(pool)} sentences to correct from, "
        f"{len(test)} of other documents to score on; {len(others)} dev sentences of other genres"
    )
    report = Report("teaching", args, data)
    lisa = lisa_allennlp.load(first_model(train.of_genre(args.genre, False), others, args))
    lessons = Lessons(lisa, train.sentences, [test, others])
    orders = [train.in_order(pool, seed) for seed in range(args.seeds)]
    for size in (0, *SIZES):
        of_orders = [lessons.figures(order[:size]) for order in (orders if size else orders[:1])]
        row = means(of_orders)
        report.table(["", *row], [[f"at once, {size}" if size else "nothing", *row.values()]])
        add_bars(report, size, row)
    return report.finish()


def read_part(corpus: Path, part: str) -> Part:
    """Reads a part of the treebank; the names of its sentences tell their genres."""
    sentences = read_annotated(corpus / f"ewt-{part}.gold_conll", parses=True).bare_sentences
    found = GENRE.findall((corpus / f"ewt-{part}.conllu").read_text(encoding="utf-8"))
    genres, documents = zip(*found, strict=True)
    if len(sentences) != len(genres):
        raise ValueError(f"found {len(genres)} names of {len(sentences)} sentences in {part}")
    return Part(sentences, list(genres), list(documents))


def halves(part: Part, genre: str) -> Tuple[List[int], List[int]]:
    """Divides the numbers of the sentences of a genre: every other document."""
    own = [number for number, found in enumerate(part.genres) if found == genre]
    documents = list(dict.fromkeys(part.documents[number] for number in own))
    even = set(documents[::2])
    pool = [number for number in own if part.documents[number] in even]
    return pool, [number for number in own if part.documents[number] not in even]


def first_model(train: List[Sentence], dev: List[Sentence], args: argparse.Namespace) -> Path:
    """Trains and exports the first model, if it is not there, and returns its folder."""
    corpus, model, config = (args.out / name for name in ("base", "model", "base.jsonnet"))
    if not (model / "exported").is_dir():
        corpus.mkdir(parents=True, exist_ok=True)
        write_corpus(train, corpus / "ewt-train.gold_conll")
        write_corpus(dev, corpus / "ewt-dev.gold_conll")
        config.write_text(BASE % (ROOT, args.epochs))
        data = {"LISA_DATA": "ewt", "LISA_CORPUS": str(corpus), "LISA_VECTORS": str(args.vectors)}
        lisa, export = [sys.executable, "-m", "lisa_allennlp"], ["--license", "CC BY-SA 4.0"]
        for command in (
            ["train", config, "-s", model, "--force"],
            ["export", model / "model.tar.gz", model / "exported", *export],
        ):
            subprocess.run([*lisa, *map(str, command)], check=True, env={**os.environ, **data})
    return model / "exported"


def write_corpus(sentences: Sequence[Sentence], output: Path) -> None:
    """Writes roles to a `.gold_conll` file and trees to the `.conllu` file beside it."""
    with output.open("w", encoding="utf-8") as file:
        write_conll12(sentences, file)
    with output.with_suffix(".conllu").open("w", encoding="utf-8") as file:
        write_conllu(sentences, file)


def add_bars(report: Report, size: int, row: Dict[str, float]) -> None:
    """Compares what counts at once with what was hoped for."""
    if size in FEWER:
        for kind in ("senses", "roles"):
            left = row[f"repeated {kind} after"] / row[f"repeated {kind}"]
            report.at_most(f"{kind} at {size}: share that is left", left, 1 - FEWER[size])
        report.at_most(f"seconds at {size}", row["seconds"], 1.0)
    mended, spoilt = (row[name] + row[f"other {name}"] for name in ("mended", "spoilt"))
    if size:
        report.at_most(f"spoilt at {size}: share of what is mended", spoilt / max(1, mended), 0.1)


def means(rows: Sequence[Dict[str, float]]) -> Dict[str, float]:
    """Returns means over several orders; the p-values of the first one, and the most seconds."""
    found = {name: float(numpy.mean([row[name] for row in rows])) for name in rows[0]}
    of_first = {name: rows[0][name] for name in ("p", "other p")}
    return {**found, **of_first, "seconds": max(row["seconds"] for row in rows)}


def outcome(gold: Sequence[Sentence], labelled: Sequence[Sentence]) -> Outcome:
    """Compares labelled sentences with gold ones."""
    mistakes: Dict[Tuple[int, int, str, int], Kind] = {}
    right = found = 0
    for number, (wanted, sentence) in enumerate(zip(gold, labelled, strict=True)):
        for frame in sentence.frames or []:
            other, here = wanted.frame_at(frame.predicate), (number, frame.predicate)
            if other is not None:
                found += 1
                right += frame.sense == other.sense
                if frame.sense != other.sense:
                    mistakes[(*here, VERB, -1)] = str(frame.sense), VERB
                arguments, wished = (heads(f, sentence) for f in (frame, other))
                for reading, wrong in ((frame, arguments - wished), (other, wished - arguments)):
                    mistakes.update({(*here, *o): (str(reading.sense), o[0]) for o in wrong})
    return Outcome(mistakes, sentence_ratios(labelled, gold), right, found)


def heads(frame: Frame, sentence: Sentence) -> Set[Tuple[str, int]]:
    """The roles with the heads of their spans in the tree of a labelled sentence."""
    assert sentence.parse is not None
    return {(s.role, sentence.parse.span_head(s.first, s.last)) for s in frame.arguments}


def p_value(before: Outcome, after: Outcome) -> float:
    """That of the difference in F1."""
    differences = paired_bootstrap(before.ratios, after.ratios)
    return next(round(d.p_value, 4) for d in differences if d.score == "arguments F1")


if __name__ == "__main__":
    sys.exit(main())
