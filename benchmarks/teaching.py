"""
What corrections teach a model that has not seen one genre of the English Web Treebank. Sentences of
this genre are corrected to gold, document by document, and count at once (`lisa adapt`), or the
model is trained on them (`lisa train --from`). All figures are of other documents of the genre, and
of the development part of the other genres, which the model should not forget. A mistake is
repeated if it has the roleset that was wrong before, or the same role of the same roleset.

    python -m benchmarks.teaching --corpus DIR --vectors VECTORS --out OUT
        [--genre reviews] [--epochs 12] [--seeds 5] [--json FILE]

OUT keeps the models and figures: an interrupted run continues. The first model takes half an hour.
"""

import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

import numpy

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.records import ROOT
from lisa_allennlp.commands.train import sentence_ratios
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.corrections import ENDING, KEY
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.formats.json_lines import write_json_lines
from lisa_allennlp.data.formats.roles import VERB
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.adaptation import (
    PENALTY,
    Adaptation,
    Example,
    examples_of,
    fit_adaptation,
)
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.scoring import paired_bootstrap

BASE = """
(import '%s/training_configs/lib/english_fast.libsonnet') + {
  dataset_reader+: { senses: true },
  model+: { sense_tagger: { type: 'linear' } },
  trainer+: { num_epochs: %s },
}
"""
"""The config of the first model: the network of `english-fast`, which learns from the treebank."""

AT_ONCE, TRAINED = (10, 50, 200), (50, 200)
"""The numbers of sentences that count at once, and that a model is trained on."""

FEWER = {50: 1 / 3, 200: 1 / 2}
"""How many of the repeated mistakes should be mended, by the number of sentences."""

HEADER = [
    *("", "sentences", "words", "F1", "precision", "recall", "UAS", "LAS", "tags", "senses"),
    *("repeated senses", "repeated senses after", "repeated roles", "repeated roles after"),
    *("mended", "spoilt", "p", "other F1", "other tags", "other senses"),
    *("other mended", "other spoilt", "other p", "seconds"),
]
"""The p-values are those of F1; the seconds are those of the last sentence, or of the training."""

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
    def accuracy(self) -> float:
        """The share of right rolesets among the predicates that are found, in percent."""
        return 100 * self.right_senses / self.found

    @property
    def percentages(self) -> Dict[str, float]:
        """The scores, by the names of `sentence_ratios`."""
        names = self.ratios[0] if self.ratios else ()
        sums = {name: numpy.sum([own[name] for own in self.ratios], axis=0) for name in names}
        return {name: 100 * float(right) / float(number) for name, (right, number) in sums.items()}

    def changes(self, before: "Outcome") -> Tuple[int, int]:
        """The numbers of mistakes that are mended, and of right readings that are spoilt."""
        own, others = self.mistakes.keys(), before.mistakes.keys()
        return len(others - own), len(own - others)

    def repeated(self, known: "Outcome") -> Tuple[int, int]:
        """The numbers of mistakes, in rolesets and in roles, that are of a known kind."""
        kinds = {*known.mistakes.values()}
        again = [kind[1] == VERB for kind in self.mistakes.values() if kind in kinds]
        return sum(again), len(again) - sum(again)


class AtOnce:
    """Labels gold sentences with what others of them teach at once."""

    def __init__(self, lisa: Labeller, gold: Sequence[Sentence], penalty: float = PENALTY) -> None:
        self.lisa, self.gold, self.penalty = lisa, gold, penalty
        self._examples: Dict[int, Tuple[List[Example], float]] = {}

    def label(self, gold: Sequence[Sentence], adaptation: Adaptation) -> List[Sentence]:
        requests = [Request(Sentence(sentence.words)) for sentence in gold]
        return self.lisa.label(requests, replace(self.lisa.options, adaptation=adaptation))

    def examples(self, number: int) -> Tuple[List[Example], float]:
        """The examples of a sentence, and the seconds that they took."""
        if number not in self._examples:
            start = time.process_time()
            found = examples_of(self.lisa.label, [self.gold[number]], self.lisa.options)
            self._examples[number] = found, time.process_time() - start
        return self._examples[number]

    def teach(self, numbers: Sequence[int]) -> Tuple[Adaptation, float]:
        """What sentences teach, and the seconds that the last one of them took."""
        found = [self.examples(number) for number in numbers]
        start = time.process_time()
        examples = [example for own, _ in found for example in own]
        adaptation = fit_adaptation(examples, len(numbers), penalty=self.penalty)
        return adaptation, time.process_time() - start + found[-1][1]


