"""Texts that are safe in terminals and XML, and their widths, against Adobe's metrics."""

import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.show.svg import escape, sentence_svg
from lisa_allennlp.apps.show.texts import printable, span_label, tag_labels, text_width
from lisa_allennlp.sentence.sentence import Frame, Sentence


@given(st.text(st.characters(categories=["C", "Z", "P", "S", "M", "L"]), max_size=20))
def test_nothing_moves_the_cursor_and_xml_reads_it_back(text: str) -> None:
    shown = printable(text)
    for character in shown:
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character)[-1:] not in ("E", "O", "I", "F")
    element = ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>')
    assert (element.text or "", element.get("b")) == (shown, shown)


def test_other_text_stays() -> None:
    text = "naïve 漢字 e\u0301 👩‍👩‍👧 שלום क्\u200dष"
    assert printable(text) == text


def test_the_number_of_a_sense_stays_after_a_lemma_from_right_to_left() -> None:
    """A mark that runs from left to right is between the lemma and the point."""
    frame = Frame(0, ["B-V"], sense="מכר.01")
    sentence = Sentence(["מכר"], frames=[frame])
    label = span_label(sentence.frames[0], sentence.frames[0].roles[0])
    before, mark, number = label.partition("\u200e")
    assert (before, number) == ("מכר", ".01")
    assert unicodedata.bidirectional(mark) == "L"
    assert f">{label}</text>" in sentence_svg(sentence)


def test_only_probabilities_that_are_not_near_one_are_shown() -> None:
    pos = ["PRP", "VBD", "."]
    sentence = Sentence(["She", "left", "."], pos, pos_probabilities=[0.996, 0.994, 0.04])
    assert tag_labels(sentence) == [("tags", ["PRP", "VBD .99", ". .04"])]


def test_ascii_has_the_widths_of_helvetica() -> None:
    metrics = Path(matplotlib.get_data_path(), "fonts/afm/phvr8a.afm").read_text(encoding="latin-1")
    widths = {int(code): int(width) for code, width in re.findall(r"C (\d+) ; WX (\d+)", metrics)}
    # The metrics are in Adobe's standard encoding, which has other quotes.
    for code in {*range(32, 127)} - {*b"'`"}:
        assert text_width(chr(code), 1000) == widths[code], chr(code)
    assert text_width("ab", 10) == pytest.approx(text_width("a", 10) + text_width("b", 10))
    assert text_width("ab", 10, bold=True) > text_width("ab", 10)


def test_marks_have_no_width() -> None:
    for text, same in (("e\u0301", "e"), ("é", "e"), ("a\u200db", "ab")):
        assert text_width(text, 10) == text_width(same, 10)
