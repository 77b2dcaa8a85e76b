"""The tokenizer against spaCy's, which has the same rules, on strings that are hard to split."""

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spacy.lang.en import English

from lisa_allennlp.data.tokenizers.english import EnglishTokenizer, _rules
from lisa_allennlp.data.tokenizers.english_rules import adapt_to_treebank
from tests.data.tokenizers.raw_text_test import texts

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
@settings(max_examples=1000, deadline=None)
@given(texts | hard_texts)
# A longer sequence across a blank keeps `:)` from becoming one token; not so across other space.
@example("well:) )")
@example("well:)\n)")
@example("_#a-1.doc")
def test_the_tokens_are_spacys(text: str) -> None:
    # What is too long for spaCy is left to others' tests.
    text = " ".join(string[:50] for string in text.split(" "))
    expected = [(t.idx, t.idx + len(t)) for t in NLP.tokenizer(text) if not t.is_space]
    found = EnglishTokenizer()._split(text, 0, len(text))
    assert found == expected


def test_special_cases_that_the_other_rules_split() -> None:
    def words(text: str) -> list:
        return [text[start:end] for start, end in EnglishTokenizer().offsets(text)]

    assert words("well:), yes") == ["well", ":)", ",", "yes"]
    assert words("well: ) yes") == ["well", ":", ")", "yes"]


def test_a_tokenizer_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(EnglishTokenizer())).offsets("Go.") == [(0, 2), (2, 3)]
