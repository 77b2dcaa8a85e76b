"""
Trains and evaluates every row of Tables 2 and 3 of "A Dynamic Window Neural Network for CCG
Supertagging" and prints the tables with the published figures beside one's own.

    LISA_DATA=ccgbank LISA_CORPUS=.../data/AUTO LISA_VECTORS=.../glove.6B.200d.txt \
        python scripts/reproduce_supertagger.py OUT --test '.../data/AUTO#23'

Each row is a config of training_configs/ccg. What is already trained in OUT is not trained again,
so that an interrupted run can go on.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

from lisa_allennlp.__main__ import main as lisa

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs" / "ccg"


class Row(NamedTuple):
    """A row of the tables: its name, its config, and the published accuracies."""

    table: int
    name: str
    config: str
    dev: float
    test: Optional[float] = None


ROWS = [
    Row(2, "MLP", "mlp", 92.06, 92.28),
    Row(2, "Elman RNN", "elman", 92.74, 92.89),
    Row(2, "Jordan RNN", "jordan", 92.61, 92.75),
    Row(2, "forward LSTM", "lstm", 93.39, 93.51),
    Row(2, "bi-LSTM", "bilstm", 94.1, 94.13),
    Row(2, "stacked bi-LSTM (depth 2)", "stacked_bilstm", 94.4, 94.69),
    Row(2, "stacked bi-LSTM (no dyn)", "stacked_bilstm_no_dyn", 94.02, 94.09),
    Row(2, "stacked bi-LSTM (no char)", "stacked_bilstm_no_char", 93.89, 94.21),
    Row(2, "stacked bi-LSTM (drop emb)", "stacked_bilstm_drop_emb", 94.13, 94.33),
    Row(2, "stacked bi-LSTM (no dropout)", "stacked_bilstm_no_dropout", 94.06, 94.25),
    Row(3, "one layer (origin)", "stacked_bilstm", 94.4),
    Row(3, "one layer (CNN)", "stacked_bilstm_cnn_gate", 94.05),
    Row(3, "two layer (MLP)", "stacked_bilstm_mlp_gate", 94.23),
    Row(3, "averaging", "stacked_bilstm_averaging", 93.95),
]


def train(row: Row, folder: Path, overrides: str) -> float:
    """Trains the row's network unless that is done. Returns its best development accuracy."""
    if not (folder / "model.tar.gz").exists():
        arguments = ["train", str(CONFIGS / f"{row.config}.jsonnet"), "-s", str(folder)]
        run(arguments + ["--overrides", overrides] + ["--recover"] * folder.exists())
    return json.loads((folder / "metrics.json").read_text())["best_validation_accuracy"]


def evaluate(folder: Path, test: str) -> float:
    """The test accuracy of a trained network."""
    metrics = folder / "test.json"
    run(["evaluate", str(folder / "model.tar.gz"), test, "--output-file", str(metrics)])
    return json.loads(metrics.read_text())["accuracy"]


def run(arguments: List[str]) -> None:
    """
    # Raises

    `SystemExit`
        If the command fails, which has printed why.
    """
    status = lisa(arguments)
    if status:
        raise SystemExit(status)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Prints the tables; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder for the trained networks")
    parser.add_argument("--test", help="the test data; none are needed for Table 3")
    configs = list(dict.fromkeys(row.config for row in ROWS))
    parser.add_argument("--rows", nargs="+", choices=configs, default=configs, metavar="CONFIG")
    parser.add_argument("--overrides", default="{}", help="JSON, as for lisa train")
    args = parser.parse_args(arguments)
    lines = [
        "| table | network | dev, paper | dev, here | test, paper | test, here |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in ROWS:
        if row.config not in args.rows:
            continue
        folder = args.out / row.config
        dev = train(row, folder, args.overrides)
        has_test = args.test is not None and row.test is not None
        test = f"{evaluate(folder, args.test):.2f}" if has_test else "-"
        published = "-" if row.test is None else f"{row.test:.2f}"
        lines.append(
            f"| {row.table} | {row.name} | {row.dev:.2f} | {dev:.2f} | {published} | {test} |"
        )
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
