"""
Whether LISA's probabilities mean what they say, and what `min_probability` and
`predicate_threshold` do to F1, on the development part. Temperatures are fitted, and
`min_probability` is chosen, on every other sentence; all figures are of the rest.

    python -m benchmarks.calibration --archive MODEL [--corpus DIR] [--plot FILE] [--json FILE]
        [--check]
"""

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy
from matplotlib.figure import Figure

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import Report, make_parser, read_dev
from lisa_allennlp.apps.analyze.plots import STYLES, empty_figure
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.sentence.roles import VERB, without_arguments
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.training.metrics import SrlScore

TEMPERATURES = [round(1.0 + 0.1 * step, 1) for step in range(11)]
MIN_PROBABILITIES = [round(0.05 * step, 2) for step in range(13)]
PREDICATE_THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
FITTED = {"spans": "role_temperature", "arcs": "arc_temperature", "senses": "sense_temperature"}
"""The temperature of `Confidence` for each task."""

BAR = 3.0
"""For the expected calibration error at fitted temperatures, in percent."""

Sentences = Sequence[Sentence]

NUM_BINS = 15
_LEAST = 1e-6
"""The log loss takes smaller probabilities for this one, so that one error cannot outweigh all."""


@dataclass
class Outcomes:
    """The probabilities of labels, and whether they were right."""

    probabilities: List[float] = field(default_factory=list)
    right: List[bool] = field(default_factory=list)

    def add(self, probability: Optional[float], is_right: bool) -> None:
        assert probability is not None
        self.probabilities.append(probability)
        self.right.append(is_right)

    def log_loss(self) -> float:
        """Returns the mean negative log-likelihood of what was right and wrong, in nats."""
        probabilities = numpy.clip(self.probabilities, _LEAST, 1 - _LEAST)
        of_outcomes = numpy.where(self.right, probabilities, 1 - probabilities)
        return float(-numpy.log(of_outcomes).mean())


class ReliabilityBin(NamedTuple):
    """Labels of similar probability: their number, mean probability and share of right ones."""

    number: int
    probability: float
    accuracy: float


def bins_of(outcomes: Outcomes, number: int = NUM_BINS) -> List[ReliabilityBin]:
    """Returns the bins that are not empty, of equal width, by increasing probability."""
    order = numpy.argsort(outcomes.probabilities, kind="stable")
    probabilities = numpy.array(outcomes.probabilities)[order]
    right = numpy.array(outcomes.right, dtype=float)[order]
    edges = numpy.searchsorted(probabilities, numpy.arange(1, number) / number)
    groups = numpy.split(numpy.arange(len(order)), edges)
    return [
        ReliabilityBin(len(group), float(probabilities[group].mean()), float(right[group].mean()))
        for group in groups
        if len(group)
    ]


def calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """
    Returns the expected calibration error (Guo et al. 2017) in percent, the mean difference between
    probability and accuracy over the bins, weighted by their numbers.
    """
    total = sum(one.number for one in bins)
    return 100 * sum(one.number * abs(one.probability - one.accuracy) for one in bins) / total


def outcomes_of(
    predicted: Sentences, gold: Sentences, spans_at_gold: bool = False
) -> Dict[str, Outcomes]:
    """
    Returns the outcomes of the tasks that have labels: `spans` other than V, which are right if
    predicate, role and both ends are in gold; `predicates` found; `arcs`, right if head and label
    are; `tags`; and `senses` of predicates that are in gold. `spans_at_gold` leaves out the spans
    of predicates that are not.
    """
    outcomes = {name: Outcomes() for name in ("spans", "predicates", "arcs", "tags", "senses")}
    for ours, theirs in zip(predicted, gold, strict=True):
        frames = {frame.predicate: frame for frame in theirs.frames or []}
        for frame in ours.frames or []:
            wanted = frames.get(frame.predicate)
            outcomes["predicates"].add(frame.probability, wanted is not None)
            if wanted is not None and frame.sense_probability is not None:
                outcomes["senses"].add(frame.sense_probability, frame.sense == wanted.sense)
            if wanted is not None or not spans_at_gold:
                _add_spans(outcomes["spans"], frame, wanted)
        for arc, other in zip(ours.arcs or [], theirs.arcs or [], strict=False):
            is_right = (arc.head, arc.head_tag) == (other.head, other.head_tag)
            outcomes["arcs"].add(arc.probability, is_right)
        tags = zip(ours.pos_probabilities or [], ours.pos or [], theirs.pos or [], strict=False)
        for probability, tag, other_tag in tags:
            outcomes["tags"].add(probability, tag == other_tag)
    return {name: found for name, found in outcomes.items() if found.right}


def _add_spans(outcomes: Outcomes, frame: Frame, wanted: Optional[Frame]) -> None:
    spans = set() if wanted is None else {(s.role, s.first, s.last) for s in wanted.roles}
    for span in frame.roles:
        if span.role != VERB:
            outcomes.add(span.probability, (span.role, span.first, span.last) in spans)


