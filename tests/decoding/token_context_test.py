"""The words and the tree choose tags and predicates."""

from typing import Any, Optional, Tuple

import numpy

from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.log_linear import LEAST, UNIT
from lisa_allennlp.decoding.token_context import (
    Place,
    TokenContext,
    make_token_context,
    predicate_features,
    tag_features,
)
from tests.decoding.log_linear_test import log_linear

WORDS = "They talked about it".split()
PARSE = Parse([1, 1, 3, 1], "nsubj root case obl".split())
POS = ["VBN", "VBD", "XX"]
CONTEXT = TokenContext(
    log_linear(["NN", "VBD", "VBN"], {"word talked": [0, 20, 60]}),
    log_linear(["no", "yes"], {"lemma talk VB": [10, 30], "case about VB": [0, 20]}),
    POS,
)


def corrected(
    tags: Any, predicates: Any, parse: Optional[Parse] = PARSE
) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Corrects probabilities of the second token; the others are certain."""
    of_tags = numpy.tile([0.0, 1.0, 0.0], (1, 4, 1))
    of_predicates = numpy.array([[0.0, predicates, 0.0, 1.0]])
    of_tags[0, 1] = tags
    CONTEXT.correct(of_tags, of_predicates, [Sentence(WORDS)], [parse])
    assert (of_tags[0, [0, 2, 3]] == [0, 1, 0]).all()
    assert of_predicates[0, [0, 2, 3]].tolist() == [0, 0, 1]
    return of_tags[0, 1], of_predicates[0, 1]


def test_probabilities_are_geometric_means() -> None:
    """By hand; the tag `XX` is none that the context knows."""
    tags, predicate = corrected([0.3, 0.4, 0.3], 0.4)
    scores = UNIT * numpy.array([0, 20, 60])
    factors = numpy.exp(scores) / numpy.exp(scores).sum()
    means = (numpy.array([0.3, 0.4, 0.3]) * [factors[2], factors[1], numpy.exp(LEAST)]) ** 0.5
    assert numpy.allclose(tags, means / means.sum())
    yes, no = (0.4 * numpy.exp(UNIT * 50)) ** 0.5, (0.6 * numpy.exp(UNIT * 10)) ** 0.5
    assert numpy.isclose(predicate, yes / (yes + no))


def test_what_is_certain_or_without_a_tree_stays() -> None:
    tags, predicate = corrected([0.97, 0.02, 0.01], 0.03)
    assert tags.tolist() == [0.97, 0.02, 0.01] and predicate == 0.03
    tags, predicate = corrected([0.3, 0.4, 0.3], 0.4, None)
    assert tags.tolist() == [0.3, 0.4, 0.3] and predicate == 0.4


def test_features_at_the_edges_of_a_sentence() -> None:
    alone = Place(["Go"], ["VB"], Parse([0], ["root"]), 0)
    assert {"-1 |", "+2 |", "tags -1 +1 | |", "shape Xx True"} <= set(tag_features(alone))
    assert {"classes nv VB", "own VB True", "no dependents VB True"} <= set(
        predicate_features(alone)
    )


def test_the_weights_of_the_package_know_participles_and_nouns_of_events() -> None:
    words, tags = "I have known about their decision".split(), "PRP VBP VBD IN PRP$ NN".split()
    parse = Parse([2, 2, 2, 5, 5, 2], "nsubj aux root case nmod:poss obl".split())
    pos = [*tags, "VBN"]
    context = make_token_context("ewt", pos)
    of_tags, of_predicates = numpy.eye(6, 7)[None], numpy.full((1, 6), 0.5)
    of_tags[0, 2, [2, 6]] = 0.6, 0.4
    context.correct(of_tags, of_predicates, [Sentence(words)], [parse])
    assert pos[of_tags[0, 2].argmax()] == "VBN"
    assert (of_predicates[0] > 0.5).tolist() == [False, True, True, False, False, True]
