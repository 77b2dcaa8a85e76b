"""
Figures of an `Analysis`, drawn with Matplotlib. Colour-blind readers can tell the colours apart
(Okabe and Ito 2008); systems also differ in markers, lines and hatches.
"""

import math
from collections import Counter
from typing import TYPE_CHECKING, Dict, List, Mapping, NamedTuple, Sequence, Tuple, Union

from lisa_allennlp.apps.analyze.analysis import Analysis
from lisa_allennlp.apps.analyze.breakdowns import Bin
from lisa_allennlp.apps.analyze.intervals import Score, Share
from lisa_allennlp.apps.analyze.oracle_corrections import PhraseTypes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEP_TITLES = {
    "original": "Original",
    "fix_labels": "Fix\nlabels",
    "move_core_argument": "Move core\nargument",
    "merge_spans": "Merge\nspans",
    "split_spans": "Split\nspans",
    "fix_boundary": "Fix\nboundary",
    "drop_argument": "Drop\nargument",
    "add_argument": "Add\nargument",
    "others": "Others",
}

FIGURES = ("corrections", "phrase_types", "sentence_length", "predicate_distance")

NUM_PHRASE_TYPES = 8

PNG_DOTS_PER_INCH = 150


class Style(NamedTuple):
    color: str
    marker: str
    line: Union[str, Tuple[int, Tuple[int, ...]]]
    hatch: str


STYLES = (
    Style("#0072B2", "o", "-", ""),
    Style("#E69F00", "s", "--", "//"),
    Style("#009E73", "^", "-.", ".."),
    Style("#D55E00", "D", ":", "xx"),
    Style("#CC79A7", "v", (0, (5, 1, 1, 1, 1, 1)), "\\\\"),
    Style("#56B4E9", "P", (0, (8, 2)), "++"),
    Style("#000000", "X", (0, (1, 3)), "oo"),
)


def figures(analysis: Analysis) -> Dict[str, "Figure"]:
    """Draws all of `FIGURES`, without `phrase_types` if there are none."""
    drawn = {"corrections": draw_corrections(analysis)}
    if analysis.phrase_types is not None:
        drawn["phrase_types"] = draw_phrase_types(analysis.phrase_types)
    drawn["sentence_length"] = draw_bins(
        analysis.sentence_lengths, "sentence length (words); n: number of sentences"
    )
    drawn["predicate_distance"] = draw_bins(
        analysis.distances, "words between predicate and argument; n: number of gold arguments"
    )
    return drawn


def draw_corrections(analysis: Analysis) -> "Figure":
    figure, axes = empty_figure(9, 4.5)
    scores = {name: [step.score for step in steps] for name, steps in analysis.corrections.items()}
    _draw_lines(axes, scores)
    steps = next(iter(analysis.corrections.values()))
    axes.set_xticks(range(len(steps)), [STEP_TITLES[step.name] for step in steps])
    axes.set_xlabel("after all corrections up to this one")
    axes.legend(loc="lower right", title="system")
    return figure


def draw_bins(bins: Sequence[Bin], label: str) -> "Figure":
    figure, axes = empty_figure(7, 4.5)
    _draw_lines(axes, {name: [item.scores[name] for item in bins] for name in bins[0].scores})
    names = [f"{item.label}\nn = {item.size:,}" for item in bins]
    axes.set_xticks(range(len(bins)), names)
    axes.set_xlim(-0.5, len(bins) - 0.5)
    axes.set_xlabel(label)
    axes.legend(loc="best", title="system")
    return figure


def draw_phrase_types(phrase_types: PhraseTypes) -> "Figure":
    systems = phrase_types.systems
    totals: Counter[str] = Counter()
    for attachments in systems.values():
        totals.update({label: item.share.number for label, item in attachments.items()})
    types = [label for label, _ in totals.most_common(NUM_PHRASE_TYPES)]
    # The numbers above the bars need room.
    figure, axes = empty_figure(max(9, 2.5 * len(systems)), 4.5)
    width = 0.8 / len(systems)
    for number, (name, attachments) in enumerate(systems.items()):
        offset = (number - (len(systems) - 1) / 2) * width
        places = [place + offset for place in range(len(types))]
        shares = [attachments[t].share if t in attachments else Share(0, 0, 0, 0) for t in types]
        total = sum(item.share.number for item in attachments.values())
        label = f"{_literally(name)} ({total:,})"
        _draw_bars(axes, places, 0.95 * width, shares, label, STYLES[number % len(STYLES)])
    axes.set_xticks(range(len(types)), list(map(_literally, types)))
    axes.set_xlabel(f"{phrase_types.kind} of the second span")
    axes.set_ylabel("share of merges and splits (%)")
    axes.margins(y=0.1)
    axes.legend(title="system (merges and splits)")
    return figure


def empty_figure(width: float, height: float) -> "Tuple[Figure, Axes]":
    """Sizes are in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _draw_lines(axes: "Axes", systems: Mapping[str, Sequence[Score]]) -> None:
    for number, (name, scores) in enumerate(systems.items()):
        style = STYLES[number % len(STYLES)]
        # The points of different systems are set apart, so that their intervals do not overlap.
        shift = 0.08 * (number - (len(systems) - 1) / 2)
        axes.errorbar(
            [place + shift for place in range(len(scores))],
            [score.f1 if score.num_gold else math.nan for score in scores],
            yerr=_errors([(score.f1, score.f1_low, score.f1_high) for score in scores]),
            color=style.color,
            marker=style.marker,
            linestyle=style.line,
            capsize=3,
            label=_literally(name),
        )
    axes.set_ylabel("F1 (%)")


def _draw_bars(
    axes: "Axes",
    places: Sequence[float],
    width: float,
    shares: Sequence[Share],
    label: str,
    style: Style,
) -> None:
    axes.bar(
        places,
        [share.percent for share in shares],
        width,
        yerr=_errors([(share.percent, share.low, share.high) for share in shares]),
        color=style.color,
        hatch=style.hatch,
        edgecolor="white",
        ecolor="#444444",
        capsize=2,
        label=label,
    )
    for place, share in zip(places, shares, strict=True):
        axes.annotate(
            f"{share.number:,}",
            (place, max(share.high, share.percent)),
            (0, 2),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
        )


def _errors(intervals: Sequence[Tuple[float, float, float]]) -> List[List[float]]:
    below = [max(value - low, 0) for value, low, _ in intervals]
    above = [max(high - value, 0) for value, _, high in intervals]
    return [below, above]


def _literally(text: str) -> str:
    return text.replace("$", r"\$")
