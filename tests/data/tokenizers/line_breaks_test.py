import textwrap
from typing import List

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.tokenizers.line_breaks import paragraph_ends


def paragraphs(text: str) -> List[str]:
    ends = [0, *paragraph_ends(text), len(text)]
    return [text[a:b].strip() for a, b in zip(ends, ends[1:], strict=False)]


prose = st.lists(st.text("abc", min_size=1, max_size=9), min_size=20, max_size=30).map(" ".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(prose, min_size=1, max_size=4), st.integers(60, 100), st.booleans())
def test_wrapped_paragraphs(texts: List[str], width: int, windows: bool) -> None:
    wrapped = [textwrap.fill(text, width) for text in texts]
    text = "\n\n".join(wrapped).replace("\n", "\r\n" if windows else "\n")
    assert [" ".join(paragraph.split()) for paragraph in paragraphs(text)] == texts


@given(st.lists(st.text("abc ", min_size=1, max_size=40).filter(str.strip), min_size=1))
def test_short_lines_are_paragraphs(lines: List[str]) -> None:
    assert paragraphs("\n".join(lines)) == [line.strip() for line in lines]


@settings(max_examples=50, deadline=None)
@given(st.lists(prose, min_size=1, max_size=4))
def test_a_paragraph_per_line(lines: List[str]) -> None:
    lines = [f"{line} {line} {line}" for line in lines]
    assert paragraphs("\n".join(lines)) == lines


@pytest.mark.parametrize("text", ["", " ", "\n", "\n\n \r\n", "one line", "one line\n"])
def test_no_paragraph_ends(text: str) -> None:
    assert paragraph_ends(text) == []


def test_an_address_does_not_count_as_a_width() -> None:
    words = " ".join(["words"] * 30)
    text = textwrap.fill(f"{words} http://{'a' * 120} {words}", 70, break_long_words=False)
    assert text.count("\n") > 3
    assert paragraph_ends(text) == []
