"""The labels of output units, and the rolesets that a word may have."""

from typing import List

import pytest

from lisa_allennlp.decoding.label_names import NO_CANDIDATE, SenseNames

SENSES = ["sell.01", "sell_out.02", "be.01", "good.02", "sale.05"]
NAMES = SenseNames(SENSES, ["sold sell.01", "is be.01", "better good.02", "sale sell.01"])


def rolesets(form: str, tag: str) -> List[str]:
    (row,) = NAMES.candidates([form], [tag]).tolist()
    return [SENSES[number] for number in row if number != NO_CANDIDATE]


@pytest.mark.parametrize(
    "form, tag, expected",
    [
        # Forms of the training data have their rolesets, and those of the same verbs.
        ("sold", "VBD", ["sell.01", "sell_out.02"]),
        ("Sold", "NNP", ["sell.01", "sell_out.02"]),
        ("better", "JJR", ["good.02"]),
        # Unseen forms have those of the form that is their lemma, or of the verb.
        ("sales", "NNS", ["sell.01", "sell_out.02"]),
        ("selling", "VBG", ["sell.01", "sell_out.02"]),
        ("been", "VBN", ["be.01"]),
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


def test_names() -> None:
    assert NAMES.name(1, "sold", "VBD") == ("sell_out", "sell_out.02")
    assert NAMES.name(NO_CANDIDATE, "Bought", "VBD") == ("buy", "buy.01")
    assert NAMES.name(NO_CANDIDATE, "litigations", "NNS") == ("litigation", "litigation.01")
