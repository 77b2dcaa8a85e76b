"""Two readings in the terminal."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.visualisation.terminal_comparison import render_comparison
from tests.visualisation.strategies import sentences

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

PICTURE = """\
parser ≠ tagger: 2 tags, 2 relations, 1 predicate, 2 spans
1  ╭────►  I    PRP         2  nsubj
2  ├─────  saw  VBD         0  root
3  │ ╭──►  it   PRP ≠ PRP$  4  nsubj ≠ nmod:poss
4  ╰─┴──►  fly  VB ≠ NN     2  ccomp ≠ obj

saw: [ARG0 I] [V saw] [ARG1 it fly]

parser: fly: I saw [≠ARG1 it] [≠V fly]
tagger: ≠ no predicate"""


def test_golden_picture() -> None:
    assert render_comparison(ONE, OTHER, ["parser", "tagger"]).plain == PICTURE


def test_equal_readings() -> None:
    shown = render_comparison(ONE, ONE, ["parser", "tagger"]).plain
    assert shown.startswith("parser = tagger\n") and "≠" not in shown


def test_other_words_cannot_be_compared() -> None:
    with pytest.raises(ConfigurationError, match="found the sentence 'You'; expected the words 'I"):
        render_comparison(ONE, Sentence(["You"]), ["a", "b"])


@settings(max_examples=40, deadline=None)
@given(sentences(), sentences(), st.integers(40, 200))
def test_lines_fit(one: Sentence, other: Sentence, width: int) -> None:
    length = min(len(one.words), len(other.words))
    one, other = (
        Sentence(
            ["漢字"] * length,
            s.pos and s.pos[:length],
            [replace(f, tags=f.tags[:length]) for f in s.frames or [] if f.predicate < length],
        )
        for s in (one, other)
    )
    shown = render_comparison(one, other, ["x" * 90, "漢字" * 30], width).plain
    assert max(map(cell_len, shown.split("\n"))) <= width
