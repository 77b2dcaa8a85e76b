"""What `lisa label` and `lisa show` print."""

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from lisa_allennlp.data.sentence import Frame, Parse, RankedSupertag, Sentence
from lisa_allennlp.visualisation.comparison import Pictured
from lisa_allennlp.visualisation.terminal import picture, table
from lisa_allennlp.visualisation.texts import printable
from tests.visualisation.strategies import ONE, OTHER, sentences

SENTENCE = Sentence(
    ["She", "asked", "him", "to", "leave", "."],
    ["PRP", "VBD", "PRP", "TO", "VB", "."],
    [
        Frame(1, ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"], "ask", "ask.02"),
        Frame(4, ["O", "O", "B-ARG0", "O", "B-V", "O"]),
    ],
    Parse([1, 1, 1, 4, 1, 1], ["nsubj", "root", "obj", "mark", "xcomp", "punct"]),
)

WIDE_TABLE = """\
   word   POS  head  relation  ask.02   leave
1  She    PRP  2     nsubj     (ARG0*)  *
2  asked  VBD  0     root      (V*)     *
3  him    PRP  2     obj       (ARG2*)  (ARG0*)
4  to     TO   5     mark      (ARG1*   *
5  leave  VB   2     xcomp     *)       (V*)
6  .      .    2     punct     *        *"""

NARROW_TABLE = """\
   word   POS  head  relation
1  She    PRP  2     nsubj
2  asked  VBD  0     root
3  him    PRP  2     obj
4  to     TO   5     mark
5  leave  VB   2     xcomp
6  .      .    2     punct

ask.02: [ARG0: She] [V: asked]
    [ARG2: him] [ARG1: to leave]
leave: [ARG0: him] [V: leave]"""

PICTURE = """\
1  ╭────►  She    PRP  2  nsubj
2  ├─────  asked  VBD  0  root
3  ├────►  him    PRP  2  obj
4  │ ╭──►  to     TO   5  mark
5  ├─┴──►  leave  VB   2  xcomp
6  ╰────►  .      .    2  punct

ask.02: [ARG0 She] [V asked] [ARG2 him]
  [ARG1 to leave] .

leave: She asked [ARG0 him] to [V leave]
  ."""

COMPARISON = """\
parser ≠ tagger: 2 tags, 2 relations, 1 predicate, 2 spans
1  ╭────►  I    PRP         2  nsubj
2  ├─────  saw  VBD         0  root
3  │ ╭──►  it   PRP ≠ PRP$  4  nsubj ≠ nmod:poss
4  ╰─┴──►  fly  VB ≠ NN     2  ccomp ≠ obj

saw: [ARG0 I] [V saw] [ARG1 it fly]

parser: fly: I saw [≠ARG1 it] [≠V fly]
tagger: ≠ no predicate"""


def shown(sentence: Sentence, width: int = 80) -> str:
    return picture(Pictured(sentence), width).plain


def test_golden() -> None:
    assert table(SENTENCE) == WIDE_TABLE
    assert table(SENTENCE, width=32) == NARROW_TABLE
    assert shown(SENTENCE, 40) == PICTURE
    names = ("parser", "tagger")
    assert picture(Pictured(ONE, OTHER, names)).plain == COMPARISON
    equal = picture(Pictured(ONE, ONE, names)).plain
    assert equal.startswith("parser = tagger\n") and "≠" not in equal


def test_without_room_the_column_of_heads_remains() -> None:
    words = ["漢字", "w" * 30, "a\tb"]
    parse = Parse([2, 2, 2], ["nsubj", "nmod", "root"])
    lines = shown(Sentence(words, parse=parse, head_probabilities=[0.5, 0.25, 1.0]), 40).split("\n")
    assert lines == [
        "1  漢字                    3  nsubj 0.50",
        f"2  {'w' * 22}  3  nmod 0.25",
        f"   {'w' * 8}",
        "3  a\\tb                    0  root 1.00",
    ]


def test_colours_add_nothing_but_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(**options: object) -> str:
        file = io.StringIO()
        console = Console(file=file, width=40, soft_wrap=True, **options)  # type: ignore[arg-type]
        console.print(picture(Pictured(SENTENCE), 40))
        return file.getvalue()

    assert printed() == PICTURE + "\n"
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "48;2" in printed(force_terminal=True, color_system="truecolor")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "48;2" not in printed(force_terminal=True, color_system="truecolor")


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), st.integers(40, 200))
def test_lines_fit_and_nothing_is_lost_or_moves_the_cursor(sentence: Sentence, width: int) -> None:
    other = replace(sentence, pos=None, frames=None)
    for text in (
        shown(sentence, width),
        picture(Pictured(sentence, other, ("x" * 30, "漢字" * 10)), width).plain,
        table(sentence, width),
    ):
        for line in text.split("\n"):
            # Only single words are wider, such as "[V" with a part of a word.
            assert cell_len(line) <= width or " " not in line.lstrip()
            assert not any(c in line for c in "\x1b\x00\t\r\u202e\u2028")
        for word in map(printable, sentence.words):
            assert word in text or cell_len(word) > 4
    for frame in sentence.frames or []:
        for span in frame.roles:
            assert f"[{span.role}" in shown(sentence, width)


