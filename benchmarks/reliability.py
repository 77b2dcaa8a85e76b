"""
Whether probabilities mean what they say: of labels with a probability of 0.8, 80 % should be right.

    >>> outcomes = Outcomes([0.9, 0.9, 0.6, 0.6], [True, True, True, False])
    >>> [(one.number, round(one.probability, 2), one.accuracy) for one in bins_of(outcomes, 10)]
    [(2, 0.6, 0.5), (2, 0.9, 1.0)]
    >>> round(calibration_error(bins_of(outcomes, 10)), 2)
    10.0
"""

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy
from matplotlib.figure import Figure

from lisa_allennlp.analysis.plots import STYLES, empty_figure
from lisa_allennlp.data.formats.roles import VERB
from lisa_allennlp.data.sentence import Frame, Sentence

NUM_BINS = 15
_LEAST = 1e-6
"""The log loss takes smaller probabilities for this one, so that one error cannot outweigh all."""


@dataclass
class Outcomes:
    """
    The probabilities of labels, and whether they were right.

    # Parameters

    probabilities : `List[float]`
    right : `List[bool]`
    """

    probabilities: List[float] = field(default_factory=list)
    right: List[bool] = field(default_factory=list)

    def add(self, probability: float, is_right: bool) -> None:
        """Adds a label."""
        self.probabilities.append(probability)
        self.right.append(is_right)

    def log_loss(self) -> float:
        """The mean negative log-likelihood of what was right and wrong, in nats."""
        probabilities = numpy.clip(self.probabilities, _LEAST, 1 - _LEAST)
        of_outcomes = numpy.where(self.right, probabilities, 1 - probabilities)
        return float(-numpy.log(of_outcomes).mean())


class ReliabilityBin(NamedTuple):
    """
    Labels of similar probability.

    # Parameters

    number : `int`
        At least 1.
    probability : `float`
        Their mean probability.
    accuracy : `float`
        The share of right ones, from 0 to 1.
    """

    number: int
    probability: float
    accuracy: float


def bins_of(
    outcomes: Outcomes, number: int = NUM_BINS, adaptive: bool = False
) -> List[ReliabilityBin]:
    """
    # Parameters

    outcomes : `Outcomes`
    number : `int`, optional (default = `15`)
        The number of bins.
    adaptive : `bool`, optional (default = `False`)
        Whether the bins have the same number of labels each (Nguyen and O'Connor 2015), instead of
        the same width.

    # Returns

    `List[ReliabilityBin]`
        The bins that are not empty, by increasing probability.
    """
    order = numpy.argsort(outcomes.probabilities, kind="stable")
    probabilities = numpy.array(outcomes.probabilities)[order]
    right = numpy.array(outcomes.right, dtype=float)[order]
    if adaptive:
        groups = numpy.array_split(numpy.arange(len(order)), number)
    else:
        edges = numpy.searchsorted(probabilities, numpy.arange(1, number) / number)
        groups = numpy.split(numpy.arange(len(order)), edges)
    return [
        ReliabilityBin(len(group), float(probabilities[group].mean()), float(right[group].mean()))
        for group in groups
        if len(group)
    ]


def calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """
    The expected calibration error (Guo et al. 2017), in percent: the mean difference between
    probability and accuracy over the bins, weighted by their numbers. 0 without labels.
    """
    total = sum(one.number for one in bins)
    differences = sum(one.number * abs(one.probability - one.accuracy) for one in bins)
    return 100 * differences / total if total else 0.0


def outcomes_of(
    predicted: Sequence[Sentence], gold: Sequence[Sentence], spans_at_gold: bool = False
) -> Dict[str, Outcomes]:
    """
    # Parameters

    predicted : `Sequence[Sentence]`
        Labelled with probabilities.
    gold : `Sequence[Sentence]`
        With roles, tags and trees.
    spans_at_gold : `bool`, optional (default = `False`)
        Whether to leave out the spans of predicates that are not in gold.

    # Returns

    `Dict[str, Outcomes]`
        `spans` other than V, which are right if predicate, role and both ends are in gold;
        `predicates`, of those found; `arcs`, right if head and label are; and `tags`. Tasks without
        labels are left out.
    """
    outcomes = {name: Outcomes() for name in ("spans", "predicates", "arcs", "tags")}
    for ours, theirs in zip(predicted, gold, strict=True):
        frames = {frame.predicate: frame for frame in theirs.frames or []}
        for frame in ours.frames or []:
            wanted = frames.get(frame.predicate)
            assert frame.probability is not None
            outcomes["predicates"].add(frame.probability, wanted is not None)
            if wanted is not None or not spans_at_gold:
                _add_spans(outcomes["spans"], frame, wanted)
        if ours.arcs is not None and theirs.arcs is not None:
            for arc, other in zip(ours.arcs, theirs.arcs, strict=True):
                is_right = (arc.head, arc.head_tag) == (other.head, other.head_tag)
                assert arc.probability is not None
                outcomes["arcs"].add(arc.probability, is_right)
        if ours.pos_probabilities is not None:
            for probability, tag, other_tag in zip(
                ours.pos_probabilities, ours.pos or [], theirs.pos or [], strict=True
            ):
                outcomes["tags"].add(probability, tag == other_tag)
    return {name: found for name, found in outcomes.items() if found.right}


def _add_spans(outcomes: Outcomes, frame: Frame, wanted: Optional[Frame]) -> None:
    spans = set() if wanted is None else {(s.role, s.first, s.last) for s in wanted.roles}
    for span in frame.roles:
        if span.role != VERB:
            assert span.probability is not None
            outcomes.add(span.probability, (span.role, span.first, span.last) in spans)


def draw_reliability(curves: Mapping[str, Sequence[ReliabilityBin]]) -> Figure:
    """Draws the share of right labels by probability. On the diagonal, both are the same."""
    figure, axes = empty_figure(5, 4.5)
    axes.plot([0, 100], [0, 100], color="#888888", linewidth=1)
    for (name, bins), style in zip(curves.items(), STYLES, strict=False):
        axes.plot(
            [100 * one.probability for one in bins],
            [100 * one.accuracy for one in bins],
            color=style.color,
            marker=style.marker,
            linestyle=style.line,
            label=name,
        )
    axes.set_xlabel("probability (%)")
    axes.set_ylabel("right (%)")
    axes.legend(loc="upper left")
    return figure
