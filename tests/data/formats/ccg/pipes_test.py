import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.pipes import format_multitags, format_pipes, parse_pipes
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.sentence import RankedSupertag, Sentence
from tests import FIXTURES
from tests.data.formats.ccg.categories_test import categories
from tests.data.sentences import values

FOLDER = FIXTURES / "ccg"


def read(path):
    return list(parse_pipes(read_lines(path), path))


def test_sample():
    assert read(FOLDER / "sample.pipe") == [
        Sentence(
            "The board approved it .".split(),
            "DT NN VBD PRP .".split(),
            supertags=r"NP[nb]/N N (S[dcl]\NP)/NP NP .".split(),
        ),
        Sentence(["and|or", "#", "-LRB-"], ["CC", "#", "-LRB-"], supertags=["conj", "N", "LRB"]),
        Sentence(["Yes", "."], None, supertags=["S[intj]", "."]),
    ]


@st.composite
def supertagged_sentences(draw):
    length = draw(st.integers(1, 5))
    tags = values.filter(lambda tag: "|" not in tag and tag not in "-_")
    pos = draw(st.none() | st.lists(tags, min_size=length, max_size=length))
    words = draw(st.lists(values, min_size=length, max_size=length))
    supertags = draw(st.lists(categories, min_size=length, max_size=length))
    return Sentence(words, pos, supertags=supertags)


@pytest.mark.medium
@given(supertagged_sentences())
def test_round_trip(sentence):
    assert list(parse_pipes([format_pipes(sentence) + "\n"], "text")) == [sentence]


def test_multitags():
    candidates = [
        [RankedSupertag("N", 0.75), RankedSupertag("N/N", 0.2)],
        [RankedSupertag("S[dcl]\\NP", 1.0)],
    ]
    sentence = Sentence(["dogs", "ran"], ["NNS", "VBD"])
    assert format_multitags(sentence, candidates) == (
        "dogs\tNNS\t2\tN\t0.75\tN/N\t0.2\nran\tVBD\t1\tS[dcl]\\NP\t1\n"
    )
    assert format_multitags(Sentence(["ran"]), candidates[1:]).startswith("ran\t-\t1\t")
