import re

import pytest

from lisa_allennlp.data.formats.ccg.auto import parse_auto
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES

FOLDER = FIXTURES / "ccg"
FILES = sorted(FOLDER.glob("AUTO/*/*.auto"))
# Of another tool: the pattern that allennlp-models' reader of `.auto` files has for leaves.
LEAF = re.compile(r"<L (.*?)>")


def read(path):
    return list(parse_auto(read_lines(path), path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_leaves_are_those_that_a_search_finds(path):
    derivations = [line for line in path.read_text().splitlines() if not line.startswith("ID=")]
    for sentence, line in zip(read(path), derivations, strict=True):
        leaves = [leaf.split() for leaf in LEAF.findall(line)]
        assert sentence.words == [leaf[3] for leaf in leaves]
        assert sentence.pos == [leaf[2] for leaf in leaves]
        found = [leaf[0].replace("((S[b]\\NP)/NP)/", "(S[b]\\NP)/NP") for leaf in leaves]
        assert sentence.supertags == (
            found if path.stem == "wsj_0202" else [leaf[0] for leaf in leaves]
        )


def test_forms_of_categories():
    sentences = read(FOLDER / "AUTO/02/wsj_0202.auto")
    assert sentences[2] == Sentence(
        words="There is a plan -LRB- for 1990 -RRB- ;".split(),
        pos="EX VBZ DT NN -LRB- IN CD -RRB- :".split(),
        supertags=r"NP[thr] (S[dcl]\NP[thr])/NP NP[nb]/N N LRB (NP\NP)/NP N RRB ;".split(),
    )
    assert sentences[5].supertags[2] == r"((S\NP)\(S\NP))/((S\NP)\(S\NP))"
    # A derivation that is one leaf.
    assert sentences[7] == Sentence(["Yes"], ["UH"], supertags=["S[intj]"])
    # A slip in CCGbank.
    assert sentences[9].supertags[0] == r"(S[b]\NP)/NP"


def test_words_with_brackets_and_angles():
    leaf = "(<L N NN NN {} N>)"
    words = ["a>", ">", "<L", "(", ")", ">)", "|"]
    for word in words:
        lines = ["ID=x.1 PARSER=GOLD NUMPARSE=1\n", f"(<T NP 0 1> {leaf.format(word)} )\n"]
        assert [s.words for s in parse_auto(lines, "text")] == [[word]]
