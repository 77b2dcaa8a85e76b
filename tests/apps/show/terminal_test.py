"""What `lisa label` and `lisa show` print."""

import re
from dataclasses import replace
from typing import List, Set

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from lisa_allennlp.apps.show.comparison import Pictured
from lisa_allennlp.apps.show.terminal import picture, table, tree_lines
from lisa_allennlp.apps.show.texts import printable
from lisa_allennlp.sentence.sentence import Frame, Parse, RankedSupertag, Sentence, self_loop_heads
from tests.apps.show.strategies import ONE, OTHER, heads, projective_heads, sentences

WIDE_TABLE = """\
   word  POS  head  relation  saw      fly
1  I     PRP  2     nsubj     (ARG0*)  *
2  saw   VBD  0     root      (V*)     *
3  it    PRP  4     nsubj     (ARG1*   (ARG1*)
4  fly   VB   2     ccomp     *)       (V*)"""

NARROW_TABLE = """\
   word  POS  head  relation
1  I     PRP  2     nsubj
2  saw   VBD  0     root
3  it    PRP  4     nsubj
4  fly   VB   2     ccomp

saw: [ARG0: I] [V: saw] [ARG1:
    it fly]
fly: [ARG1: it] [V: fly]"""

PICTURE = """\
1  ╭────►  I    PRP  2  nsubj
2  ├─────  saw  VBD  0  root
3  │ ╭──►  it   PRP  4  nsubj
4  ╰─┴──►  fly  VB   2  ccomp

saw: [ARG0 I] [V saw] [ARG1 it fly]

fly: I saw [ARG1 it] [V fly]"""

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
    assert table(ONE) == WIDE_TABLE
    assert table(ONE, width=30) == NARROW_TABLE
    assert shown(ONE) == PICTURE
    names = ("parser", "tagger")
    assert picture(Pictured(ONE, OTHER, names)).plain == COMPARISON
    equal = picture(Pictured(ONE, ONE, names)).plain
    assert equal.startswith("parser = tagger\n") and "≠" not in equal


def test_sixteen_colours_tell_roles_apart() -> None:
    roles = ["ARG0", "V", "ARG1", "ARG2", "ARG3", "ARGM-TMP"]
    frame = Frame(1, [f"B-{role}" for role in roles])
    console = Console(force_terminal=True, color_system="standard", width=200)
    with console.capture() as capture:
        console.print(picture(Pictured(Sentence(list("abcdef"), frames=[frame])), 200))
    styles = dict(re.findall(r"\x1b\[([\d;]+)m\[([\w-]+)", capture.get()))
    assert sorted(styles.values()) == sorted(roles)


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
    wide = Sentence(["漢字"] * 30, frames=[Frame(0, ["B-V", "B-ARG1", *["I-ARG1"] * 28])])
    assert max(map(cell_len, shown(wide, 40).split("\n"))) in (39, 40)


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
            # Spaces of any kind at a word's end are lost where the line ends too.
            assert word.rstrip() in text or cell_len(word) > 4
    for frame in sentence.frames or []:
        for span in frame.roles:
            assert f"[{span.role}" in shown(sentence, width)


def test_predicates_of_the_same_name_are_told_apart() -> None:
    frames = [Frame(0, ["B-V", "O"]), Frame(1, ["O", "B-V"])]
    buffalo = Sentence(["buffalo"] * 2, frames=frames)
    assert "buffalo (1)  buffalo (2)" in table(buffalo)
    assert "buffalo (2): buffalo [V buffalo]" in shown(buffalo)


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
    # The second one has the same roleset, whose meaning is shown once.
    frames = [frame, replace(frame, predicate=0)]
    sentence = Sentence(["She", "sold"], ["PRP", "VBD"], frames, pos_probabilities=[0.991, 0.75])
    assert "sell.01 (2) 0.88: [ARG0 0.50 She] [V 1.00 sold]" in shown(sentence)
    assert "sell.01 (2) 0.88: [ARG0 0.50: She] [V 1.00: sold]" in table(sentence)
    for text in (shown(sentence), table(sentence)):
        assert text.endswith('\n\nsell.01 "commerce: seller", ARG0 seller')
        assert "1  She   PRP 0.99\n2  sold  VBD 0.75\n" in text


DOWN, UP, RIGHT = "╭├┬┼│", "╰├┴┼│", "╭╰├┬┴┼"


def drawn(heads: List[int]) -> List[str]:
    return tree_lines(Parse(self_loop_heads(heads), []))


def groups(rows: List[str]) -> List[Set[int]]:
    """The rows that each vertical line connects."""
    found = []
    for column in range(len(rows[0])):
        group: Set[int] = set()
        for row, line in enumerate(rows):
            character = line[column]
            if character in RIGHT:
                assert all(c in "─┬┴┼├╭╰│" for c in line[column + 1 : -1])
                group.add(row)
            if character in DOWN:
                assert rows[row + 1][column] in UP
            elif group:
                found.append(group)
                group = set()
        assert not group
    return found


@given(st.integers(1, 9).flatmap(heads))
def test_each_line_connects_a_head_with_its_dependents(heads: List[int]) -> None:
    rows = drawn(heads)
    connected = [
        {head - 1, *(t for t, h in enumerate(heads) if h == head)} for head in {*heads} if head
    ]
    assert sorted(map(sorted, groups(rows))) == sorted(map(sorted, connected))
    assert [row.endswith("►") for row in rows] == [head > 0 for head in heads]
    assert len(set(map(len, rows))) == 1


@given(st.integers(1, 10).flatmap(projective_heads))
def test_lines_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    # A line that is crossed has a horizontal one on its right.
    assert not any("│─" in row for row in drawn(heads))
