"""
Sentences per second of the corpus readers, alone and up to batches of tensors in AllenNLP's data
loader, without worker processes and with two. With one thread, only the main process's time counts.

Then the share of reading in the time of an epoch with LISA at published size: in the first epoch,
which makes the instances, and in later epochs, which only pad them.

    python -m benchmarks.readers [--corpus DIR] [--json FILE] [--check]
"""

import argparse
import functools
import sys
from pathlib import Path
from typing import Callable, List, Tuple

from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.samplers import MaxTokensBatchSampler

from benchmarks.common import SAMPLE, Report, in_turns, make_parser, read_sentences, seconds
from benchmarks.systems import make_lisa
from benchmarks.training import median_epoch, train_epoch
from lisa_allennlp.data.dataset_readers.conll05_srl import Conll05SrlReader
from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.training.optimizers.lazy_nadam import LazyNadamOptimizer

TO_TENSORS = "conll12_srl to tensors, no workers"
SHARE_BAR = 5.0
MAX_TOKENS = 1500


def load(reader: DatasetReader, path: Path, num_workers: int, limit: int) -> int:
    """Makes all batches; returns the number of sentences."""
    loader = MultiProcessDataLoader(
        reader,
        path,
        batch_sampler=MaxTokensBatchSampler(MAX_TOKENS, ["tokens"]),
        num_workers=num_workers,
        max_instances_in_memory=None if num_workers == 0 else limit,
        quiet=True,
    )
    loader.index_with(Vocabulary())
    return sum(len(batch["metadata"]) for batch in loader)


def time_of_a_sentence(args: argparse.Namespace) -> Tuple[float, float]:
    """The seconds of training, and of padding, per sentence."""
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    lisa = make_lisa(sentences)
    optimizer = LazyNadamOptimizer(list(lisa.model.named_parameters()), lr=1e-4)
    (epochs,) = in_turns([functools.partial(train_epoch, lisa, optimizer, MAX_TOKENS)], args.runs)
    epoch = median_epoch(epochs)
    padding = epoch.pop("data")
    return epoch.total() / len(sentences), padding / len(sentences)


def main() -> int:
    """Prints the table; returns the exit status."""
    args = make_parser(__doc__).parse_args()
    report = Report("reading", args)
    folder, name = (SAMPLE, "train") if args.corpus is None else (args.corpus, "ewt-train")
    limit = args.sentences
    conll12 = folder / f"{name}.gold_conll"

    def count(reader: DatasetReader, path: Path) -> int:
        return sum(1 for _ in reader.read(path))

    runs: List[Tuple[str, Callable[[], int]]] = [
        ("conll12_srl", lambda: count(Conll12SrlReader(max_instances=limit), conll12)),
        (
            "conll05_srl (the sample)",
            lambda: count(Conll05SrlReader(max_instances=limit), SAMPLE / "conll05/train.conll"),
        ),
        (
            "conllu_parses",
            lambda: count(ConlluParsesReader(max_instances=limit), folder / f"{name}.conllu"),
        ),
        (
            TO_TENSORS,
            lambda: load(Conll12SrlReader(max_instances=limit), conll12, 0, limit),
        ),
        (
            "conll12_srl to tensors, two workers",
            lambda: load(Conll12SrlReader(max_instances=limit), conll12, 2, limit),
        ),
    ]
    rows, times = [], {}
    for label, run in runs:
        number = run()
        times[label] = seconds(run, args.runs) / number
        rows.append([label, number, 1 / times[label]])
    report.table(["reader", "sentences", "sentences/s"], rows)
    step, padding = time_of_a_sentence(args)
    first = times[TO_TENSORS]
    report.at_most("first epoch: % of its time", 100 * first / (first + step), SHARE_BAR)
    report.at_most("later epochs: % of their time", 100 * padding / (padding + step), SHARE_BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
