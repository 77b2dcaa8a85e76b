"""The features of log-linear models."""

from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.features import (
    Place,
    predicate_features,
    role_features,
    sense_features,
    tag_features,
)

WORDS = "They were sold to the man yesterday .".split()
TAGS = "PRP VBD VBN IN DT NN NN .".split()
PARSE = Parse([2, 2, 2, 5, 5, 2, 2, 2], "nsubj:pass aux:pass root case det obl obl punct".split())


def place(token: int, parse: Parse = PARSE) -> Place:
    return Place(WORDS, TAGS, parse, token)


def test_tokens_at_the_edges_of_a_sentence() -> None:
    alone = Place(["Go"], ["VB"], Parse([0], ["root"]), 0)
    assert {"-1 |", "+2 |", "tags -1 +1 | |", "shape Xx True"} <= set(tag_features(alone))
    assert {"classes nv VB", "own VB True", "no dependents VB True"} <= set(
        predicate_features(alone)
    )


def test_predicates_have_the_prepositions_of_their_dependents() -> None:
    assert "case to sell VB" in predicate_features(place(2))


def test_the_head_of_a_role_is_its_word_that_is_highest_in_the_tree() -> None:
    roles = "B-ARG1 O B-V B-ARG2 I-ARG2 I-ARG2 O O".split()
    features = sense_features(place(2), roles)
    assert {"ARG2", "ARG2 man", "obl man", "relation root", "-1 were"} <= set(features)
    assert not any(feature.startswith("punct") for feature in features)


def test_the_path_leads_from_the_predicate_to_the_head_of_the_span() -> None:
    features = role_features(place(2), "sell.01", 3, 5)
    assert {"path >obl", "marker to >obl", "head man", "sell.01 head man"} <= set(features)
    assert "pattern nsubj:pass obl>oblpassive" in features
    # From "man" up to "sold" and down to "They".
    assert "path <^obl nsubj:pass" in role_features(place(5), "man.01", 0, 0)
    apart = Parse([0, 1, 2, 3, 4, 5, 6, 7], ["root"] * 8)
    assert "path <apart" in role_features(place(2, apart), "sell.01", 0, 0)
    cycle = Parse([1, 0, 2, 3, 4, 5, 6, 7], ["dep"] * 8)
    assert "path <^dep" in role_features(place(1, cycle), "be.01", 0, 0)
