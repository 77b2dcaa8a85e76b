import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.categories import check_category
from lisa_allennlp.data.formats.errors import CorpusFormatError

atoms = st.builds(
    "{}{}".format,
    st.sampled_from(["N", "NP", "S", "PP", "conj", ",", ".", ":", ";", "LRB"]),
    st.sampled_from(["", "[dcl]", "[nb]", "[X]", "[mod=nm,form=base]"]),
)
categories = st.recursive(
    atoms,
    lambda inner: st.builds(
        "({}{}{}){}".format, inner, st.sampled_from("/\\"), inner, st.sampled_from(["", "[conj]"])
    ),
    max_leaves=8,
)


@given(categories, categories)
def test_what_is_a_category(first, second):
    for text in (first, f"{first}/{second}", f"{first}\\{second}/{first}"):
        check_category("f", 1, text)
    for text in (f"{first} {second}", f"({first}", f"{first})", f"{first}/", f"/{first}"):
        with pytest.raises(CorpusFormatError):
            check_category("f", 1, text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "found the end at character 1 of the category ''; expected a basic category"),
        ("(S\\NP", "found the end at character 6 .* expected a slash or '\\)'"),
        ("NP)", "found '\\)' at character 3 .* expected a slash or the end"),
        ("NP/", "found the end at character 4 .* expected a basic category"),
        ("S[dcl", "found '\\[' at character 2"),
        ("N N", "found ' ' at character 2"),
        ("(" * 3000 + "N" + ")" * 3000, "found 3000 opening parentheses .* expected at most 100"),
    ],
)
def test_errors(text, message):
    with pytest.raises(CorpusFormatError, match=message):
        check_category("f", 1, text)
