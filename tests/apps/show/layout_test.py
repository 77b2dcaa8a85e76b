"""Places of words and arcs, against all pairs and all line breaks."""

from itertools import combinations, permutations
from typing import List

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.show.layout import LABEL_SIZE, lay_out, place_arcs
from lisa_allennlp.apps.show.texts import text_width
from lisa_allennlp.sentence.sentence import Parse, Sentence, self_loop_heads
from tests.apps.show.strategies import heads, projective_heads, sentences

WIDTHS = st.sampled_from([None, 60, 150])


def of_heads(heads: List[int], label: str) -> Sentence:
    return Sentence(["w"] * len(heads), parse=Parse(self_loop_heads(heads), [label] * len(heads)))


@given(st.booleans().flatmap(sentences), WIDTHS)
def test_words_are_in_order_and_do_not_overlap(sentence: Sentence, width: float) -> None:
    layout = lay_out(sentence, width=width)
    words = layout.words
    assert len(words) == len(sentence.words)
    for _, left, right in words:
        assert layout.left < left <= right < layout.right or width == 60
    for (line, _, right), (next_line, left, _) in zip(words, words[1:], strict=False):
        assert left >= right + 9 - 1e-6 if line == next_line else next_line == line + 1


@given(st.booleans().flatmap(sentences), WIDTHS)
def test_arcs_and_labels_of_a_level_do_not_overlap(sentence: Sentence, width: float) -> None:
    layout = lay_out(sentence, width=width)
    parts = [part for arc in place_arcs(sentence, layout) for part in arc.parts]
    for one, other in combinations(parts, 2):
        if (one.line, one.level) == (other.line, other.level):
            (start, end), (other_start, other_end) = one.extent(), other.extent()
            assert end < other_start or other_end < start


@given(st.integers(1, 8).flatmap(heads), WIDTHS)
def test_arcs_lead_from_head_to_dependent(heads: List[int], width: float) -> None:
    sentence = of_heads(heads, "nsubj")
    layout = lay_out(sentence, width=width)
    half = text_width("nsubj", LABEL_SIZE) / 2 - 1e-6
    ends = []
    for arc, _, parts in place_arcs(sentence, layout):
        line, left, right = layout.words[arc.dependent - 1]
        head_line, head_left, head_right = layout.words[(arc.head or arc.dependent) - 1]
        step = 1 if head_line <= line else -1
        assert [part.line for part in parts] == list(range(head_line, line + step, step))
        edges = [layout.right, layout.left][::step]
        for before, after in zip(parts, parts[1:], strict=False):
            assert [before.end, after.start] == edges
        assert head_left - 1e-6 <= parts[0].start <= head_right + 1e-6
        assert left - 1e-6 <= parts[-1].end <= right + 1e-6
        assert len(parts) > 1 or (parts[0].start == parts[0].end) == (arc.head == 0)
        ends += [(head_line, parts[0].start)] * (arc.head > 0) + [(line, parts[-1].end)]
        middles = [part.middle_of_label for part in parts if part.label]
        assert middles and layout.left + half <= min(middles)
        assert max(middles) <= layout.right - half
    # Each end at a word has a place of its own.
    assert len(set(ends)) == len(ends)


@given(st.integers(1, 9).flatmap(projective_heads))
def test_arcs_of_projective_trees_do_not_cross(heads: List[int]) -> None:
    sentence = of_heads(heads, "")
    arcs = place_arcs(sentence, lay_out(sentence))
    for one, other in permutations([arc.parts[0] for arc in arcs], 2):
        low, high = sorted((other.start, other.end))
        for x in (one.start, one.end):
            # A vertical line of `one` meets the horizontal line of `other`.
            assert not (low < x < high and other.level < one.level)


def test_breaks_cut_few_arcs() -> None:
    # Of two groups of words, only the roots are joined.
    for tree, first in (([2, 0, 2, 2, 6, 2, 6, 6], 4), ([2, 0, 5, 5, 2, 5, 5, 5], 2)):
        words = lay_out(of_heads(tree, "x"), width=180).words
        assert [line for line, _, _ in words] == [0] * first + [1] * (8 - first)
