"""Arbitrary sentences with hostile words and labels, and arbitrary graphs of heads."""

from dataclasses import replace
from typing import Any, Callable, List

from hypothesis import strategies as st

from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence, self_loop_heads

HARMLESS = ["a", "(", '"', "漢字", "e\u0301", "👩‍👩‍👧", "שלום", "w" * 90, "[", "]", "nmod:poss"]
HOSTILE = [
    "&amp;",
    "<script>",
    "</svg>",
    "\t",
    "a b",
    "\x1b[31m",
    "\u202e",
    "\u2028",
    "\x00",
    "\ufffe",
]
WORDS = st.one_of(st.sampled_from(HARMLESS + HOSTILE), st.text(min_size=1, max_size=12))
LABELS = st.one_of(st.sampled_from(HARMLESS[-4:] + HOSTILE), st.text(min_size=1, max_size=9))
ROLES = ["V", "ARG0", "ARG1", "A2", "R-ARG0", "C-ARG1", "ARGM-TMP", "C-V", "<i>"]


@st.composite
def heads(draw: Callable, length: int) -> List[int]:
    """1-based heads with any number of roots and cycles."""
    return [
        draw(st.integers(0, length).filter(lambda head, own=own: head != own))
        for own in range(1, length + 1)
    ]


@st.composite
def projective_heads(draw: Callable, length: int) -> List[int]:
    """The 1-based heads of a tree in which no arcs cross."""
    found = [0] * length

    def attach(first: int, end: int, head: int) -> None:
        while first < end:
            last = draw(st.integers(first + 1, end))
            own = draw(st.integers(first, last - 1))
            found[own] = head
            attach(first, own, own + 1)
            attach(own + 1, last, own + 1)
            first = last

    root = draw(st.integers(0, length - 1))
    attach(0, root, root + 1)
    attach(root + 1, length, root + 1)
    return found


@st.composite
def sentences(draw: Callable, with_probabilities: bool = False, length: int = 0) -> Sentence:
    """With each layer or without, and probabilities on request."""
    length = length or draw(st.integers(1, 7))

    def each(values: st.SearchStrategy) -> List[Any]:
        return draw(st.lists(values, min_size=length, max_size=length))

    probabilities = st.floats(0, 1)
    frames = []
    for predicate in sorted(draw(st.sets(st.integers(0, length - 1), max_size=3))):
        roles = each(st.sampled_from(["O", *ROLES]))
        begins = each(st.booleans())
        tags = [
            "O" if role == "O" else f"{'B' if begin else 'I'}-{role}"
            for role, begin in zip(roles, begins, strict=True)
        ]
        frames.append(Frame(predicate, tags, sense=draw(st.sampled_from(["-", "go.01", "<u>.02"]))))
    has_tree = draw(st.booleans())
    return Sentence(
        each(WORDS),
        pos=each(LABELS) if draw(st.booleans()) or with_probabilities else None,
        frames=draw(st.sampled_from([frames, None])),
        parse=Parse(self_loop_heads(draw(heads(length))), each(LABELS)) if has_tree else None,
        supertags=each(LABELS) if draw(st.booleans()) else None,
        head_probabilities=each(probabilities) if with_probabilities and has_tree else None,
        pos_probabilities=each(probabilities) if with_probabilities else None,
    )


ONE = Sentence(
    ["I", "saw", "it", "fly"],
    ["PRP", "VBD", "PRP", "VB"],
    [Frame(1, ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"]), Frame(3, ["O", "O", "B-ARG1", "B-V"])],
    Parse([1, 1, 3, 1], ["nsubj", "root", "nsubj", "ccomp"]),
)
OTHER = replace(
    ONE,
    pos=["PRP", "VBD", "PRP$", "NN"],
    frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"])],
    parse=Parse([1, 1, 3, 1], ["nsubj", "root", "nmod:poss", "obj"]),
)
"""Another reading of `ONE`: 2 tags, 2 relations, 1 predicate, 2 spans."""
