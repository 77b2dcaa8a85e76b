from typing import List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.label_names import (
    NO_CANDIDATE,
    LabelNames,
    SenseNames,
    particles_of,
    possible_particles,
)
from lisa_allennlp.sentence.sentence import Parse

PUT_OUT = ["put_out.09", "put_out.10", "put_out.14"]
SENSES = ["sell.01", "sell_out.02", "be.01", "sale.05"]
NAMES = SenseNames(SENSES, ["sold sell.01", "is be.01", "sale sell.01"])


def rolesets(form: str, tag: str) -> List[str]:
    (row,) = NAMES.candidates([form], [tag]).tolist()
    return [SENSES[number] for number in row if number != NO_CANDIDATE]


@pytest.mark.parametrize(
    "form, tag, expected",
    [
        # Forms of the training data have their rolesets, and those of the same verbs.
        ("sold", "VBD", ["sell.01", "sell_out.02"]),
        ("Sold", "NNP", ["sell.01", "sell_out.02"]),
        # Unseen forms have those of the form that is their lemma, or of the verb.
        ("sales", "NNS", ["sell.01", "sell_out.02"]),
        ("selling", "VBG", ["sell.01", "sell_out.02"]),
        ("bought", "VBD", []),
    ],
)
def test_candidates(form: str, tag: str, expected: List[str]) -> None:
    assert rolesets(form, tag) == expected


def test_candidates_of_a_batch_are_padded() -> None:
    batch = NAMES.candidates(["is", "sold", "bought"], ["VBZ", "VBD", "VBD"])
    assert batch.tolist() == [[2, NO_CANDIDATE], [0, 1], [NO_CANDIDATE, NO_CANDIDATE]]
    assert NAMES.candidates([], []).shape == (0, 1)
    assert NAMES.candidates(["bought"], ["VBD"]).tolist() == [[NO_CANDIDATE]]


@pytest.mark.parametrize(
    "particles, expected",
    [
        (set(), ["put.01"]),
        ({"up"}, ["put_up.02"]),
        # `with` may be a particle of another verb.
        ({"with"}, ["put.01"]),
        ({"up", "with"}, ["put_up_with.03"]),
    ],
)
def test_particles_choose_among_the_candidates(particles: set, expected: List[str]) -> None:
    senses = ["put.01", "put_up.02", "put_up_with.03"]
    names = SenseNames(senses, ["put put.01"])
    (row,) = names.candidates(["put"], ["VBD"], [frozenset(particles)]).tolist()
    assert [senses[number] for number in row] == expected


def test_possible_particles_add_candidates() -> None:
    names = SenseNames(["put.01", "put_up.02", "put_off.07"], ["put put.01"])
    for particles, expected in (set(), [0, 1]), ({"off"}, [2]):
        found = [frozenset(particles)], [frozenset({"up", "with"})]
        assert names.candidates(["put"], ["VBD"], *found).tolist() == [expected]


@pytest.mark.parametrize(
    "words, tags, heads, relations, expected",
    [
        (
            "They come Across well",
            "PRP VBP RB RB",
            [1, 1, 1, 1],
            "nsubj - advmod advmod",
            "across well",
        ),
        (
            "They ran out of time",
            "PRP VBD IN IN NN",
            [1, 1, 4, 4, 1],
            "nsubj - case case obl",
            "out",
        ),
        ("They ran it by us", "PRP VBD PRP IN PRP", [1, 1, 1, 4, 1], "nsubj - obj case obl", ""),
        ("Yesterday ran", "RB VBD", [1, 1], "advmod -", ""),
    ],
)
def test_adverbs_and_the_next_preposition_may_be_particles(
    words: str, tags: str, heads: List[int], relations: str, expected: str
) -> None:
    place = Place(words.split(), tags.split(), Parse(heads, relations.split()), token=1)
    assert possible_particles(place) == set(expected.split())


def test_rolesets_that_only_have_particles_stay_without_one() -> None:
    names = SenseNames(["stave_off.01"], ["stave stave_off.01"])
    assert names.candidates(["stave"], ["VB"], [frozenset()]).tolist() == [[0]]


@pytest.mark.parametrize(
    "form, tag, particles, expected",
    [
        # The training data has neither hang.02 nor hang_up.03.
        ("hung", "VBD", set(), ["hang.01", "hang.02"]),
        ("hung", "VBD", {"up"}, ["hang_up.03", "hang_up.08"]),
        ("wrangling", "NN", set(), ["wrangle.01"]),
        ("litigations", "NNS", set(), ["litigate.01"]),
        ("re-entered", "VBD", set(), ["reenter.01", "reenter.02"]),
        # The past of `spat` would be `spatted`.
        ("spat", "VBD", set(), ["spit.01"]),
        ("spat", "NN", set(), ["spat.01"]),
        ("outputs", "NNS", set(), ["put.01", "put.02", "put.03", *PUT_OUT]),
        # The ending is no particle, and `key_in.03` no candidate.
        ("keying", "VBG", set(), ["key.01", "key.02"]),
        ("realised", "VBD", set(), ["realize.01", "realize.02"]),
        ("frobnicated", "VBD", set(), []),
    ],
)
def test_the_inventory_has_what_the_training_data_lacks(
    form: str, tag: str, particles: set, expected: List[str]
) -> None:
    forms = ["hung hang.01", "spat spat.01", "put put.01", "outputs put.01"]
    senses = ["hang.01", "hang_out.06", "spat.01", "put.01"]
    names = SenseNames(senses, forms, has_inventory=True)
    assert len(names) == len(senses)
    (row,) = names.candidates([form], [tag], [frozenset(particles)]).tolist()
    assert sorted(names.names[n] for n in row if n != NO_CANDIDATE) == expected
    # In training, only the rolesets of the training data compete.
    assert names.candidates([form], [tag]).max() < len(senses)


def test_particles_are_words_of_the_verb_or_its_dependents() -> None:
    words = "She turned it On and hung back .".split()
    tree = Parse([1, 1, 1, 1, 5, 1, 5, 1], ["x"] * 3 + ["compound:prt"] + ["x"] * 4)
    none = Parse([*range(8)], [""] * 8)
    roles = ["B-A0", "B-V", "B-A1", "O", "O", "O", "O", "O"]
    turned, hung = (Place(words, ["X"] * 8, tree, token) for token in (1, 5))
    assert particles_of(turned, roles) == {"on"}
    assert particles_of(turned._replace(parse=none), roles) == set()
    roles = ["B-A0", "O", "O", "O", "O", "B-V", "I-V", "O"]
    assert particles_of(hung, roles) == {"back"}
    roles[6] = "B-C-V"
    assert particles_of(hung._replace(parse=none), roles) == {"back"}


def test_there_is_one_lexicon() -> None:
    with pytest.raises(ConfigurationError, match="lexicon: found 'german'; expected 'english'"):
        LabelNames({}, "german")
