"""The roleset, the words and the tree choose the roles of spans."""

from typing import Any, List

import numpy

from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.log_linear import UNIT, LogLinear
from lisa_allennlp.decoding.role_context import (
    LARGEST_GAP,
    RoleContext,
    make_role_context,
    role_features,
)
from tests.decoding.log_linear_test import log_linear

WORDS = "They were sold to the man yesterday .".split()
TAGS = "PRP VBD VBN IN DT NN NN .".split()
PARSE = Parse([2, 2, 2, 5, 5, 2, 2, 2], "nsubj:pass aux:pass root case det obl obl punct".split())
LABELS = "O B-V I-V B-ARG1 I-ARG1 B-ARG2 I-ARG2 B-ARG5 I-ARG5 B-ARGM-TMP I-ARGM-TMP".split()
BIO = "B-ARG1 O B-V B-ARG1 I-ARG1 I-ARG1 B-ARGM-TMP O".split()
COLUMNS = ["ARG1", "ARG2", "ARG5", "ARGM-TMP", "GOL"]


def correct(weights: LogLinear, logits: numpy.ndarray, **changes: Any) -> List[int]:
    labels = numpy.array([[LABELS.index(label) for label in BIO]])
    is_given = changes.get("is_given", numpy.zeros(labels.shape, bool))
    around = [(0, 2)], [Sentence(WORDS)], [TAGS], [changes.get("parse", PARSE)], ["sell.01"]
    frames = RoleContext(weights, LABELS).correct(
        logits, labels, numpy.array([len(WORDS)]), is_given, *around
    )
    return frames.tolist()


def test_the_path_leads_from_the_predicate_to_the_head_of_the_span() -> None:
    features = role_features(WORDS, TAGS, PARSE, 2, "sell.01", 3, 5)
    assert {"path >obl", "marker to >obl", "head man", "sell.01 head man"} <= set(features)
    assert "pattern nsubj:pass obl>oblpassive" in features
    # From "man" up to "sold" and down to "They".
    assert "path <^obl nsubj:pass" in role_features(WORDS, TAGS, PARSE, 5, "man.01", 0, 0)
    apart = Parse([0, 1, 2, 3, 4, 5, 6, 7], ["root"] * 8)
    assert "path <apart" in role_features(WORDS, TAGS, apart, 2, "sell.01", 0, 0)
    cycle = Parse([1, 0, 2, 3, 4, 5, 6, 7], ["dep"] * 8)
    assert "path <^dep" in role_features(WORDS, TAGS, cycle, 1, "be.01", 0, 0)


def test_a_role_gets_how_much_more_probable_it_is_than_the_present_one() -> None:
    """The closed form of a log-linear model with two features, of which one counts for GOL."""
    logits = numpy.zeros((1, len(WORDS), len(LABELS)), numpy.float32)
    weights = log_linear(
        COLUMNS, {"marker to >obl": [20, 0, 0, 0, 40], "head man": [20, 0, 0, 0, 40]}
    )
    assert correct(weights, logits) == [0]
    # PropBank calls the ARG2 of sell.01, the buyer, a goal; there is no ARG5.
    scores = numpy.array([2 * 20, 2 * 40, 0]) * UNIT
    log_probabilities = scores - numpy.log(numpy.exp(scores).sum())
    added = logits[0, 3, [LABELS.index(f"B-{role}") for role in ("ARG1", "ARG2", "ARGM-TMP")]]
    assert numpy.allclose(added, log_probabilities - log_probabilities[0], atol=1e-5)
    assert logits[0, 3, LABELS.index("B-ARG5")] < added.min()
    # The label that a span has gets nothing, nor does any other label or token.
    assert not logits[..., [0, 1, 2, 4, 6, 8, 10]].any() and not logits[0, [1, 2, 4, 5, 7]].any()


def test_what_stays_as_it_is() -> None:
    weights = log_linear(COLUMNS, {"head man": [0, 100, 0, 0, 0]})
    empty = numpy.zeros((1, len(WORDS), len(LABELS)), numpy.float32)
    given = numpy.ones((1, len(WORDS)), bool)
    for changes in ({"is_given": given}, {"parse": None}):
        logits = empty.copy()
        assert correct(weights, logits, **changes) == [] and not logits.any()
    # The network is certain of the role.
    certain = empty.copy()
    certain[0, numpy.arange(8), [LABELS.index(label) for label in BIO]] = LARGEST_GAP + 1
    assert correct(weights, certain.copy()) == []


def test_the_weights_of_the_package_know_dates_and_passives() -> None:
    labels = ["O", "B-V", "I-V"]
    roles = ["ARG0", "ARG1", "ARG2", "ARGM-TMP", "ARGM-LOC"]
    labels += [f"{prefix}-{role}" for role in roles for prefix in "BI"]
    context = make_role_context("ewt", labels)
    bio = "B-ARG0 O B-V B-ARG0 I-ARG0 I-ARG0 B-ARG0 O".split()
    logits = numpy.zeros((1, len(WORDS), len(labels)), numpy.float32)
    places = numpy.array([[labels.index(label) for label in bio]])
    rest = [(0, 2)], [Sentence(WORDS)], [TAGS], [PARSE], ["sell.01"]
    context.correct(logits, places, numpy.array([8]), numpy.zeros((1, 8), bool), *rest)
    best = [labels[number] for number in logits[0, [0, 3, 6]].argmax(1)]
    assert best == ["B-ARG1", "B-ARG2", "B-ARGM-TMP"]
