"""What `lisa show` prints."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.terminal import render
from tests.visualisation.strategies import sentences

SENTENCE = Sentence(
    ["She", "asked", "him", "to", "leave", "."],
    ["PRP", "VBD", "PRP", "TO", "VB", "."],
    [
        Frame(1, ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"], "ask", "ask.02"),
        Frame(4, ["O", "O", "B-ARG0", "O", "B-V", "O"]),
    ],
    Parse([1, 1, 1, 4, 1, 1], ["nsubj", "root", "obj", "mark", "xcomp", "punct"]),
)

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

CROSSED = Sentence(
    ["漢字", "w" * 30, "a\tb"],
    parse=Parse([2, 2, 2], ["nsubj", "nmod:possessive", "root"]),
    supertags=["(S\\NP)/NP", "N", "N"],
    head_probabilities=[0.5, 0.25, 1.0],
    frames=[],
)

NARROW = """\
1  ╭──►  漢字      3  nsubj     (S\\NP)/N
   │                  0.50      P
2  ├──►  wwwwwwww  3  nmod:pos  N
   │     wwwwwwww     sessive
   │     wwwwwwww     0.25
   │     wwwwww
3  ╰───  a\\tb      0  root      N
                      1.00
(no predicate found)"""


def printed(sentence: Sentence, width: int, **options: object) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, soft_wrap=True, **options)  # type: ignore[arg-type]
    console.print(render(sentence, width))
    return file.getvalue()


def test_golden_pictures() -> None:
    assert render(SENTENCE, 40).plain == PICTURE
    assert render(CROSSED, 40).plain == NARROW


def test_colours_add_nothing_but_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = render(SENTENCE, 40).plain + "\n"
    assert printed(SENTENCE, 40) == plain
    colours = {"force_terminal": True, "color_system": "truecolor"}
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in printed(SENTENCE, 40, **colours)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "48;2" not in printed(SENTENCE, 40, **colours)


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), st.integers(40, 200))
def test_lines_fit_and_nothing_is_lost(sentence: Sentence, width: int) -> None:
    shown = render(sentence, width).plain
    for line in shown.split("\n"):
        assert cell_len(line) <= width
        assert line.isprintable() or "\u200d" in line or not line.isascii()
    for word in sentence.words:
        if cell_len(printable(word)) <= 4:
            assert printable(word) in shown
    for frame in sentence.frames or []:
        for span in frame.roles:
            assert f"[{span.role}" in shown


@pytest.mark.parametrize("length", [60, 200])
def test_deep_trees_leave_room_for_words(length: int) -> None:
    # Every arc is inside the next one.
    inner = [t + 1 if t < length // 2 else length - t for t in range(length)]
    heads = [min(h, length - 1) for h in inner]
    sentence = Sentence(["w"] * length, parse=Parse(heads, ["dep"] * length))
    for width in (40, 80):
        lines = render(sentence, width).plain.split("\n")
        assert max(map(cell_len, lines)) <= width and len(lines) >= length


def test_what_is_unknown_is_left_out() -> None:
    assert render(Sentence([])).plain == "(an empty sentence)"
    assert render(Sentence(["No"], ["UH"], frames=[])).plain == "1  No  UH\n(no predicate found)"


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
    shown = render(Sentence(["She", "sold"], frames=[frame])).plain
    assert "sell.01 0.88: [ARG0 0.50 She] [V 1.00 sold]" in shown
    assert 'sell.01 "commerce: seller", ARG0 seller' in shown