def draw_reliability(curves: Mapping[str, Sequence[ReliabilityBin]]) -> Figure:
    """Draws the share of right labels by probability. On the diagonal, both are the same."""
    figure, axes = empty_figure(5, 4.5)
    axes.plot([0, 100], [0, 100], color="#888888", linewidth=1)
    for (name, bins), style in zip(curves.items(), STYLES, strict=False):
        points = zip(*((100 * one.probability, 100 * one.accuracy) for one in bins), strict=True)
        look = {"color": style.color, "marker": style.marker, "linestyle": style.line}
        axes.plot(*map(list, points), label=name, **look)
    axes.set_xlabel("probability (%)")
    axes.set_ylabel("right (%)")
    axes.legend(loc="upper left")
    return figure


def halves(sentences: Sentences) -> List[Sentences]:
    return [sentences[::2], sentences[1::2]]


def calibration_rows(name: str, predicted: Sentences, gold: Sentences) -> List[List[Any]]:
    at_gold = outcomes_of(predicted, gold, spans_at_gold=True)["spans"]
    tasks = {"spans of right predicates": at_gold, **outcomes_of(predicted, gold)}
    rows = []
    for task, outcomes in tasks.items():
        means = [100 * float(numpy.mean(o)) for o in (outcomes.probabilities, outcomes.right)]
        errors = calibration_error(bins_of(outcomes)), outcomes.log_loss()
        rows.append([f"{task}, {name}", float(len(outcomes.right)), *means, *errors])
    return rows


def with_probable_arguments(sentences: Sentences, minimum: float) -> List[Sentence]:
    def filtered(frame: Frame) -> Frame:
        is_out = [False] * len(frame.tags)
        for span in frame.roles:
            is_out[span.first] = span.probability is not None and span.probability < minimum
        tags = without_arguments(frame.tags, is_out)
        return replace(frame, tags=tags, span_probabilities=None)

    return [replace(s, frames=[filtered(frame) for frame in s.frames or []]) for s in sentences]


def f1_of(predicted: Sentences, gold: Sentences) -> Dict[str, float]:
    metric = SrlScore()
    metric(predicted, gold)
    return metric.get_metric()


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--archive", required=True, help="a trained LISA or SA")
    parser.add_argument("--plot", type=Path, help="draw the reliability to this SVG or PNG file")
    args = parser.parse_args()
    gold = read_dev(args.corpus)
    report = Report("calibration", args, data=f"{len(gold)} sentences of dev, in two halves")
    words = [sentence.words for sentence in gold]

    def label(**overrides: Any) -> List[Sentences]:
        changes = {f"model.{name}": value for name, value in overrides.items()}
        labeller = load_labeller(args.archive, overrides=changes, probabilities=True)
        return halves(list(labeller.pipe(words)))

    fit, test = halves(gold)
    runs = {t: label(confidence=dict.fromkeys(FITTED.values(), t)) for t in TEMPERATURES}
    outcomes = {t: outcomes_of(own, fit, spans_at_gold=True) for t, (own, _) in runs.items()}
    fitted = {
        task: min(TEMPERATURES, key=lambda t, task=task: outcomes[t][task].log_loss())
        for task in FITTED
        if task in outcomes[1.0]
    }
    report.table(["temperature", "fitted"], [[task, value] for task, value in fitted.items()])
    plain = runs[1.0][1]
    scaled = label(confidence={name: fitted.get(task, 1.0) for task, name in FITTED.items()})[1]
    rows = calibration_rows("temperature 1", plain, test)
    rows += calibration_rows("fitted temperatures", scaled, test)
    report.table(["label", "number", "mean", "right", "ECE", "log loss"], rows)

    for_fit = runs[fitted["spans"]][0]
    f1 = {m: f1_of(with_probable_arguments(for_fit, m), fit)["srl_f1"] for m in MIN_PROBABILITIES}
    report.table(["min_probability", "chosen"], [["arguments", max(f1, key=lambda m: f1[m])]])
    left = {f"min_probability {m}": with_probable_arguments(scaled, m) for m in MIN_PROBABILITIES}
    for threshold in PREDICATE_THRESHOLDS:
        left[f"predicate_threshold {threshold}"] = label(predicate_threshold=threshold)[1]
    found = {name: f1_of(predicted, test) for name, predicted in left.items()}
    header = ["system", *next(iter(found.values()))]
    report.table(header, [[name, *figures.values()] for name, figures in found.items()])
    curves = {"spans, temperature 1": outcomes_of(plain, test, spans_at_gold=True)["spans"]}
    curves.update(outcomes_of(scaled, test, spans_at_gold=True))
    bins = {name: bins_of(of_labels) for name, of_labels in curves.items()}
    for task in [*bins][1:]:
        report.at_most(f"ECE of {task}", calibration_error(bins[task]), BAR)
    if args.plot is not None:
        draw_reliability(bins).savefig(args.plot, dpi=150)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
