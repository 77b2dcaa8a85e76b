"""
What corrections teach: a model is trained without one genre of the English Web Treebank, and then
learns from sentences of this genre, which are corrected to gold, as `lisa train --from` teaches it.
They are those of which it is least sure, or drawn at random, or, to compare with, known sentences
of other genres. All figures are of other documents of the genre, and the last one of the
development part of the other genres, which the model should not forget.

    python -m benchmarks.teaching --corpus DIR --vectors VECTORS --out OUT [--genre reviews]
        [--epochs 20] [--json FILE]

The models and their figures are kept in OUT: a run that was interrupted continues. Half an hour of
training on one core comes first.
"""

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, NamedTuple, Sequence

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.records import ROOT
from experiments.english.silver import write_corpus
from lisa_allennlp.commands.train import sentence_ratios
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.corrections import ENDING, KEY
from lisa_allennlp.data.formats.json_lines import write_json_lines
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.service.corpus import certainty

NETWORK = {
    "model.precision": "bfloat16",
    "model.role_decoder": {"type": "crf"},
    "model.label_smoothing": 0.0,
}
"""What the shipped models have and `lisa_small` has not."""

TEACHING = """
(import '%s/training_configs/lisa_small.jsonnet') + {
  model+: { precision: 'bfloat16', role_decoder: { type: 'crf' }, label_smoothing: 0.0 },
  data_loader+: { batch_sampler+: { max_tokens: 1500 } },
  trainer+: {
    num_epochs: 8,
    optimizer+: { lr: 0.0005 },
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.05, ratio: 1000 },
  },
}
"""
"""The config of teaching: the schedule is that of the config `english`."""

ORDERS = ("least sure first", "at random")
SIZES = (50, 100, 200)
HEADER = ["", "sentences", "words", "F1", "precision", "recall", "UAS", "LAS", "tags", "other F1"]
GENRE = re.compile(r"^# sent_id = (?P<genre>\w+?)-(?P<document>.*)-\d+$", re.MULTILINE)


class Lesson(NamedTuple):
    """Sentences to learn from, and whether known ones are replayed."""

    name: str
    gold: List[Sentence]
    replays: bool = True

    @property
    def title(self) -> str:
        return f"{self.name}, {len(self.gold)}"


class Part(NamedTuple):
    """Sentences of a part of the treebank, with the genre and the document of each."""

    sentences: List[Sentence]
    genres: List[str]
    documents: List[str]

    def of_genre(self, genre: str, wanted: bool = True) -> List[Sentence]:
        """Returns the sentences of a genre, or all others."""
        pairs = zip(self.sentences, self.genres, strict=True)
        return [sentence for sentence, found in pairs if (found == genre) == wanted]


