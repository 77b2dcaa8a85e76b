"""The metrics, against the official scorers, AllenNLP's metrics and closed forms."""

import random
import statistics
from typing import Any, Dict, List, Sequence, Tuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from lisa_allennlp.training.metrics import (
    DependencyScore,
    MeanLosses,
    PosAccuracy,
    PredicateScore,
    SenseAccuracy,
    SentenceMetric,
    SrlScore,
)
from tests.scoring.conllx_test import GOLD, PREDICTED
from tests.scoring.srl_eval import (
    random_pair,
    run_srl_eval,
    sentence_of,
    table_row,
    with_empty_propositions,
)
from tests.training.two_workers import run_on_two_workers

METRICS = [SrlScore, PredicateScore, PosAccuracy, DependencyScore]
WORDS = ["a", "b", ",", "c"]


def score(
    metric: SentenceMetric, predicted: Sequence[Sentence], gold: Sequence[Sentence]
) -> Dict[str, float]:
    metric(predicted, gold)
    return metric.get_metric()


def full_sentence(role: str = "B-A0") -> Sentence:
    return Sentence(
        WORDS,
        pos=["DT"] * 4,
        frames=[Frame(1, [role, "B-V", "O", "B-A1"])],
        parse=Parse([1, 1, 1, 1], ["dep", "root", "dep", "dep"]),
    )


def count(metric: SentenceMetric, pairs: Sequence[Tuple[Sentence, Sentence]]) -> None:
    metric([predicted for predicted, _ in pairs], [gold for _, gold in pairs])


@pytest.mark.parametrize("metric_class", METRICS)
def test_what_does_not_count(metric_class: Any) -> None:
    metric, gold = metric_class(), full_sentence()
    assert score(metric, [gold], [Sentence(WORDS)]) == {}
    assert score(metric, [gold], [gold]) and metric.get_metric(reset=True)
    assert metric.get_metric() == {}


def assert_workers_agree(rank: int, _: int, device: Any, shares: Any, expected: Any) -> None:
    metrics = [metric_class() for metric_class in METRICS]
    for metric in metrics:
        count(metric, shares[rank])
    for _ in range(2):  # A second look does not add the others' counts again.
        assert [metric.get_metric() for metric in metrics] == expected
    assert [metric.get_metric(reset=True) for metric in metrics] == expected
    assert [metric.get_metric() for metric in metrics] == [{}] * len(METRICS)
    losses = MeanLosses()
    losses({"arc_loss" if rank == 0 else "srl_loss": torch.tensor(float(rank))})
    losses({"loss": torch.tensor(1.0 + 4 * rank)})
    assert losses.get_metric(reset=True) == {"arc_loss": 0.0, "loss": 3.0, "srl_loss": 1.0}


def test_batches_and_workers_sum_their_counts() -> None:
    gold, wrong = full_sentence(), full_sentence("B-C-A0")
    other = Sentence(WORDS, pos=["VB"] * 4, frames=[], parse=Parse([0, 0, 1, 2], ["dep"] * 4))
    # The second worker's share has no gold annotation: it must report what the first counted.
    shares = [[(wrong, gold), (other, gold), (gold, other)], [(gold, Sentence(WORDS))]]
    expected = []
    for metric_class in METRICS:
        metric, batched = metric_class(), metric_class()
        count(metric, shares[0] + shares[1])
        expected.append(metric.get_metric())
        for pair in shares[0] + shares[1]:
            count(batched, [pair])
            batched.get_metric()  # Looking at it midway changes nothing.
        assert batched.get_metric() == expected[-1]
    run_on_two_workers(assert_workers_agree, shares, expected)


def test_attachment_scores_with_and_without_punctuation() -> None:
    expected = {"uas": 75, "las": 50, "uas_with_punct": 60, "las_with_punct": 40}
    assert score(DependencyScore(), [PREDICTED], [GOLD]) == pytest.approx(expected)
    stop = [Sentence(["."], parse=Parse([0], ["root"]))]
    assert score(DependencyScore(), stop, stop) == {"uas_with_punct": 100, "las_with_punct": 100}


def test_pos_accuracy_is_over_tokens() -> None:
    predicted = [Sentence(WORDS, pos=["DT", "NN", "VBN", ","]), Sentence(["Yes"], pos=["UH"])]
    gold = [Sentence(WORDS, pos=["DT", "NN", "VBD", "."]), Sentence(["Yes"], pos=["UH"])]
    assert score(PosAccuracy(), predicted, gold) == {"pos_accuracy": pytest.approx(60)}


LENGTH = 8
POSITIONS = st.sets(st.integers(0, LENGTH - 1))