class Scores:
    """Scores what a model has learnt against what it was, on the genre and on the others."""

    def __init__(self, lisa: Labeller, test: List[Sentence], others: List[Sentence]) -> None:
        self._lisa, self.test, self.others = lisa, test, others
        self._before = [self._outcome(lisa, gold) for gold in (test, others)]

    def of_model(self, model: Path, taught: Sequence[Sentence], seconds: float) -> List[float]:
        """Returns the figures of a row of the table, which are kept beside the model."""
        file = model.with_name("figures.json")
        if not file.is_file():
            lisa = lisa_allennlp.load(exported(model))
            after = [self._outcome(lisa, gold) for gold in (self.test, self.others)]
            file.write_text(json.dumps(self._figures(after, taught, seconds)))
        return json.loads(file.read_text())

    def at_once(self, own: AtOnce, order: Sequence[int], file: Path) -> List[float]:
        """Returns the same for what sentences teach at once, which is kept in a file."""
        if not file.is_file():
            adaptation, seconds = own.teach(order)
            sides = [(gold, own.label(gold, adaptation)) for gold in (self.test, self.others)]
            after = [outcome(*side) for side in sides]
            taught = [own.gold[number] for number in order]
            file.write_text(json.dumps(self._figures(after, taught, seconds)))
        return json.loads(file.read_text())

    def _outcome(self, lisa: Labeller, gold: Sequence[Sentence]) -> Outcome:
        return outcome(gold, list(lisa.pipe(sentence.words for sentence in gold)))

    def _figures(
        self, after: Sequence[Outcome], taught: Sequence[Sentence], seconds: float
    ) -> List[float]:
        known = self._outcome(self._lisa, taught)
        own, others = (side.percentages for side in after)
        names = [f"arguments {name}" for name in ("F1", "precision", "recall")]
        of_senses, of_roles = zip(
            *(found.repeated(known) for found in (self._before[0], after[0])), strict=True
        )
        p, other_p = (p_value(*pair) for pair in zip(self._before, after, strict=True))
        changes, other = (side.changes(o) for side, o in zip(after, self._before, strict=True))
        return [
            *(len(taught), sum(len(sentence.words) for sentence in taught)),
            *(own[name] for name in (*names, "UAS", "LAS", "tags")),
            *(after[0].accuracy, *of_senses, *of_roles, *changes, p),
            *(others["arguments F1"], others["tags"], after[1].accuracy, *other, other_p, seconds),
        ]


