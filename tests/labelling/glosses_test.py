import pytest

from lisa_allennlp.labelling.glosses import Glosses
from lisa_allennlp.sentence.sentence import Frame, Sentence
from tests import FIXTURES

GLOSSES = Glosses(FIXTURES / "frames")


def glossed(tags: str, lemma: str, sense: str, pos: str = "VBD") -> Frame:
    frame = Frame(1, tags.split(), lemma, sense)
    (frame,) = GLOSSES.add_to(Sentence(["She", "sold"], ["PRP", pos], [frame])).frames
    return frame


def test_roles() -> None:
    frame = glossed("B-R-A1 B-V", "sell", "sell.01")
    assert frame.role_glosses == {"A0": "seller", "A1": "thing sold"}
    assert [span.gloss for span in frame.roles] == ["thing sold", None]


def test_unknown_rolesets_say_so() -> None:
    described = glossed("B-ARG0 B-V", "have", "have.LV").to_dict()
    assert (described["gloss"], described["role_glosses"]) == (None, {})
    without = Frame(1, ["B-ARG0", "B-V"], "have", "have.LV").to_dict()
    assert "gloss" not in without and "role_glosses" not in without


@pytest.mark.parametrize(
    "lemma, sense, pos, expected",
    [
        # The name that an unseen noun gets, and PropBank's.
        ("litigation", "litigation.01", "NN", "litigate.01"),
        # Other senses come from the training data.
        ("litigation", "litigation.LV", "NN", "litigation.LV"),
        ("buy", "buy.01", "VB", "buy.01"),
    ],
)
def test_first_senses_that_propbank_lacks(lemma: str, sense: str, pos: str, expected: str) -> None:
    frame = glossed("O B-V", lemma, sense, pos)
    assert (frame.lemma, frame.sense) == (expected.rpartition(".")[0], expected)


@pytest.mark.parametrize(
    "sense, tags, verbnet, thematic",
    [
        # The first class of hang.01 has all three roles, 47.6 only two of them.
        ("hang.01", "B-ARG0 B-V B-ARG1", "9.7-1", ["Agent", None, "Theme"]),
        ("sell.01", "B-ARG0 B-V B-R-ARG2", "13.1-1", ["Agent", None, "Recipient"]),
        ("sell.01", "B-A0 B-V B-A1", "13.1-1", ["Agent", None, "Theme"]),
        # Not linked.
        ("sell_out.02", "B-ARG0 B-V B-ARG1", None, [None, None, None]),
    ],
)
def test_names_in_verbnet_and_framenet(sense: str, tags: str, verbnet: str, thematic: list) -> None:
    frame = Frame(1, tags.split(), sense.split(".")[0], sense)
    (found,) = Glosses("propbank").add_to(Sentence(["x"] * 3, None, [frame])).frames
    assert found.verbnet == verbnet
    assert [span.thematic_role for span in found.roles] == thematic
    assert (found.framenet is not None) == (sense != "sell_out.02")
    assert Frame.from_dict(found.to_dict()) == found
    # Without the option, on request.
    assert frame.explained == found and found.explained is found
    assert "gloss" not in frame.to_dict()
