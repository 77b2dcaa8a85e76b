"""
Sentences a second of the corpus readers, and from a file to batches of tensors with AllenNLP's data
loader, without worker processes and with two.

    python -m benchmarks.reading [--corpus DIR] [--json FILE] [--check]
"""

import sys
from pathlib import Path
from typing import Callable, List, Tuple

from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.samplers import MaxTokensBatchSampler

from benchmarks.common import SAMPLE, Report, make_parser, seconds
from lisa_allennlp.data.dataset_readers.conll05_srl import Conll05SrlReader
from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader


def load(reader: DatasetReader, path: Path, num_workers: int, limit: int) -> int:
    """Makes all batches; returns the number of sentences."""
    loader = MultiProcessDataLoader(
        reader,
        path,
        batch_sampler=MaxTokensBatchSampler(1500, ["tokens"]),
        num_workers=num_workers,
        max_instances_in_memory=None if num_workers == 0 else limit,
        quiet=True,
    )
    loader.index_with(Vocabulary())
    return sum(len(batch["metadata"]) for batch in loader)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    args = parser.parse_args()
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
            "conll12_srl to tensors, no workers",
            lambda: load(Conll12SrlReader(max_instances=limit), conll12, 0, limit),
        ),
        (
            "conll12_srl to tensors, two workers",
            lambda: load(Conll12SrlReader(max_instances=limit), conll12, 2, limit),
        ),
    ]
    rows = []
    for label, run in runs:
        number = run()
        rows.append([label, str(number), f"{number / seconds(run, args.runs):.0f}"])
    report.table(["reader", "sentences", "sentences/s"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
