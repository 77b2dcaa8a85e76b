"""PropBank's files without words."""

import pytest

from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.gold_skel import parse_gold_skel

LINES = """\
d.xml 0 0 [WORD] PRP (TOP(S(NP*) - - (ARG0*)
d.xml 0 1 [WORD] VBP (VP* run run_up.03 (V*)
d.xml 0 2 [WORD] RP *)) up - *
\t
d.xml 1 0 [WORD] UH (TOP*) - -
""".splitlines(keepends=True)


def test_columns():
    first, second = parse_gold_skel(LINES, "d.gold_skel")
    assert first.pos == ["PRP", "VBP", "RP"]
    assert first.constituents == ["(TOP(S(NP*)", "(VP*", "*))"]
    (frame,) = first.frames()
    assert (frame.predicate, frame.lemma, frame.sense) == (1, "run_up", "run_up.03")
    assert frame.tags == ["B-ARG0", "B-V", "O"]
    assert second.pos == ["UH"] and second.frames() == []


@pytest.mark.parametrize(
    "first, message",
    [
        ("d.xml 0 0 [WORD] PRP", "found 5 columns; expected at least 8"),
        ("d.xml 0 0 [WORD] PRP * run run.01 *", "found 1 role column; expected 2"),
    ],
)
def test_malformed_lines(first: str, message: str):
    with pytest.raises(CorpusFormatError, match=f"d.gold_skel:1: {message}"):
        list(parse_gold_skel([first, *LINES[1:]], "d.gold_skel"))


def test_roles_are_read_only_when_asked_for():
    lines = [line.replace("(V*)", "*)") for line in LINES]
    first, second = parse_gold_skel(lines, "d.gold_skel")
    with pytest.raises(CorpusFormatError, match="d.gold_skel:2: found "):
        first.frames()
    assert second.frames() == []
