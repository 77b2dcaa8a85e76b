import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.categories import (
    Atom,
    CategoryError,
    Functor,
    parse_category,
)

atoms = st.builds(
    Atom,
    st.sampled_from(["N", "NP", "S", "PP", "conj", ",", ".", ":", ";", "LRB"]),
    st.none() | st.sampled_from(["dcl", "nb", "X", "mod=nm,form=base"]),
)
categories = st.recursive(
    atoms,
    lambda inner: st.builds(
        Functor, inner, st.sampled_from("/\\"), inner, st.none() | st.just("conj")
    ),
    max_leaves=8,
)


@given(categories)
def test_round_trip(category):
    assert parse_category(str(category)) == category


def test_structure():
    np = Atom("NP")
    intransitive = Functor(Atom("S", "dcl"), "\\", np)
    assert parse_category("S[dcl]\\NP") == intransitive
    assert parse_category("(S[dcl]\\NP)/NP") == Functor(intransitive, "/", np)
    assert parse_category("S[dcl]\\NP/NP") == Functor(intransitive, "/", np)
    assert parse_category("(S[dcl]\\NP)[conj]") == intransitive._replace(feature="conj")
    # How CCGbank itself marks a conjunct: the brackets look as if they were the argument's.
    assert parse_category("S[dcl]\\NP[conj]").argument == Atom("NP", "conj")


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "found the end at character 1 of the category ''; expected a basic category"),
        ("(S\\NP", "found the end at character 6 .* expected a slash or '\\)'"),
        ("NP)", "found '\\)' at character 3 .* expected a slash or the end"),
        ("NP/", "found the end at character 4 .* expected a basic category"),
        ("NP//N", "found '/' at character 4"),
        ("S[dcl", "found '\\[' at character 2"),
        ("S[]", "found '\\[' at character 2"),
        ("N N", "found ' ' at character 2"),
        ("(" * 3000 + "N" + ")" * 3000, "found 3000 opening parentheses .* expected at most 100"),
    ],
)
def test_errors(text, message):
    with pytest.raises(CategoryError, match=message) as caught:
        parse_category(text)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
