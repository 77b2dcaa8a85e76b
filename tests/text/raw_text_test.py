"""Tokens and sentences of any text: nothing is lost, and nothing takes forever."""

import re
from typing import List, Tuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.text.raw_text import (
    INVISIBLE,
    LONGEST_TOKEN,
    RawTextTokenizer,
    words_at,
)
from tests.counting import num_calls
from tests.without_packages import run_python

ENGLISH, GERMAN = RawTextTokenizer("en"), RawTextTokenizer("de")

pieces = st.sampled_from(
    [
        *"a I 7 . ? ! … , ; : - -- ' \" ( ) [ ] / * … “ ” ’ 😀 👩‍👩‍👧 é é שלום مرحبا 你好 ".split(
            " "
        ),
        *("\n", "\r\n", "\r", "\t", "\x00", "\x1c", "\x85", "\u2028", "\xa0", "\xad"),
        *("\u200b", "\ufe0f", "\ufeff"),
        *("Mr.", "etc.", "p.m.", "don't", "http://a.b/c?d", "x@y.zz", "U.S.", ":)", "1.", "e-mail"),
        *(".[3]", "x[12]", "[4, 5]", "[a]", "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea"),
        *("x" * 60, "(" * 60, "x" * (LONGEST_TOKEN + 1), "line of words " * 5),
    ]
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(pieces, max_size=30).map("".join),
    st.lists(pieces, max_size=30).map(" ".join),
)


def check_covers(text: str, offsets: List[Tuple[int, int]]) -> None:
    """
    The tokens are in order and disjoint, and there is only white space between them, and what
    cannot be seen. No token starts or ends with the latter.
    """
    position = 0
    for start, end in offsets:
        assert position <= start < end <= len(text)
        assert not visible(text[position:start]).strip()
        assert not any(character.isspace() for character in text[start:end])
        assert len(visible(text[start] + text[end - 1])) == 2
        position = end
    assert not visible(text[position:]).strip()


def sentences_of(text: str) -> List[str]:
    found = ENGLISH.sentences(text, 256)
    return [" ".join(words_at(text, offsets)) for offsets in found]


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("They left.[3] He ran.[4][5] Go.", ["They left . [ 3 ]", "He ran . [ 4 ] [ 5 ]", "Go ."]),
        ("It rose 3%.[4, 5] Go.", ["It rose 3 % . [ 4 , 5 ]", "Go ."]),
        ("The men[a] left.[note 1]", ["The men [ a ] left . [ note 1 ]"]),
        ("See array[3].value in [3]", ["See array[3].value in [ 3 ]"]),
        ("I saw it;he left.", ["I saw it ; he left ."]),
        ("See AT&amp;T now.", ["See AT&amp;T now ."]),
        ("The 👨‍👩‍👧 left 👍🏽 🇩🇪 .", ["The 👨‍👩‍👧 left 👍🏽 🇩🇪 ."]),
        ("They left.<br>He <b>ran</b>.<p class='x'>Go.</p>", ["They left .", "He ran .", "Go ."]),
        ("If a<b and c>d, go.", ["If a < b and c > d , go ."]),
    ],
)
def test_marks_of_the_web(text: str, sentences: List[str]) -> None:
    assert sentences_of(text) == sentences


def test_citations_split_no_other_sentences() -> None:
    plain = ["The troops left for the U.S.", "He said no.", "Mr. Hu, 40, agreed with Ann."]
    marked = [f"{sentence}[{number}]" for number, sentence in enumerate(plain, 1)]
    found = [re.sub(r" \[ \d \]", "", sentence) for sentence in sentences_of(" ".join(marked))]
    assert found == sentences_of(" ".join(plain))


def visible(text: str) -> str:
    return re.sub(f"[{INVISIBLE}]", "", text)


@pytest.mark.medium
@settings(max_examples=200)
@given(texts, st.sampled_from([ENGLISH, GERMAN]), st.integers(1, 12))
def test_tokens_cover_any_text(text: str, tokenizer: RawTextTokenizer, max_words: int) -> None:
    check_covers(text, tokenizer.offsets(text))
    sentences = tokenizer.sentences(text, max_words)
    check_covers(text, [token for sentence in sentences for token in sentence])
    assert all(1 <= len(sentence) <= max_words for sentence in sentences)


@pytest.mark.parametrize("text", ["a", "(", "a-b/c(d.", ". ", ":) ", "\n", "Mr. "])
def test_the_work_for_long_texts_is_linear(text: str) -> None:
    def calls(times: int) -> int:
        long = text * times
        return num_calls(lambda: ENGLISH.sentences(long, 256))

    ENGLISH.sentences(text, 256)
    assert calls(2_000) <= 2.1 * calls(1_000) + 1000


@pytest.mark.parametrize("character", ["\u00ad", "\u200b", "\ufe0f", "\ufeff"])
def test_what_cannot_be_seen_is_no_part_of_words(character: str) -> None:
    plain = "It's co-operative, isn't it? Yes. http://a.org/b"
    text = character + character.join(plain) + character
    for tokenizer in (ENGLISH, GERMAN):
        found = tokenizer.sentences(text, 256)
        expected = tokenizer.sentences(plain, 256)
        places = [[(2 * a + 1, 2 * b) for a, b in sentence] for sentence in expected]
        assert found == places
        for sentence, of_plain in zip(found, expected, strict=True):
            assert words_at(text, sentence) == [plain[a:b] for a, b in of_plain]
    assert ENGLISH.offsets(character) == []


def test_the_full_stop_after_an_abbreviation_ends_a_sentence_only_at_its_end() -> None:
    def words(text: str) -> List[str]:
        return [text[start:end] for start, end in ENGLISH.offsets(text)]

    assert words("pens, etc. of Acme Inc.") == ["pens", ",", "etc.", "of", "Acme", "Inc", "."]
    text = "They left at 5 p.m. The end."
    found = [[text[a:b] for a, b in s] for s in ENGLISH.sentences(text, 256)]
    assert found[0][-2:] == ["p.m", "."]


def test_other_languages_need_spacy() -> None:
    code = """
from lisa_allennlp.text.raw_text import RawTextTokenizer

print(RawTextTokenizer("en").offsets("Go."))
RawTextTokenizer("de")
"""
    ran = run_python(["spacy"], code)
    assert ran.stdout == "[(0, 2), (2, 3)]\n"
    assert "ConfigurationError: " in ran.stderr and "`pip install '.[spacy]'`" in ran.stderr