def with_predicates(predicates: Any) -> Sentence:
    tags = [["B-V" if i == p else "O" for i in range(LENGTH)] for p in predicates]
    return sentence_of(LENGTH, *map(Frame, predicates, tags))


@given(st.lists(st.tuples(POSITIONS, POSITIONS), min_size=1, max_size=5))
def test_the_score_of_predicates_is_that_of_their_positions(pairs: Any) -> None:
    found = {(i, p) for i, (predicted, _) in enumerate(pairs) for p in predicted}
    wanted = {(i, p) for i, (_, gold) in enumerate(pairs) for p in gold}
    both = len(found & wanted)
    # The closed form of F1 (Dice's coefficient) needs neither precision nor recall.
    expected = {
        "predicate_precision": 100 * both / len(found) if found else 0,
        "predicate_recall": 100 * both / len(wanted) if wanted else 0,
        "predicate_f1": 200 * both / (len(found) + len(wanted)) if both else 0,
    }
    predicted, gold = zip(*pairs, strict=True)
    scores = score(
        PredicateScore(), [*map(with_predicates, predicted)], [*map(with_predicates, gold)]
    )
    assert {name: scores[name] for name in expected} == pytest.approx(expected)


def as_printed(*values: float) -> Tuple[str, ...]:
    return tuple(f"{value:.2f}" for value in values)


def official(scores: Dict[str, float]) -> Tuple[str, ...]:
    return as_printed(scores["srl_precision"], scores["srl_recall"], scores["srl_f1"])


def srl_eval(predicted: Sequence[Sentence], gold: Sequence[Sentence]) -> Tuple[str, ...]:
    """What the official script prints of propositions by position."""
    return table_row(run_srl_eval(predicted, gold, lemmas=False), "Overall")[3:]


def test_srl_scores_are_what_srl_eval_prints() -> None:
    """The strict ones with an empty gold frame for each spurious one."""
    rng = random.Random(11)
    pairs = [random_pair(rng) for _ in range(200)]
    predicted, gold = zip(*pairs, strict=True)
    scores = score(SrlScore(), predicted, gold)
    assert official(scores) == srl_eval(predicted, gold)
    strict = (scores["srl_precision_strict"], scores["srl_recall"], scores["srl_f1_strict"])
    assert as_printed(*strict) == srl_eval(predicted, with_empty_propositions(pairs))
    scores = score(PredicateScore(), predicted, gold)
    row = as_printed(*(scores[f"srl_v_{name}"] for name in ("precision", "recall", "f1")))
    assert row == table_row(run_srl_eval(predicted, gold), "V")[3:]
    assert all(0 < float(value) < 100 for value in row)


def test_lemmas_and_senses_do_not_count() -> None:
    gold = sentence_of(2, Frame(0, ["B-V", "B-A1"], lemma="run", sense="02"))
    predicted = sentence_of(2, Frame(0, ["B-V", "B-A1"]))
    assert score(SrlScore(), [predicted], [gold])["srl_f1"] == 100
    # Annotated as having none is something else than not annotated.
    assert set(score(SrlScore(), [predicted], [sentence_of(2)]).values()) == {0.0}


def with_senses(**senses: str) -> Sentence:
    words = ["Stop", "or", "go", "on"]
    frames = [Frame(words.index(word), ["O"] * 4, sense=sense) for word, sense in senses.items()]
    return Sentence(words, frames=frames)


def test_only_found_predicates_with_a_known_sense_count() -> None:
    gold = with_senses(Stop="stop.01", go="go_on.15", on="-")
    for predicted, expected in (
        (with_senses(Stop="stop.01", go="go.15", on="on.01"), {"sense_accuracy": 50}),
        # "go" is missed, and "or" is spurious.
        (with_senses(Stop="stop.01", **{"or": "or.01"}), {"sense_accuracy": 100}),
        (with_senses(on="on.01"), {}),
    ):
        assert score(SenseAccuracy(), [predicted], [gold]) == expected


def test_mean_losses() -> None:
    metric = MeanLosses()
    losses: List[float] = [1.5, 4.0, 0.25]
    for loss in losses:
        metric({"arc_loss": torch.tensor(loss, requires_grad=True)})
    metric({"srl_loss": torch.tensor(7.0)})
    expected = {"arc_loss": statistics.fmean(losses), "srl_loss": 7.0}
    assert metric.get_metric(reset=True) == pytest.approx(expected)
    assert metric.get_metric() == {"arc_loss": 0.0, "srl_loss": 0.0}
    # Losses are not read before they are asked for: the meta device has no values.
    metric({"loss": torch.zeros((), device="meta")})
    metric({"loss": torch.zeros((), device="meta")})
