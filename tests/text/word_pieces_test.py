"""Word pieces against the package `tokenizers`."""

import json
import unicodedata
from typing import List, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer, Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer

from lisa_allennlp.text.word_pieces import WordPieces, is_known_tokenizer

PIECES = ["[UNK]", *"abcdeisσς-.,'中ßé[]", "##a", "##b", "##bc", "ab", "abc", "##de", "##s", "##σ"]
OLD = st.characters(exclude_categories=["Cs"]).filter(
    # Unicode 3.2 has it, in the same category.
    lambda c: unicodedata.ucd_3_2_0.category(c) == unicodedata.category(c) != "Cn"
)
NOTABLE = (
    "aAbBcdDeEisSΣσςßéÉİ中豈-.,' \t\x00\x1c\x85\xa0\xad\u0301\u200b\u200d\u3000\ufffd\U0001f98a"
)
WORDS = st.lists(
    st.one_of(st.sampled_from([*NOTABLE, "[UNK]", "[MASK]", "<Own>", "<own>"]), OLD), max_size=14
).map("".join)


def tokenizer(
    clean: bool = True, chinese: bool = True, accents: Optional[bool] = None, lower: bool = True
) -> Tokenizer:
    vocab = {piece: index for index, piece in enumerate(PIECES)}
    made = Tokenizer(WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=9))
    made.normalizer = BertNormalizer(clean, chinese, accents, lower)
    made.pre_tokenizer = BertPreTokenizer()
    made.add_special_tokens(["[UNK]", AddedToken("[MASK]", lstrip=True, normalized=False)])
    made.add_tokens([AddedToken("<Own>", normalized=True)])
    return made


@given(WORDS, st.booleans(), st.booleans(), st.sampled_from([None, True, False]), st.booleans())
def test_pieces_are_those_of_tokenizers(
    word: str, clean: bool, chinese: bool, accents: Optional[bool], lower: bool
) -> None:
    theirs = tokenizer(clean, chinese, accents, lower)
    expected: List[int] = theirs.encode(word, add_special_tokens=False).ids
    assert WordPieces(json.loads(theirs.to_str()))([word]) == [expected or [0]]


def test_other_kinds_are_not_known() -> None:
    known, other = tokenizer(), tokenizer()
    other.normalizer = Lowercase()
    assert is_known_tokenizer(json.loads(known.to_str()))
    assert not is_known_tokenizer(json.loads(other.to_str()))
    known.add_tokens([AddedToken("whole", single_word=True)])
    assert not is_known_tokenizer(json.loads(known.to_str()))


@pytest.mark.parametrize("word", ["\xad", "\u200d", "", "a" * 10])
def test_words_without_pieces_and_too_long_ones_are_unknown(word: str) -> None:
    assert WordPieces(json.loads(tokenizer().to_str()))([word]) == [[0]]
