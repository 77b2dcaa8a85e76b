import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.ccg import (
    check_category,
    dependency_supertags,
    format_multitags,
    format_pipes,
    parse_auto,
    parse_columns,
    parse_pipes,
)
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.sentence.sentence import RankedSupertag, Sentence
from tests import FIXTURES
from tests.sentence.sentences import parses, values

FOLDER = FIXTURES / "ccg"
# Of another tool: the pattern that allennlp-models' reader of `.auto` files has for leaves.
LEAF = re.compile(r"<L (.*?)>")

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


def read(path, parse):
    return list(parse(read_lines(path), path))


@given(categories, categories)
def test_what_is_a_category(first, second):
    for text in (first, f"{first}/{second}", f"{first}\\{second}/{first}"):
        check_category("f", 1, text)
    for text in (f"{first} {second}", f"({first}", f"{first})", f"{first}/", f"/{first}"):
        with pytest.raises(CorpusFormatError):
            check_category("f", 1, text)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("AUTO/*/*.auto")), ids=lambda path: path.stem)
def test_leaves_are_those_that_a_search_finds(path):
    derivations = [line for line in path.read_text().splitlines() if not line.startswith("ID=")]
    for sentence, line in zip(read(path, parse_auto), derivations, strict=True):
        leaves = [leaf.split() for leaf in LEAF.findall(line)]
        assert sentence.words == [leaf[3] for leaf in leaves]
        assert sentence.pos == [leaf[2] for leaf in leaves]
        # A slip in CCGbank.
        slip = r"((S[b]\NP)/NP)/"
        assert sentence.supertags == [leaf[0].replace(slip, slip[1:-2]) for leaf in leaves]


def test_words_with_brackets_and_angles():
    leaf = "(<L N NN NN {} N>)"
    words = ["a>", ">", "<L", "(", ")", ">)", "|"]
    for word in words:
        lines = ["ID=x.1 PARSER=GOLD NUMPARSE=1\n", f"(<T NP 0 1> {leaf.format(word)} )\n"]
        assert [s.words for s in parse_auto(lines, "text")] == [[word]]


def test_pipes():
    assert read(FOLDER / "sample.pipe", parse_pipes) == [
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


@given(supertagged_sentences())
def test_pipes_are_read_back(sentence):
    assert list(parse_pipes([format_pipes(sentence) + "\n"], "text")) == [sentence]


def test_multitags():
    candidates = [
        [RankedSupertag("N", 0.75), RankedSupertag("N/N", 0.2)],
        [RankedSupertag("S[dcl]\\NP", 1.0)],
    ]
    assert format_multitags(Sentence(["dogs", "ran"], ["NNS", "VBD"]), candidates) == (
        "dogs\tNNS\t2\tN\t0.75\tN/N\t0.2\nran\tVBD\t1\tS[dcl]\\NP\t1\n"
    )


def test_columns():
    assert read(FOLDER / "sample.tsv", parse_columns) == [
        Sentence(
            ["The", "board", "approved", "10 000"],
            "DT NN VBD CD".split(),
            supertags=r"NP[nb]/N N (S[dcl]\NP)/NP NP".split(),
        ),
        Sentence(["#", "fell"], None, supertags=["N", r"S[dcl]\NP"]),
    ]


@given(st.integers(1, 8).flatmap(parses))
def test_supertags_of_trees_written_out(parse):
    for token, supertag in enumerate(dependency_supertags(parse)):
        head = parse.head_indices[token]
        dependents = [d for d, h in enumerate(parse.head_indices) if h == token and d != token]
        expected = parse.head_tags[token]
        if head != token:
            expected += "/R" if head > token else "/L"
        if dependents:
            expected += "+"
        if dependents and min(dependents) < token:
            expected += "L"
        if dependents and max(dependents) > token:
            expected += "R"
        assert supertag == expected
