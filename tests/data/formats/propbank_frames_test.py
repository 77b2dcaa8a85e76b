"""PropBank's frame files."""

from pathlib import Path

import pytest

from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.propbank_frames import PropBankFrames, Roleset
from tests import FIXTURES

FRAMES = PropBankFrames(FIXTURES / "frames")


def test_rolesets_in_the_file_of_their_verb_and_elsewhere() -> None:
    # Modifiers (n="m") are left out.
    roles = {"ARG0": "seller", "ARG1": "thing sold"}
    assert FRAMES.roleset("sell.01") == Roleset("sell.01", "commerce: seller", roles)
    assert FRAMES.roleset("sell_out.02") == Roleset(
        "sell_out.02", "sell all", {"ARG1": "thing sold"}
    )
    assert FRAMES.roleset("good.02") == Roleset(
        "good.02", "of good quality", {"ARG1": "what is good"}
    )


@pytest.mark.parametrize("sense", ["sell.02", "../sell.01", "-", "", f"{'x' * 1000}.01", "\0.01"])
def test_unknown_rolesets(sense: str) -> None:
    assert FRAMES.roleset(sense) is None


def test_folders_without_frames(tmp_path: Path) -> None:
    with pytest.raises(CorpusFormatError, match="found no frame files; expected a checkout of"):
        PropBankFrames(tmp_path)


def test_words() -> None:
    assert FRAMES.of_word("litigation", "n") == "litigate.01"
    assert FRAMES.of_word("litigation", "v") == "litigate.01"
    assert FRAMES.of_word("sell", "v") == "sell.01"
    assert FRAMES.of_word("buy", "v") is None


@pytest.mark.parametrize(
    "text, message",
    [
        (
            '<f>\n<roleset id="go.01"></f>',
            "go.xml:2: found XML that cannot be read (mismatched tag",
        ),
        (
            '<f>\n<roleset id="go.01"/></f>',
            'go.xml: found <roleset id="go.01" />; expected the attribute name',
        ),
        ('<?xml version="1.0" encoding="none"?><f/>', "go.xml:1: found XML that cannot be read"),
        ('<?xml version="1.0" encoding="utf-7"?><f/>', "go.xml:1: found XML that cannot be read"),
    ],
)
def test_malformed_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "go.xml").write_text(text)
    with pytest.raises(CorpusFormatError) as error:
        PropBankFrames(tmp_path).roleset("go.01")
    assert message in str(error.value)
