from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.columns import (
    dependency_supertags,
    parse_columns,
    parse_dependency_supertags,
)
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES
from tests.data.sentences import parses

FOLDER = FIXTURES / "ccg"


def read(path, parse):
    return list(parse(read_lines(path), path))


def test_sample():
    assert read(FOLDER / "sample.tsv", parse_columns) == [
        Sentence(
            ["The", "board", "approved", "10 000"],
            "DT NN VBD CD".split(),
            supertags=r"NP[nb]/N N (S[dcl]\NP)/NP NP".split(),
        ),
        Sentence(["#", "fell"], None, supertags=["N", r"S[dcl]\NP"]),
    ]


def test_dependencies():
    first, second = read(FOLDER / "sample.conllu", parse_dependency_supertags)
    assert first.words == "The clerk who cut costs left early .".split()
    assert first.pos == "DT NN WP VBD NNS VBD RB .".split()
    assert first.supertags == (
        "det/R nsubj/R+LR nsubj/R acl:relcl/L+LR obj/L root+LR advmod/L punct/L".split()
    )
    assert second.supertags == ["root"]


@given(st.integers(1, 8).flatmap(parses))
def test_written_out(parse):
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
