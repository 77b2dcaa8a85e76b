"""The treebank's conventions, one example each, and spaCy's tokens by the same rules."""

import json
from typing import List

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spacy.lang.en import English

from lisa_allennlp.text.english_tokenizer import RULES_FILE, _rules, split
from lisa_allennlp.text.raw_text import RawTextTokenizer
from scripts.english_rules import adapt_to_treebank, english_rules
from tests.text.raw_text_test import texts

NLP = English()
adapt_to_treebank(NLP)

hard_parts = st.one_of(
    st.sampled_from(sorted(_rules().cases)),
    st.sampled_from([":)", ":-)", "8-)", ":((", "(:", "^_^", "=)", ")", "(", ":", "-", "_"]),
    st.sampled_from(list(".,:;!?-–—…'’\"()[]<>/@#$€%^&*+=~_|°²🙂")),
    st.sampled_from("a Ab é 7 10 km PM u.s 3.5 x@y.zz http://a.b/c?d www.x.org 555-0123".split()),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5),
)
between = st.sampled_from(["", "", "", " ", "\n", "\xa0"])
hard_texts = st.lists(hard_parts | between, max_size=15).map("".join)


@pytest.mark.medium
@settings(max_examples=300)
@given(texts | hard_texts)
# A longer sequence across a blank keeps `:)` from becoming one token; not so across other space.
@example("well:) )")
@example("well:)\n)")
@example("well:), well: )")
@example("_#a-1.doc")
def test_the_tokens_are_spacys(text: str) -> None:
    # What is too long for spaCy is left to others' tests.
    text = " ".join(string[:50] for string in text.split(" "))
    expected = [(t.idx, t.idx + len(t)) for t in NLP.tokenizer(text) if not t.is_space]
    assert split(text, 0, len(text)) == expected


def words(text: str) -> List[str]:
    return [text[start:end] for start, end in RawTextTokenizer().offsets(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "a non-stop , well|-|known e-mail",
        "Al|-|Jazeera|'s AK|-|47",
        "do|n't DO|N'T wo|n't",
        "can|not gon|na wan|na got|ta",
        "and|/|or his|/|her",
        "What|?! Stop|!!! Hm|...",
        "the 60's , the world|'s",
        "at 7:30|PM , 65|k and 10|kg",
        "see draft-1.doc at http://www.example.com/a_b?c=d&e or x.y@z.com",
        "$|4.50 , 5|% and #|3",
        "Lt. Smith , Ft. Worth , etc. of No. 7",
        "1969|-|1970",
        "**** ---- ====",
        "wow :) and :-(",
        "on Wed or by id",
        "tell 'em , get|'em and 'Em or ’EM , 'im 'til noon",
    ],
)
def test_tokens(marked: str) -> None:
    # A bar is between tokens that no blank separates.
    assert words(marked.replace("|", "")) == marked.replace("|", " ").split()


@pytest.mark.slow
def test_the_file_has_the_rules_of_this_spacy() -> None:
    # Otherwise, write it anew and see what differs.
    assert json.loads(RULES_FILE.read_text(encoding="utf-8")) == english_rules()