@pytest.mark.parametrize("length", [60, 200])
def test_deep_trees_leave_room_for_words(length: int) -> None:
    # Every arc is inside the next one.
    inner = [t + 1 if t < length // 2 else length - t for t in range(length)]
    heads = [min(h, length - 1) for h in inner]
    sentence = Sentence(["w"] * length, parse=Parse(heads, ["dep"] * length))
    for width in (40, 80):
        lines = shown(sentence, width).split("\n")
        assert max(map(cell_len, lines)) <= width and len(lines) == length


def test_predicates_of_the_same_name_are_told_apart() -> None:
    frames = [Frame(0, ["B-V", "O"]), Frame(1, ["O", "B-V"])]
    buffalo = Sentence(["buffalo"] * 2, frames=frames)
    assert "buffalo (1)  buffalo (2)" in table(buffalo)
    assert "buffalo (2): buffalo [V buffalo]" in shown(buffalo)
    # A predicate may have the name of a column.
    parse = Parse([1, 1], ["nsubj", "root"])
    head = Sentence(["They", "head"], parse=parse, frames=[Frame(1, ["O", "B-V"])])
    assert table(head).splitlines()[1:] == [
        "1  They  2     nsubj     *",
        "2  head  0     root      (V*)",
    ]


def test_what_is_unknown_is_left_out() -> None:
    assert table(Sentence([])) == shown(Sentence([])) == "(an empty sentence)"
    bare = Sentence(["No"], ["UH"], frames=[])
    assert table(bare) == "   word  POS\n1  No    UH\n(no predicate found)"
    assert shown(bare) == "1  No  UH\n(no predicate found)"
    ranked = [[RankedSupertag("S[b]", 0.75), RankedSupertag("N", 0.2)]]
    assert "S[b] 0.75 N 0.20" in table(Sentence(["Go"], supertags=["S[b]"], candidates=ranked))


def test_glosses_and_probabilities() -> None:
    frame = Frame(
        1,
        ["B-ARG0", "B-V"],
        "sell",
        "sell.01",
        gloss="commerce: seller",
        role_glosses={"ARG0": "seller"},
        probability=0.876,
        span_probabilities=[0.5, 1.0],
    )
    sentence = Sentence(["She", "sold"], ["PRP", "VBD"], [frame], pos_probabilities=[0.991, 0.75])
    assert "sell.01 0.88: [ARG0 0.50 She] [V 1.00 sold]" in shown(sentence)
    assert "sell.01 0.88: [ARG0 0.50: She] [V 1.00: sold]" in table(sentence)
    for text in (shown(sentence), table(sentence)):
        assert text.endswith('\n\nsell.01 "commerce: seller", ARG0 seller')
        assert "1  She   PRP 0.99\n2  sold  VBD 0.75\n" in text


def test_attention_is_a_column() -> None:
    sentence = Sentence(["a", "b"], attention=[[0.97, 0.03], [0.75, 0.25]])
    assert picture(Pictured(sentence, attention=True)).plain == "1  a  0 0.97\n2  b  1 0.75, 0 0.25"
