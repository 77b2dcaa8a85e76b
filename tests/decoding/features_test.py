"""The features by which corrected sentences teach."""

from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.features import Place, role_features, sense_features

WORDS = "They were sold to the man yesterday .".split()
TAGS = "PRP VBD VBN IN DT NN NN .".split()
PARSE = Parse([2, 2, 2, 5, 5, 2, 2, 2], "nsubj:pass aux:pass root case det obl obl punct".split())


def place(token: int, parse: Parse = PARSE) -> Place:
    return Place(WORDS, TAGS, parse, token)


def test_there_is_nothing_beside_a_single_word() -> None:
    alone = Place(["Go"], ["VB"], Parse([0], ["root"]), 0)
    assert sense_features(alone, ["B-V"]) == ["", "tag VB", "-1 |", "+1 |", "relation root"]


def test_the_head_of_a_role_is_its_word_that_is_highest_in_the_tree() -> None:
    roles = "B-ARG1 O B-V B-ARG2 I-ARG2 I-ARG2 O O".split()
    features = sense_features(place(2), roles)
    assert {"ARG2", "ARG2 man", "obl man", "relation root", "-1 were"} <= set(features)
    assert not any(feature.startswith("punct") for feature in features)


def test_the_path_leads_from_the_predicate_to_the_head_of_the_span() -> None:
    features = role_features(place(2), "sell.01", 3, 5)
    assert {"sell.01 path >obl", "sell marker to >obl", "sell.01 head man"} <= set(features)
    assert "sell.01 pattern nsubj:pass obl>oblpassive" in features
    # From "man" up to "sold" and down to "They".
    assert "man.01 path <^obl nsubj:pass" in role_features(place(5), "man.01", 0, 0)
    apart = Parse([0, 1, 2, 3, 4, 5, 6, 7], ["root"] * 8)
    assert "sell.01 path <apart" in role_features(place(2, apart), "sell.01", 0, 0)
    cycle = Parse([1, 0, 2, 3, 4, 5, 6, 7], ["dep"] * 8)
    assert "be.01 path <^dep" in role_features(place(1, cycle), "be.01", 0, 0)
