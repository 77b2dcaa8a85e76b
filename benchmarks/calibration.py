"""
Whether LISA's probabilities mean what they say, and what `min_probability` and
`predicate_threshold` do to F1, on the development part. Temperatures are fitted, and
`min_probability` is chosen, on every other sentence; all figures are of the rest.

    python -m benchmarks.calibration --archive MODEL [--corpus DIR] [--plot FILE] [--json FILE]
        [--check]
"""

import argparse
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy
from matplotlib.figure import Figure

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import Report, make_parser, read_dev
from lisa_allennlp.analysis.plots import STYLES, empty_figure
from lisa_allennlp.data.formats.roles import VERB, without_arguments
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.training.metrics import SrlScore

TEMPERATURES = [round(1.0 + 0.1 * step, 1) for step in range(11)]
MIN_PROBABILITIES = [round(0.05 * step, 2) for step in range(13)]
PREDICATE_THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
HEADER = ["label", "number", "mean", "right", "ECE", "log loss"]
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

    def add(self, probability: float, is_right: bool) -> None:
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
            assert frame.probability is not None
            outcomes["predicates"].add(frame.probability, wanted is not None)
            if wanted is not None and frame.sense_probability is not None:
                is_right = frame.sense == wanted.sense
                outcomes["senses"].add(frame.sense_probability, is_right)
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


def make_label(archive: str, gold: Sentences) -> Callable[..., List[Sentence]]:
    """Returns a function that labels the sentences with overrides of the model's config."""
    words = [sentence.words for sentence in gold]

    def label(**overrides: Any) -> List[Sentence]:
        changes = {f"model.{name}": value for name, value in overrides.items()}
        labeller = load_labeller(archive, overrides=changes, probabilities=True)
        return list(labeller.pipe(words))  # type: ignore[arg-type]

    return label


def at_temperatures(spans: float, arcs: float, senses: float) -> Dict[str, float]:
    """Returns the config of `Confidence`."""
    return {"role_temperature": spans, "arc_temperature": arcs, "sense_temperature": senses}


def halves(sentences: Sentences) -> List[Sentences]:
    """Every other sentence, so that both halves have all genres."""
    return [sentences[::2], sentences[1::2]]


def best_temperature(runs: Dict[float, List[Sentence]], gold: Sentences, task: str) -> float:
    losses = {
        temperature: outcomes_of(predicted, gold, spans_at_gold=True)[task].log_loss()
        for temperature, predicted in runs.items()
    }
    return min(losses, key=lambda temperature: losses[temperature])


def calibration_rows(name: str, predicted: Sentences, gold: Sentences) -> List[List[Any]]:
    tasks = outcomes_of(predicted, gold)
    at_gold = outcomes_of(predicted, gold, spans_at_gold=True)["spans"]
    rows = []
    for task, outcomes in {"spans of right predicates": at_gold, **tasks}.items():
        means = (
            100 * float(numpy.mean(of_labels))
            for of_labels in (outcomes.probabilities, outcomes.right)
        )
        errors = calibration_error(bins_of(outcomes)), outcomes.log_loss()
        rows.append([f"{task}, {name}", float(len(outcomes.right)), *means, *errors])
    return rows


def with_probable_arguments(sentences: Sentences, minimum: float) -> List[Sentence]:
    """Returns the sentences as `min_probability` leaves them."""

    def filtered(sentence: Sentence) -> Sentence:
        frames = []
        for frame in sentence.frames or []:
            is_out = [False] * len(frame.tags)
            for span in frame.roles:
                is_out[span.first] = span.probability is not None and span.probability < minimum
            tags = without_arguments(frame.tags, is_out)
            frames.append(replace(frame, tags=tags, span_probabilities=None))
        return replace(sentence, frames=frames)

    return [filtered(sentence) for sentence in sentences]


def f1_of(predicted: Sentences, gold: Sentences) -> Dict[str, float]:
    metric = SrlScore()
    metric(predicted, gold)
    return metric.get_metric()


def f1_row(name: str, predicted: Sentences, gold: Sentences) -> List[Any]:
    return [name, *f1_of(predicted, gold).values()]


def choose_min_probability(predicted: Sentences, gold: Sentences) -> float:
    """Returns the value of `min_probability` with the best F1."""
    scores = {
        minimum: f1_of(with_probable_arguments(predicted, minimum), gold)["srl_f1"]
        for minimum in MIN_PROBABILITIES
    }
    return max(scores, key=lambda minimum: scores[minimum])


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--archive", required=True, help="a trained LISA or SA")
    parser.add_argument("--plot", type=Path, help="draw the reliability to this SVG or PNG file")
    args = parser.parse_args()
    gold = read_dev(args.corpus)
    report = Report("calibration", args, data=f"{len(gold)} sentences of dev, in two halves")
    run(args, gold, report)
    return report.finish()


def run(args: argparse.Namespace, gold: List[Sentence], report: Report) -> None:
    label = make_label(args.archive, gold)
    fit, test = halves(gold)
    runs = {t: label(confidence=at_temperatures(t, t, t)) for t in TEMPERATURES}
    for_fit = {t: list(halves(predicted)[0]) for t, predicted in runs.items()}
    tasks = [task for task in ("spans", "arcs", "senses") if task in outcomes_of(runs[1.0], gold)]
    fitted = {task: best_temperature(for_fit, fit, task) for task in tasks}
    report.table(["temperature", "fitted"], [[task, value] for task, value in fitted.items()])

    roles = fitted["spans"]
    temperatures = at_temperatures(roles, fitted.get("arcs", 1.0), fitted.get("senses", 1.0))
    best = label(confidence=temperatures)
    plain, scaled = (halves(predicted)[1] for predicted in (runs[1.0], best))
    rows = calibration_rows("temperature 1", plain, test)
    report.table(HEADER, rows + calibration_rows("fitted temperatures", scaled, test))

    header = ["system", *f1_of(scaled, test)]
    chosen = choose_min_probability(for_fit[roles], fit)
    report.table(["min_probability", "chosen"], [["arguments", chosen]])
    report.table(
        header,
        [
            f1_row(f"min_probability {m}", with_probable_arguments(scaled, m), test)
            for m in sorted({*MIN_PROBABILITIES, chosen})
        ],
    )
    thresholds = {t: halves(label(predicate_threshold=t))[1] for t in PREDICATE_THRESHOLDS}
    report.table(
        header, [f1_row(f"predicate_threshold {t}", p, test) for t, p in thresholds.items()]
    )
    for task, outcomes in outcomes_of(scaled, test, spans_at_gold=True).items():
        report.at_most(f"ECE of {task}", calibration_error(bins_of(outcomes)), BAR)
    if args.plot is not None:
        plain_spans = outcomes_of(plain, test, spans_at_gold=True)["spans"]
        curves = {"spans, temperature 1": bins_of(plain_spans)}
        for task, outcomes in outcomes_of(scaled, test, spans_at_gold=True).items():
            curves[task] = bins_of(outcomes)
        draw_reliability(curves).savefig(args.plot, dpi=150)


if __name__ == "__main__":
    sys.exit(main())
