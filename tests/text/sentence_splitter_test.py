"""Sentences that any splitter should find, and properties of arbitrary text."""

import textwrap
from typing import List, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.text.raw_text import RawTextTokenizer
from lisa_allennlp.text.sentence_splitter import in_pieces, paragraph_ends
from tests.text.raw_text_test import texts


@pytest.mark.parametrize(
    "marked",
    [
        "It rained all day. | We left! | Why did they stay? | They had no car.",
        "Dr. Hu met Gen. Lee, the U.S. Army chief, at St. Mary's Hospital.",
        "We met at 5 p.m. and left at 7. | He stayed.",
        'He said that it was late. | "Why?" she asked.',
        '"Is it true?" Ms. Okafor asked. | "No!" | He left. | “Why?” The old man wondered.',
        "The price rose by 3.5 percent. | It was 2004. | Then it ended.",
        "See www.a.com for details. | It has pens, paper, etc. and more.",
        "Done.\n\n|no capital here\n\n|nor here",
        "A heading\n|The text begins.",
    ],
)
def test_clear_sentences(marked: str) -> None:
    text = marked.replace("| ", "").replace("|", "")
    sentences = RawTextTokenizer().sentences(text, 256)
    found = [text[sentence[0][0] : sentence[-1][1]] for sentence in sentences]
    assert found == [sentence.strip() for sentence in marked.split("|")]


@given(texts)
def test_the_end_of_a_paragraph_ends_a_sentence(text: str) -> None:
    text = text.replace("\u200b", "").replace("\ufeff", "")
    sentences = RawTextTokenizer().sentences(text, 10_000)
    for end in paragraph_ends(text):
        assert not any(sentence[0][0] < end < sentence[-1][1] for sentence in sentences)


@given(st.lists(st.sampled_from(["a", "b", ",", ";"]), min_size=1, max_size=40), st.integers(2, 9))
def test_pieces(words: List[str], max_words: int) -> None:
    text = " ".join(words)
    offsets: List[Tuple[int, int]] = [(2 * i, 2 * i + 1) for i in range(len(words))]
    pieces = list(in_pieces(text, offsets, max_words))
    assert [span for piece in pieces for span in piece] == offsets
    assert all(len(piece) <= max_words for piece in pieces)
    for piece in pieces[:-1]:
        assert 2 * len(piece) >= max_words
        # A piece of full length has no mark at which it could have been cut.
        second_half = [text[a:b] for a, b in piece[(max_words + 1) // 2 - 1 :]]
        last = second_half.pop()
        if last != ";":
            assert ";" not in second_half
        if last not in (",", ";"):
            assert "," not in second_half


def paragraphs(text: str) -> List[str]:
    ends = [0, *paragraph_ends(text), len(text)]
    return [text[a:b].strip() for a, b in zip(ends, ends[1:], strict=False)]


prose = st.lists(st.text("abc", min_size=1, max_size=9), min_size=20, max_size=30).map(" ".join)


@given(st.lists(prose, min_size=1, max_size=4), st.integers(60, 100), st.booleans())
def test_wrapped_paragraphs(texts: List[str], width: int, windows: bool) -> None:
    wrapped = [textwrap.fill(text, width) for text in texts]
    text = "\n\n".join(wrapped).replace("\n", "\r\n" if windows else "\n")
    assert [" ".join(paragraph.split()) for paragraph in paragraphs(text)] == texts


def test_an_address_does_not_count_as_a_width() -> None:
    words = " ".join(["words"] * 30)
    text = textwrap.fill(f"{words} http://{'a' * 120} {words}", 70, break_long_words=False)
    for one_paragraph in (text, "", "\n\n \r\n", "one line\n"):
        assert paragraph_ends(one_paragraph) == []
