"""What `lisa label` prints."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Frame, Parse, RankedSupertag, Sentence
from lisa_allennlp.visualisation.table import render

SENTENCE = Sentence(
    ["She", "asked", "him", "to", "leave", "."],
    ["PRP", "VBD", "PRP", "TO", "VB", "."],
    [
        Frame(1, ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"]),
        Frame(4, ["O", "O", "B-ARG0", "O", "B-V", "O"]),
    ],
    Parse([1, 1, 1, 4, 1, 1], ["nsubj", "root", "dobj", "aux", "xcomp", "punct"]),
)

TABLE = """\
   word   POS  head  relation  asked    leave
1  She    PRP  2     nsubj     (ARG0*)  *
2  asked  VBD  0     root      (V*)     *
3  him    PRP  2     dobj      (ARG2*)  (ARG0*)
4  to     TO   5     aux       (ARG1*   *
5  leave  VB   2     xcomp     *)       (V*)
6  .      .    2     punct     *        *"""

NARROW = """\
   word   POS  head  relation
1  She    PRP  2     nsubj
2  asked  VBD  0     root
3  him    PRP  2     dobj
4  to     TO   5     aux
5  leave  VB   2     xcomp
6  .      .    2     punct

asked: [ARG0: She] [V: asked]
    [ARG2: him] [ARG1: to leave]
leave: [ARG0: him] [V: leave]"""


def test_a_column_per_predicate_where_they_fit() -> None:
    assert render(SENTENCE) == TABLE


def test_a_line_per_predicate_where_they_do_not() -> None:
    assert render(SENTENCE, width=32) == NARROW


def test_role_names_are_not_broken_at_their_hyphen() -> None:
    words = ["He", *["spoke"] * 8, "yesterday"]
    tags = ["B-ARG0", "B-V", *["O"] * 7, "B-ARGM-TMP"]
    frames = [Frame(t, ["O"] * t + ["B-V"] + ["O"] * (8 - t) + ["B-ARGM-TMP"]) for t in range(1, 9)]
    for width in range(30, 60):
        lines = render(Sentence(words, frames=[Frame(1, tags), *frames]), width).splitlines()
        assert not any(line.endswith("ARGM-") for line in lines)


def test_predicates_of_the_same_form_are_told_apart() -> None:
    frames = [Frame(0, ["B-V", "O"]), Frame(1, ["O", "B-V"])]
    assert "buffalo (1)  buffalo (2)" in render(Sentence(["buffalo"] * 2, frames=frames))


def test_a_predicate_may_have_the_name_of_a_column() -> None:
    frames = [Frame(1, ["O", "B-V"])]
    lines = render(
        Sentence(["They", "head"], parse=Parse([1, 1], ["nsubj", "root"]), frames=frames)
    )
    assert lines.splitlines() == [
        "   word  head  relation  head",
        "1  They  2     nsubj     *",
        "2  head  0     root      (V*)",
    ]


def test_wide_characters_take_two_columns() -> None:
    words = ["\u6f22\u5b57" * 5, "\u6f22\u5b57"]
    sentence = Sentence(words, frames=[Frame(0, ["B-V", "B-ARG1"])])
    assert render(sentence, width=34).splitlines()[1] == f"1  {words[0]}"
    assert len(render(Sentence(["a\u2028b", "c"])).split("\n")) == 3


def test_what_is_unknown_is_left_out() -> None:
    bare = Sentence(["No", "."], ["UH", "."], frames=[])
    assert render(bare) == "   word  POS\n1  No    UH\n2  .     .\n(no predicate found)"
    tree = Sentence(["Go"], parse=Parse([0], ["root"]))
    assert render(tree) == "   word  head  relation\n1  Go    0     root"
    supertags = Sentence(["Go"], supertags=["S[b]"])
    assert render(supertags) == "   word  supertag\n1  Go    S[b]"
    ranked = Sentence(
        ["Go"],
        supertags=["S[b]"],
        candidates=[[RankedSupertag("S[b]", 0.75), RankedSupertag("N", 0.2)]],
    )
    assert "S[b] 0.75 N 0.20" in render(ranked)
    assert render(Sentence([])) == "(an empty sentence)"


@settings(max_examples=40)
@given(st.integers(1, 30), st.integers(40, 100), st.integers(1, 200))
def test_it_fits_the_width(num_predicates: int, width: int, longest: int) -> None:
    words = ["w" * longest, *["went"] * num_predicates]
    frames = [
        Frame(p, ["B-ARG0"] + ["B-V" if t == p else "O" for t in range(1, len(words))])
        for p in range(1, len(words))
    ]
    lines = render(Sentence(words, frames=frames), width).splitlines()
    assert max(map(len, lines)) <= width
    assert "".join(lines).count("w" * min(longest, 10)) >= 1


def test_probabilities_stand_after_labels() -> None:
    sentence = Sentence(
        ["She", "left"],
        ["PRP", "VBD"],
        [Frame(1, ["B-ARG0", "B-V"], probability=0.876, span_probabilities=[0.5, 1.0])],
        Parse([1, 1], ["nsubj", "root"]),
        pos_probabilities=[0.991, 0.75],
        head_probabilities=[0.25, 1.0],
    )
    assert (
        render(sentence)
        == """\
   word  POS       head  relation
1  She   PRP 0.99  2     nsubj 0.25
2  left  VBD 0.75  0     root 1.00

left 0.88: [ARG0 0.50: She] [V 1.00: left]"""
    )


def test_control_characters_are_escaped() -> None:
    words = ["\x1b[31mred", "a\tb"]
    for tags in (["B-ARG0", "B-V"], ["B-V", "I-V"]):
        sentence = Sentence(words, frames=[Frame(0, tags)], pos_probabilities=[0.5, 0.5])
        shown = render(sentence)
        assert "\x1b" not in shown and "\t" not in shown
        assert shown.count("\\x1b[31mred") >= 2
