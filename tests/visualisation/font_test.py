"""Widths of characters, against Adobe's metrics of Helvetica."""

import re
from pathlib import Path

import matplotlib
import pytest

from lisa_allennlp.visualisation.font import text_width


def test_ascii_has_the_widths_of_helvetica() -> None:
    metrics = Path(matplotlib.get_data_path(), "fonts/afm/phvr8a.afm").read_text(encoding="latin-1")
    widths = {name: int(width) for width, name in re.findall(r"WX (\d+) ; N (\w+)", metrics)}
    names = {" ": "space", "!": "exclam", "@": "at", "0": "zero", "-": "hyphen", ".": "period"}
    names.update(
        {"'": "quotesingle", "`": "grave", "<": "less", "~": "asciitilde", "{": "braceleft"}
    )
    names.update({chr(code): chr(code) for code in [*range(65, 91), *range(97, 123)]})
    for character, name in names.items():
        assert text_width(character, 1000) == widths[name], character


@pytest.mark.parametrize(
    "text, same", [("e\u0301", "e"), ("é", "e"), ("漢", "字"), ("a\u200db", "ab")]
)
def test_other_characters(text: str, same: str) -> None:
    assert text_width(text, 10) == text_width(same, 10)


def test_widths_add_up() -> None:
    assert text_width("ab", 10) == pytest.approx(text_width("a", 10) + text_width("b", 10))
    assert text_width("ab", 10, bold=True) > text_width("ab", 10)
    assert text_width("", 10) == 0
