from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.ccg.dependencies import (
    dependency_supertags,
    parse_dependency_supertags,
)
from lisa_allennlp.data.formats.columns import read_lines
from tests import FIXTURES
from tests.data.corpora import CORPUS, needs_ewt
from tests.data.sentences import parses


def read(path):
    return list(parse_dependency_supertags(read_lines(path), path))


def test_sample():
    first, second = read(FIXTURES / "ccg" / "sample.conllu")
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


@needs_ewt
def test_the_english_web_treebank_has_several_hundred_supertags():
    supertags = {tag for s in read(CORPUS / "ewt-train.conllu") for tag in s.supertags}
    assert 200 < len(supertags) < 1000
