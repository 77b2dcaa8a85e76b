import re

import pytest

from lisa_allennlp.data.formats.ccg.auto import parse_auto
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.errors import CorpusFormatError
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


def test_the_slip_in_ccgbank_is_mended():
    assert read(FOLDER / "AUTO/02/wsj_0202.auto")[9].supertags[0] == r"(S[b]\NP)/NP"


def test_words_with_brackets_and_angles():
    leaf = "(<L N NN NN {} N>)"
    words = ["a>", ">", "<L", "(", ")", ">)", "|"]
    for word in words:
        lines = ["ID=x.1 PARSER=GOLD NUMPARSE=1\n", f"(<T NP 0 1> {leaf.format(word)} )\n"]
        assert [s.words for s in parse_auto(lines, "text")] == [[word]]


@pytest.mark.parametrize(
    "name, line, message",
    [
        ("no_id", 1, "expected a line 'ID=...' before each derivation"),
        ("id_twice", 2, "expected the derivation that line 1 announces"),
        ("id_at_the_end", 3, "found the end of the file after this line; expected a derivation"),
        ("no_parse", 1, "NUMPARSE=0'; expected 'ID=... PARSER=GOLD NUMPARSE=1'"),
        ("four_values", 2, "found '(<L N NN cat N>) )' at character 13; expected (<L category"),
        ("too_many_children", 2, "expected ')' after the 1 child of the node at character 1"),
        ("too_few_children", 2, "found ')' at character 33; expected the 2 children"),
        ("three_children", 2, "expected 1 or 2 children"),
        ("head_not_a_child", 2, "the position of the head among them (0 or 1)"),
        ("never_closed", 2, "found the end of the line at character 32"),
        ("closed_twice", 2, "found ')' at character 35; expected the end of the line"),
        ("not_a_derivation", 2, "found 'the cat' at character 1; expected (<L category"),
        ("bad_category", 2, "of the category '(N/N', in the node at character 13"),
        ("bad_node_category", 2, "of the category 'NP/', in the node at character 1;"),
        ("empty", None, "no sentences"),
        ("latin1", 2, "text encoded in UTF-8"),
    ],
)
def test_broken_files(name, line, message):
    path = FOLDER / "broken" / f"{name}.auto"
    with pytest.raises(CorpusFormatError) as caught:
        read(path)
    assert caught.value.line == line
    place = str(path) if line is None else f"{path}:{line}"
    assert str(caught.value).startswith(f"{place}: ") and message in str(caught.value)


def test_every_broken_file_is_tested():
    marks = test_broken_files.pytestmark[0].args[1]
    assert {name for name, _, _ in marks} == {p.stem for p in (FOLDER / "broken").glob("*.auto")}
