"""
bfloat16 against single precision: the speed of LISA at published size from tensors to labels, from
JSON lines to JSON lines, and in training steps; the precisions take turns. With `--archive`, also
the F1 of a trained model on EWT dev.

    python -m benchmarks.precision [--corpus DIR [--archive MODEL]] [--threads N] [--check]
"""

import functools
import statistics
import sys
from pathlib import Path
from typing import List

import torch
from allennlp.data.data_loaders import SimpleDataLoader, TensorDict
from allennlp.training.util import evaluate

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import (
    Report,
    add_processes,
    in_processes,
    make_parser,
    ratios,
    read_sentences,
    times_in_turns,
)
from benchmarks.inference import json_line, label, leave_out_gold, lisa_end_to_end
from benchmarks.systems import make_lisa
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.nn.precision import PRECISIONS

SPEED_BAR, F1_BAR = 1.5, 0.1
WHAT = ("tensors to labels", "JSON lines to JSON lines", "training steps")


def train(network: torch.nn.Module, batches: List[TensorDict]) -> None:
    """Forward and backward passes, without the optimizer, which has no matrix products."""
    network.train()
    for batch in batches:
        network(**batch)["loss"].backward()


def f1_on_dev(archive_file: str, path: Path, precision: str) -> float:
    """The role F1 of a trained model."""
    archive = open_archive(archive_file, overrides={"model.precision": precision})
    instances = list(archive.validation_dataset_reader.read(path))
    loader = SimpleDataLoader(instances, batch_size=64, vocab=archive.model.vocab)
    return evaluate(archive.model, loader)["srl_f1"]


def main() -> int:
    """Prints the tables; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--max-tokens", type=int, default=2000, help="tokens per batch (default: 2000)"
    )
    parser.add_argument("--archive", help="a trained LISA to score on the dev set of --corpus")
    add_processes(parser)
    args = parser.parse_args()
    if args.archive is not None and args.corpus is None:
        parser.error("--archive needs --corpus")
    report = Report("precision", args)
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    lines = [json_line(sentence) for sentence in sentences]
    systems = [make_lisa(sentences, precision=precision) for precision in PRECISIONS]
    with_gold = systems[0].batches(args.max_tokens)
    batches = systems[0].batches(args.max_tokens)
    leave_out_gold(batches)
    calls = [
        [functools.partial(label, system, batches) for system in systems],
        [functools.partial(lisa_end_to_end(system, 1), lines) for system in systems],
        [functools.partial(train, system.model, with_gold) for system in systems],
    ]
    number = args.processes * len(sentences)
    rows = []
    for what, of_both in zip(WHAT, calls, strict=True):
        shared = [in_processes(call, args.processes) for call in of_both]
        plain, reduced = times_in_turns(shared, args.runs)
        gains = ratios(plain, reduced)
        rates = (number / statistics.median(times) for times in (plain, reduced))
        rows.append([what, *rates, statistics.median(gains)])
        report.at_least(f"{what}, times the speed of single precision", gains, SPEED_BAR)
    report.table(["", *(f"{name}, sentences/s" for name in PRECISIONS), "times"], rows)
    if args.archive is not None:
        dev = args.corpus / "ewt-dev.gold_conll"
        scores = [f1_on_dev(args.archive, dev, precision) for precision in PRECISIONS]
        report.table(["dev", *(f"{name}, F1" for name in PRECISIONS)], [["archive", *scores]])
        report.at_most("difference in F1", abs(scores[0] - scores[1]), F1_BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
