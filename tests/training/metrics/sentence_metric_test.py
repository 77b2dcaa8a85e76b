"""What holds of all metrics over sentences."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.training.metrics import DependencyScore, PosAccuracy, PredicateScore, SrlScore
from tests.training.two_workers import run_on_two_workers

METRICS = [SrlScore, PredicateScore, PosAccuracy, DependencyScore]
WORDS = ["a", "b", ",", "c"]
POS = ["DT", "NN", ","]
ROLES = ["O", "B-V", "B-A0", "I-A0", "B-A1", "B-C-A1"]


def per_token(values):
    return st.lists(st.sampled_from(values), min_size=len(WORDS), max_size=len(WORDS))


@st.composite
def sentences(draw, optional):
    def maybe(strategy):
        return draw(st.none() | strategy if optional else strategy)

    predicates = st.sets(st.integers(0, 3), max_size=3)
    frames = predicates.flatmap(
        lambda found: st.tuples(*(st.builds(Frame, st.just(p), per_token(ROLES)) for p in found))
    )
    parses = st.builds(Parse, per_token([0, 1, 2]), per_token(["root", "dep"]))
    return Sentence(
        WORDS, pos=maybe(per_token(POS)), frames=maybe(frames.map(list)), parse=maybe(parses)
    )


pairs = st.lists(st.tuples(sentences(optional=False), sentences(optional=True)), max_size=4)


def count(metric, some_pairs):
    metric([predicted for predicted, _ in some_pairs], [gold for _, gold in some_pairs])


@pytest.mark.medium
@settings(deadline=None, max_examples=60)
@given(pairs, st.integers(1, 4))
def test_scores_do_not_depend_on_batches(cases, batch_size):
    for metric_class in METRICS:
        whole, batched = metric_class(), metric_class()
        count(whole, cases)
        for start in range(0, len(cases), batch_size):
            count(batched, cases[start : start + batch_size])
            batched.get_metric()  # Looking at it midway changes nothing.
        assert batched.get_metric() == whole.get_metric()


@pytest.mark.medium
@settings(deadline=None, max_examples=60)
@given(pairs)
def test_scores_are_percentages_and_full_for_gold_itself(cases):
    for metric_class in METRICS:
        metric = metric_class()
        count(metric, cases)
        assert all(0 <= value <= 100 for value in metric.get_metric().values())
        metric.reset()
        count(metric, [(predicted, predicted) for predicted, _ in cases])
        assert set(metric.get_metric().values()) <= {0, 100}


@pytest.mark.parametrize("metric_class", METRICS)
def test_reset_forgets(metric_class):
    metric = metric_class()
    assert metric.get_metric() == {}
    gold = full_sentence("B-A0")
    count(metric, [(gold, gold)])
    assert metric.get_metric(reset=True)
    assert metric.get_metric() == {}


def full_sentence(role):
    return Sentence(
        WORDS,
        pos=["DT"] * 4,
        frames=[Frame(1, [role, "B-V", "O", "B-A1"])],
        parse=Parse([1, 1, 1, 1], ["dep", "root", "dep", "dep"]),
    )


@pytest.mark.parametrize("metric_class", METRICS)
def test_predictions_that_do_not_fit_are_refused(metric_class):
    metric, gold = metric_class(), full_sentence("B-A0")
    with pytest.raises(ValueError, match="1 predicted sentences for 2 gold"):
        metric([gold], [gold, gold])
    with pytest.raises(ValueError, match='1 tokens; expected the 4 tokens of "a b , c"'):
        metric([Sentence(["a"])], [gold])
    with pytest.raises(ValueError, match="found a prediction without"):
        metric([Sentence(WORDS)], [gold])


@pytest.mark.parametrize("metric_class", [SrlScore, PredicateScore])
def test_two_frames_of_one_predicate_are_refused(metric_class):
    gold = full_sentence("B-A0")
    twice = Sentence(WORDS, frames=gold.frames * 2)
    for predicted, wanted in [(twice, gold), (gold, twice)]:
        with pytest.raises(ValueError, match=r"two frames for one predicate .* \[1, 1\]"):
            metric_class()([predicted], [wanted])


def assert_workers_agree(rank, world_size, device, shares, expected):
    metrics = [metric_class() for metric_class in METRICS]
    for metric in metrics:
        count(metric, shares[rank])
    for _ in range(2):  # A second look does not add the others' counts again.
        assert [metric.get_metric() for metric in metrics] == expected
    assert [metric.get_metric(reset=True) for metric in metrics] == expected
    assert [metric.get_metric() for metric in metrics] == [{}] * len(METRICS)


def test_workers_sum_their_counts():
    gold, wrong = full_sentence("B-A0"), full_sentence("B-C-A0")
    other = Sentence(WORDS, pos=POS + ["VB"], frames=[], parse=Parse([0, 0, 1, 2], ["dep"] * 4))
    # The second worker's share has no gold annotation: it must report what the first counted.
    shares = [[(wrong, gold), (other, gold), (gold, other)], [(gold, Sentence(WORDS))]]
    expected = []
    for metric_class in METRICS:
        metric = metric_class()
        count(metric, shares[0] + shares[1])
        expected.append(metric.get_metric())
    run_on_two_workers(assert_workers_agree, shares, expected)