def main() -> int:
    parser = make_parser(__doc__ or "")
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, GloVe's format")
    parser.add_argument("--out", type=Path, required=True, help="the folder for all models")
    parser.add_argument("--genre", default="reviews", help="left out (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=20, help="of the first model")
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: found nothing; expected the folder of the English Web Treebank")
    train, dev = (read_part(args.corpus, part) for part in ("train", "dev"))
    pool, rest = halves(train, args.genre)
    test, others = rest + dev.of_genre(args.genre), dev.of_genre(args.genre, False)
    first = train_without(args.genre, train, others, args)
    data = (
        f"EWT without {args.genre}; of {args.genre}, {len(pool)} sentences to correct from, "
        f"{len(test)} of other documents to score on; {len(others)} dev sentences of other genres"
    )
    report = Report("teaching", args, data=data)
    labeller = lisa_allennlp.load(first, probabilities=True)
    certainties = list(map(certainty, labeller.pipe(s.words for s in pool)))
    least_sure = sorted(range(len(pool)), key=certainties.__getitem__)
    drawn = random.Random(1).sample(range(len(pool)), len(pool))
    known = train.of_genre(args.genre, False)
    orders = {
        ORDERS[0]: [pool[index] for index in least_sure],
        ORDERS[1]: [pool[index] for index in drawn],
        # More training alone changes a model, too.
        "none of the genre": random.Random(1).sample(known, max(SIZES)),
    }
    lessons = [
        Lesson(name, order[:size])
        for name, order in orders.items()
        for size in (SIZES if name in ORDERS else [max(SIZES)])
    ]
    lessons.append(Lesson("at random, without --replay", orders[ORDERS[1]][: max(SIZES)], False))
    rows = [["nothing", 0, 0, *figures(first, test, others)]]
    for lesson in lessons:
        model = teach(first, lesson, args.out)
        words = sum(len(sentence.words) for sentence in lesson.gold)
        rows.append([lesson.title, len(lesson.gold), words, *figures(model, test, others)])
    report.table(HEADER, rows)
    return report.finish()


def read_part(corpus: Path, part: str) -> Part:
    """Reads a part of the treebank; the names of its sentences tell their genres."""
    sentences = read_annotated(corpus / f"ewt-{part}.gold_conll", parses=True).bare_sentences
    found = GENRE.findall((corpus / f"ewt-{part}.conllu").read_text(encoding="utf-8"))
    genres, documents = zip(*found, strict=True)
    if len(sentences) != len(genres):
        raise ValueError(f"found {len(genres)} names of {len(sentences)} sentences in {part}")
    return Part(sentences, list(genres), list(documents))


def halves(part: Part, genre: str) -> "tuple[List[Sentence], List[Sentence]]":
    """Divides the sentences of a genre: every other document."""
    triples = list(zip(*part, strict=True))
    documents = list(dict.fromkeys(document for _, found, document in triples if found == genre))
    even = set(documents[::2])
    sentences = [(s, document in even) for s, found, document in triples if found == genre]
    return [s for s, is_even in sentences if is_even], [
        s for s, is_even in sentences if not is_even
    ]


def train_without(genre: str, train: Part, others: Sequence[Sentence], args) -> Path:
    """Trains the first model, if it is not there, and returns it."""
    corpus, model = args.out / "base", args.out / "model" / "model.tar.gz"
    if model.is_file():
        return model
    corpus.mkdir(parents=True, exist_ok=True)
    write_corpus(train.of_genre(genre, False), corpus / "ewt-train.gold_conll")
    write_corpus(others, corpus / "ewt-dev.gold_conll")
    data = {"LISA_DATA": "ewt", "LISA_CORPUS": str(corpus), "LISA_VECTORS": str(args.vectors)}
    run_lisa(
        ["lisa_small", "-s", str(model.parent)],
        {**NETWORK, "trainer.num_epochs": args.epochs},
        data,
    )
    return model


def teach(first: Path, lesson: Lesson, out: Path) -> Path:
    """Teaches the first model corrected sentences, and returns the new model."""
    folder = out / re.sub(r"\W+", "_", lesson.title)
    model = folder / "model.tar.gz"
    if model.is_file():
        return model
    file = folder.with_name(folder.name + ENDING)
    with file.open("w", encoding="utf-8") as lines:
        write_json_lines(accepted(lesson.gold), lines)
    config = out / "teaching.jsonnet"
    config.write_text(TEACHING % ROOT)
    options = ["--from", str(first), "--train", str(file), "-s", str(folder)]
    if lesson.replays:
        options += ["--replay", str(out / "base" / "ewt-train.gold_conll")]
    run_lisa([str(config), *options], {}, {})
    return model


def accepted(gold: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yields gold sentences as a person has accepted them."""
    for number, sentence in enumerate(gold, start=1):
        yield replace(sentence, extra={KEY: {"number": number, "accepted": True}})


def run_lisa(arguments: Sequence[str], changes: Mapping[str, object], data: Dict[str, str]) -> None:
    command = [sys.executable, "-m", "lisa_allennlp", "train", *arguments]
    command += ["--file-friendly-logging", "-o", json.dumps(changes)]
    subprocess.run(command, check=True, env={**os.environ, **data})


def figures(model: Path, test: Sequence[Sentence], others: Sequence[Sentence]) -> List[float]:
    """Returns the figures of a row of the table, which are kept beside the model."""
    file = model.with_name("figures.json")
    if not file.is_file():
        file.write_text(json.dumps([*scores(model, test), scores(model, others)[0]]))
    return json.loads(file.read_text())


def scores(model: Path, gold: Sequence[Sentence]) -> List[float]:
    """Returns F1, precision, recall, UAS, LAS and tags, in percent."""
    predicted = list(lisa_allennlp.load(model).pipe(sentence.words for sentence in gold))
    sums: Dict[str, List[int]] = {}
    for ratios in sentence_ratios(predicted, gold):
        for name, (right, number) in ratios.items():
            total = sums.setdefault(name, [0, 0])
            total[0] += right
            total[1] += number
    names = [f"arguments {name}" for name in ("F1", "precision", "recall")]
    return [100 * sums[name][0] / sums[name][1] for name in (*names, "UAS", "LAS", "tags")]


if __name__ == "__main__":
    sys.exit(main())
