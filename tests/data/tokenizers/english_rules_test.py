"""The treebank's conventions, one example each, and the file with the rules."""

import json
from typing import List

import pytest

from lisa_allennlp.data.tokenizers.english import RULES_FILE, EnglishTokenizer
from lisa_allennlp.data.tokenizers.english_rules import english_rules


def words(text: str) -> List[str]:
    return [text[start:end] for start, end in EnglishTokenizer().offsets(text)]


@pytest.mark.parametrize(
    "expected",
    [
        "a non-stop , well - known e-mail",
        "co-workers and anti-war ex-members",
        "Al - Jazeera 's AK - 47",
        "do n't DO N'T wo n't",
        "can not gon na wan na got ta",
        "and / or his / her",
        "What ?! Stop !!! Hm ...",
        "the 60's , the world 's",
        "at 7:30 PM , 65 k and 10 kg",
        "call 713-853-3989 or 345-9945",
        "see draft-1.doc at http://www.example.com/a_b?c=d&e or x.y@z.com",
        "$ 4.50 , 5 % and # 3",
        "Lt. Smith , Ft. Worth , etc. of No. 7",
        "1969 - 1970",
        "**** ---- ====",
        "wow :) and :-(",
        "on Wed or by id",
        "John 'll and they 've",
    ],
)
def test_tokens(expected: str) -> None:
    # What the treebank separates without a blank is joined first.
    text = expected
    for joined, split in JOINED:
        text = text.replace(split, joined)
    assert words(text) == expected.split()


JOINED = [
    (" and 10kg", " and 10 kg"),
    ("65k", "65 k"),
    ("7:30PM", "7:30 PM"),
    ("well-known", "well - known"),
    ("Al-Jazeera's", "Al - Jazeera 's"),
    ("AK-47", "AK - 47"),
    ("1969-1970", "1969 - 1970"),
    ("and/or", "and / or"),
    ("his/her", "his / her"),
    ("$4.50", "$ 4.50"),
    ("5%", "5 %"),
    ("cannot gonna wanna gotta", "can not gon na wan na got ta"),
    ("don't DON'T", "do n't DO N'T"),
    ("won't", "wo n't"),
    ("world's", "world 's"),
    ("John'll and they've", "John 'll and they 've"),
    ("What?! Stop!!! Hm...", "What ?! Stop !!! Hm ..."),
    ("#3", "# 3"),
]


def test_a_contraction_without_an_apostrophe() -> None:
    assert words("I dont, CANT, Dunno") == ["I", "do", "nt", ",", "CA", "NT", ",", "Du", "n", "no"]


@pytest.mark.medium
def test_the_file_has_the_rules_of_this_spacy() -> None:
    # Otherwise, write it anew and see what differs.
    assert json.loads(RULES_FILE.read_text(encoding="utf-8")) == english_rules()