def main() -> int:
    parser = make_parser(__doc__ or "")
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, GloVe's format")
    parser.add_argument("--out", type=Path, required=True, help="the folder for all models")
    parser.add_argument("--genre", default="reviews", help="left out (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=12, help="of the first model")
    parser.add_argument("--seeds", type=int, default=5, help="orders of what counts at once")
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: found nothing; expected the folder of the English Web Treebank")
    train, dev = (read_part(args.corpus, part) for part in ("train", "dev"))
    pool, rest = halves(train, args.genre)
    test = [train.sentences[number] for number in rest] + dev.of_genre(args.genre)
    others = dev.of_genre(args.genre, False)
    first = train_without(args.genre, train, others, args)
    data = (
        f"EWT without {args.genre}; of {args.genre}, {len(pool)} sentences to correct from, "
        f"{len(test)} of other documents to score on; {len(others)} dev sentences of other genres"
    )
    report = Report("teaching", args, data=data)
    lisa = lisa_allennlp.load(exported(first))
    scores = Scores(lisa, test, others)
    report.table(HEADER, [["nothing", *scores.of_model(first, [], 0.0)]])
    orders = [train.in_order(pool, seed) for seed in range(args.seeds)]
    at_once = AtOnce(lisa, train.sentences)
    for size in AT_ONCE:
        rows = [
            scores.at_once(at_once, order[:size], args.out / f"at_once_{size}_{seed}.json")
            for seed, order in enumerate(orders)
        ]
        row = means(rows)
        report.table(HEADER, [[f"at once, {size}", *row]])
        add_bars(report, size, dict(zip(HEADER[1:], row, strict=True)))
    for size in TRAINED:
        taught = [train.sentences[number] for number in orders[0][:size]]
        row = scores.of_model(*teach(first, taught, args.out))
        report.table(HEADER, [[f"training, {size}", *row]])
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


def train_without(genre: str, train: Part, others: Sequence[Sentence], args: Any) -> Path:
    """Trains the first model, if it is not there, and returns it."""
    corpus, model = args.out / "base", args.out / "model" / "model.tar.gz"
    if model.is_file():
        return model
    corpus.mkdir(parents=True, exist_ok=True)
    write_corpus(train.of_genre(genre, False), corpus / "ewt-train.gold_conll")
    write_corpus(others, corpus / "ewt-dev.gold_conll")
    config = args.out / "base.jsonnet"
    config.write_text(BASE % (ROOT, args.epochs))
    data = {"LISA_DATA": "ewt", "LISA_CORPUS": str(corpus), "LISA_VECTORS": str(args.vectors)}
    run("lisa_allennlp", "train", config, "-s", model.parent, "--force", **data)
    return model


def write_corpus(sentences: Sequence[Sentence], output: Path) -> None:
    """Writes roles to a `.gold_conll` file and trees to the `.conllu` file beside it."""
    with output.open("w", encoding="utf-8") as file:
        write_conll12(sentences, file)
    with output.with_suffix(".conllu").open("w", encoding="utf-8") as file:
        write_conllu(sentences, file)


def exported(model: Path) -> Path:
    """Exports an archive, if it is not exported yet, and returns the folder."""
    folder = model.with_name("exported")
    if not folder.is_dir():
        run("lisa_allennlp", "export", model, folder, "--license", "CC BY-SA 4.0")
    return folder


def teach(
    first: Path, taught: Sequence[Sentence], out: Path
) -> Tuple[Path, Sequence[Sentence], float]:
    """Trains the first model on corrected sentences; returns the new one, and the CPU seconds."""
    folder = out / f"training_{len(taught)}"
    seconds = folder / "seconds.json"
    if not seconds.is_file():
        file = folder.with_name(folder.name + ENDING)
        with file.open("w", encoding="utf-8") as lines:
            write_json_lines(accepted(taught), lines)
        options = ["--from", first, "--train", file, "-s", folder, "--force"]
        options += ["--replay", out / "base" / "ewt-train.gold_conll"]
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("lisa_allennlp", "train", "english_fast", *options)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = end.ru_utime - start.ru_utime + end.ru_stime - start.ru_stime
        seconds.write_text(json.dumps(round(spent, 2)))
    return folder / "model.tar.gz", taught, json.loads(seconds.read_text())


def accepted(gold: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yields gold sentences as a person has accepted them."""
    for number, sentence in enumerate(gold, start=1):
        yield replace(sentence, extra={KEY: {"number": number, "accepted": True}})


def run(module: str, *arguments: object, **variables: str) -> str:
    """Runs a command in a process of its own, and returns its output."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return done.stdout


def add_bars(report: Report, size: int, row: Dict[str, float]) -> None:
    """Compares what counts at once with what was hoped for."""
    if size in FEWER:
        for kind in ("senses", "roles"):
            left = row[f"repeated {kind} after"] / row[f"repeated {kind}"]
            report.at_most(f"{kind} at {size}: share that is left", left, 1 - FEWER[size])
        report.at_most(f"seconds at {size}", row["seconds"], 1.0)
    mended, spoilt = (row[name] + row[f"other {name}"] for name in ("mended", "spoilt"))
    report.at_most(f"spoilt at {size}: share of what is mended", spoilt / max(1, mended), 0.1)


def means(rows: Sequence[Sequence[float]]) -> List[float]:
    """Returns means over several orders; the p-values of the first one, and the most seconds."""
    found = numpy.mean(rows, axis=0)
    of_first = [HEADER.index(name) - 1 for name in ("p", "other p")]
    found[of_first] = numpy.array(rows[0])[of_first]
    found[-1] = round(max(row[-1] for row in rows), 2)
    return found.tolist()


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
