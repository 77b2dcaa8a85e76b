"""
Draws Figures 2 to 4 of "A Dynamic Window Neural Network for CCG Supertagging" (Wu, Zhang & Zong
2016) from your own training runs. `lisa reproduce --paper ccg` calls it.

    python -m experiments.papers.supertagger_plots curves OUT.svg NAME=FOLDER NAME=FOLDER ...
    python -m experiments.papers.supertagger_plots gates OUT.svg FOLDER

`curves` draws the development accuracy of several training runs by epoch (Figures 2 and 3). Runs of
one name are one curve, their mean, with a band from the lowest to the highest. `gates` draws the
file that the callback gate_recorder wrote in one run (Figure 4), with a row per word and a
panel per position of the window. A panel shows the gate, from 0 to 1, by epoch. The suffix of OUT
sets the format: `.svg`, `.pdf` or `.png`.
"""

import argparse
import itertools
import json
import re
import statistics
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lisa_allennlp.apps.analyze.plots import STYLES, empty_figure

FORMATS = (".pdf", ".png", ".svg")
PANEL_INCHES = 1.2

Curve = List[Tuple[int, float]]
"""Pairs of an epoch and the value after it."""


def read_curve(folder: Path) -> Curve:
    """Epochs, from 1, and the development accuracy in percent."""
    points = []
    for path in folder.glob("metrics_epoch_*.json"):
        match = re.fullmatch(r"metrics_epoch_(\d+)", path.stem)
        assert match is not None
        metrics = json.loads(path.read_text(encoding="utf-8"))
        points.append((int(match.group(1)) + 1, metrics["validation_accuracy"]))
    if not points:
        raise SystemExit(f"{folder}: found no metrics_epoch_*.json; expected a training's folder")
    return sorted(points)


def read_gates(folder: Path) -> Dict[str, List[Curve]]:
    """
    For each word, a curve per position of the window from left to right: epochs, where 0 is before
    training, and the mean gate.
    """
    path = folder / "gates.jsonl"
    if not path.exists():
        raise SystemExit(f"{path}: found no such file; expected a training with the gate_recorder")
    curves: Dict[str, List[Curve]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        for word, gates in record["gates"].items():
            positions = curves.setdefault(word, [[] for _ in gates])
            for position, gate in zip(positions, gates, strict=True):
                position.append((record["epoch"], gate))
    return curves


def draw_curves(runs: Sequence[Tuple[str, Curve]]) -> Figure:
    """
    Draws all curves in one panel, with a legend of their names. Where some runs of a name have
    ended, its curve ends too.
    """
    figure, axes = empty_figure(6, 4)
    axes.set(xlabel="epoch", ylabel="accuracy on dev (%)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    styles = itertools.cycle(STYLES)
    for name, style in zip(dict.fromkeys(name for name, _ in runs), styles, strict=False):
        curves = [curve for other, curve in runs if other == name]
        epochs = [point[0] for point in min(curves, key=len)]
        accuracies = list(zip(*([p[1] for p in c[: len(epochs)]] for c in curves), strict=True))
        means = list(map(statistics.mean, accuracies))
        look: Dict[str, Any] = {
            "color": style.color,
            "linestyle": style.line,
            "marker": style.marker,
        }
        axes.plot(epochs, means, **look, markersize=3, label=_literally(name))
        if len(curves) > 1:
            lowest, highest = list(map(min, accuracies)), list(map(max, accuracies))
            axes.fill_between(epochs, lowest, highest, color=style.color, alpha=0.2, linewidth=0)
    axes.legend(loc="lower right")
    return figure


def draw_gates(words: Dict[str, List[Curve]]) -> Figure:
    """Draws a row of panels per word, with a panel per position of the window."""
    num_columns = max(map(len, words.values()))
    figure = Figure(
        figsize=(PANEL_INCHES * (num_columns + 1), PANEL_INCHES * (len(words) + 0.5)),
        layout="constrained",
    )
    panels = figure.subplots(len(words), num_columns, sharex=True, sharey=True, squeeze=False)
    for row, (word, positions) in zip(panels, words.items(), strict=True):
        row[0].set_ylabel(_literally(word), rotation="horizontal", ha="right", va="center")
        for axes, curve in zip(row, positions, strict=True):
            axes.plot(*zip(*curve, strict=True), marker=".")
            axes.set_ylim(0, 1)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for column, axes in enumerate(panels[0]):
        offset = column - num_columns // 2
        axes.set_title(f"{offset:+d}" if offset else "0")
    figure.supxlabel("epoch")
    return figure


def _literally(text: str) -> str:
    return text.replace("$", r"\$")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figure", choices=["curves", "gates"])
    parser.add_argument("out", type=Path, help=f"the file to write: {', '.join(FORMATS)}")
    parser.add_argument(
        "runs", nargs="+", help="NAME=FOLDER for curves (a name can be repeated), FOLDER for gates"
    )
    args = parser.parse_args(arguments)
    if args.figure == "curves":
        runs = [run.rpartition("=") for run in args.runs]
        figure = draw_curves([(name or run, read_curve(Path(run))) for name, _, run in runs])
    elif len(args.runs) == 1:
        figure = draw_gates(read_gates(Path(args.runs[0])))
    else:
        parser.error(f"gates: found {len(args.runs)} folders; expected one")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
