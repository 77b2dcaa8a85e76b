"""Glosses of frames and roles."""

import pytest

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.labelling.glosses import Glosses
from lisa_allennlp.visualisation.terminal import table
from tests import FIXTURES

GLOSSES = Glosses(FIXTURES / "frames")


def glossed(tags: str, lemma: str, sense: str, pos: str = "VBD") -> Frame:
    frame = Frame(1, tags.split(), lemma, sense)
    (frame,) = GLOSSES.add_to(Sentence(["She", "sold"], ["PRP", pos], [frame])).frames
    return frame


@pytest.mark.parametrize("style", ["ARG", "A"])
def test_roles_in_both_styles(style: str) -> None:
    frame = glossed(f"B-{style}0 B-V", "sell", "sell.01")
    assert frame.role_glosses == {f"{style}0": "seller", f"{style}1": "thing sold"}
    assert [span.gloss for span in frame.roles] == ["seller", None]
    frame = glossed(f"B-R-{style}1 B-V", "sell", "sell.01")
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


def test_json_keeps_them() -> None:
    frame = glossed("B-ARG0 B-V", "sell", "sell.01")
    assert Frame.from_dict(frame.to_dict()) == frame


def test_tables_show_them() -> None:
    frames = [
        Frame(1, ["B-ARG0", "B-V", "O"], "sell", "sell.01"),
        Frame(2, ["B-ARG1", "O", "B-V"], "buy", "buy.01"),
    ]
    sentence = GLOSSES.add_to(Sentence(["She", "sold", "buying"], frames=frames))
    assert (
        table(sentence)
        == """\
   word    sell.01  buy.01
1  She     (ARG0*)  (ARG1*)
2  sold    (V*)     *
3  buying  *        (V*)

sell.01 "commerce: seller", ARG0 seller
buy.01 (not in the frames)"""
    )
