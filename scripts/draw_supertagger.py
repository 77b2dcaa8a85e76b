"""
Draws Figures 3 and 4 of "A Dynamic Window Neural Network for CCG Supertagging" as SVG files, from
trainings of one's own.

    python scripts/draw_supertagger.py curves OUT.svg NAME=FOLDER NAME=FOLDER ...
    python scripts/draw_supertagger.py gates OUT.svg FOLDER

`curves` draws the development accuracy of several trainings over their epochs (Figure 3); `gates`
what the callback gate_recorder has written in one (Figure 4): a row for each word, in it a panel
for each position of the window, in each panel a gate from 0 to 1 over the epochs.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple
from xml.sax.saxutils import escape

Point = Tuple[float, float]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]
MARGIN = 46


def read_curve(folder: Path) -> List[Point]:
    """Epochs, from 1, and the development accuracy after each, in per cent."""
    points = []
    for path in folder.glob("metrics_epoch_*.json"):
        match = re.fullmatch(r"metrics_epoch_(\d+)", path.stem)
        assert match is not None
        accuracy = json.loads(path.read_text())["validation_accuracy"]
        points.append((int(match.group(1)) + 1, accuracy))
    if not points:
        raise SystemExit(f"{folder}: found no metrics_epoch_*.json; expected a training's folder")
    return sorted(points)


def read_gates(folder: Path) -> Dict[str, List[List[Point]]]:
    """For each word and each position of the window: epochs, and the gate after each."""
    path = folder / "gates.jsonl"
    if not path.exists():
        raise SystemExit(f"{path}: no such file; expected a training with the gate_recorder")
    curves: Dict[str, List[List[Point]]] = {}
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        for word, gates in record["gates"].items():
            positions = curves.setdefault(word, [[] for _ in gates])
            for position, gate in zip(positions, gates, strict=True):
                position.append((record["epoch"], gate))
    return curves


def draw_curves(curves: Dict[str, List[Point]], width: int = 560, height: int = 360) -> str:
    """Lines with their names in one panel, the axes labelled."""
    points = [point for curve in curves.values() for point in curve]
    lowest, highest = min(y for _, y in points), max(y for _, y in points)
    panel = Panel(
        MARGIN,
        MARGIN / 2,
        width - 1.5 * MARGIN,
        height - 1.5 * MARGIN,
        (1, max(x for x, _ in points)),
        (lowest, highest),
    )
    parts = panel.frame(f"{lowest:.1f}", f"{highest:.1f}")
    parts.append(text(width / 2, height - 6, "epoch", "middle"))
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(panel.line(curve, colour))
        parts.append(text(width - MARGIN, height - MARGIN - 18 * number - 8, name, "end", colour))
    return svg(width, height, parts)


def draw_gates(words: Dict[str, List[List[Point]]], size: int = 90) -> str:
    """Small panels: words below each other, the positions of the window side by side."""
    num_columns = max(map(len, words.values()))
    label, gap = 110, 14
    width = label + num_columns * (size + gap) + gap
    height = 30 + len(words) * (size + gap) + gap
    parts = []
    for row, (word, positions) in enumerate(words.items()):
        top = 30 + row * (size + gap)
        parts.append(text(8, top + size / 2, word, "start"))
        for column, curve in enumerate(positions):
            left = label + column * (size + gap)
            if row == 0:
                offset = column - len(positions) // 2
                parts.append(text(left + size / 2, 20, f"{offset:+d}" if offset else "0", "middle"))
            panel = Panel(left, top, size, size, (0, max(x for x, _ in curve)), (0.0, 1.0))
            parts += [*panel.frame(), panel.line(curve, COLOURS[0])]
    return svg(width, height, parts)


class Panel:
    """A rectangle of the drawing with a scale on each axis."""

    def __init__(
        self, left: float, top: float, width: float, height: float, xs: Point, ys: Point
    ) -> None:
        self.left, self.top, self.width, self.height = left, top, width, height
        self.xs, self.ys = xs, ys

    def place(self, point: Point) -> Point:
        """Where a point of the data is in the drawing."""
        x = (point[0] - self.xs[0]) / ((self.xs[1] - self.xs[0]) or 1)
        y = (point[1] - self.ys[0]) / ((self.ys[1] - self.ys[0]) or 1)
        return self.left + x * self.width, self.top + (1 - y) * self.height

    def line(self, points: Sequence[Point], colour: str) -> str:
        """A line through the points."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.place, points))
        return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>'

    def frame(self, low: Optional[str] = None, high: Optional[str] = None) -> List[str]:
        """The border and, if given, the names of the ends of the vertical axis."""
        parts = [
            f'<rect x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}" '
            f'height="{self.height:.1f}" fill="none" stroke="#999"/>'
        ]
        if low is not None and high is not None:
            bottom = self.top + self.height
            parts.append(text(self.left - 4, bottom, low, "end"))
            parts.append(text(self.left - 4, self.top + 10, high, "end"))
            parts.append(text(self.left, bottom + 14, f"{self.xs[0]:g}", "middle"))
            parts.append(text(self.left + self.width, bottom + 14, f"{self.xs[1]:g}", "middle"))
        return parts


def text(x: float, y: float, content: str, anchor: str, colour: str = "#000") -> str:
    """Text that begins, is centred or ends at a place."""
    attributes = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {attributes}>{escape(content)}</text>"


def svg(width: float, height: float, parts: Sequence[str]) -> str:
    """A whole file."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>\n"])


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Draws one file; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figure", choices=["curves", "gates"])
    parser.add_argument("out", type=Path, help="the SVG file to write")
    parser.add_argument("runs", nargs="+", help="NAME=FOLDER for curves, FOLDER for gates")
    args = parser.parse_args(arguments)
    if args.figure == "curves":
        runs = [run.rpartition("=") for run in args.runs]
        drawing = draw_curves({name or run: read_curve(Path(run)) for name, _, run in runs})
    elif len(args.runs) == 1:
        drawing = draw_gates(read_gates(Path(args.runs[0])))
    else:
        parser.error("gates: expected one folder")
    args.out.write_text(drawing, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
