"""Text that is safe in terminals and XML."""

import unicodedata
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.visualisation.drawing import escape
from lisa_allennlp.visualisation.printable import printable


@given(st.text(st.characters(categories=["C", "Z", "P", "S", "M", "L"]), max_size=20))
def test_nothing_moves_the_cursor_and_xml_reads_it_back(text: str) -> None:
    shown = printable(text)
    for character in shown:
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "RLO",
            "LRO",
            "RLI",
            "PDF",
            "LRE",
            "RLE",
        )
    element = ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>')
    assert (element.text or "", element.get("b")) == (shown, shown)


def test_other_text_stays() -> None:
    for text in ("naïve", "漢字", "e\u0301", "👩‍👩‍👧", "שלום", "a b", "क्\u200dष"):
        assert printable(text) == text
    assert printable("\u202e\x1b\t") == "\\u202e\\x1b\\t"
