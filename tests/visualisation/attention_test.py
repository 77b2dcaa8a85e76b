"""The attention in both kinds of heat maps."""

from xml.etree import ElementTree

import numpy
import pytest
from rich.cells import cell_len
from scipy.special import softmax

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.visualisation.attention import own_attention
from lisa_allennlp.visualisation.heat_map import describe_attention, heat_map
from lisa_allennlp.visualisation.svg import NAMESPACE, svg
from lisa_allennlp.visualisation.terminal_heat_map import render_heat_map

SCORES = numpy.random.default_rng(1).normal(size=(3, 3)) * 5
SENTENCE = Sentence(
    ["<a>", "漢", "c"], parse=Parse([1, 1, 1], ["x", "root", "y"]), arc_scores=SCORES
)
OTHER = Sentence(["<a>", "漢", "c"], parse=Parse([1, 1, 0], ["x", "root", "y"]))


def test_it_is_the_models_own_beside_an_injected_tree() -> None:
    injected = numpy.eye(3)[[1, 1, 1]]
    sentence = Sentence(["a", "b", "c"], arc_scores=SCORES, attention=injected)
    numpy.testing.assert_allclose(own_attention(sentence), softmax(SCORES, axis=1))
    numpy.testing.assert_array_equal(own_attention(Sentence(["a"], attention=[[1.0]])), [[1.0]])
    assert own_attention(Sentence([], arc_scores=numpy.zeros((0, 0)))).shape == (0, 0)


def test_without_attention() -> None:
    for show in (heat_map, render_heat_map, describe_attention):
        with pytest.raises(ConfigurationError, match="without `attention` and `arc_scores`"):
            show(Sentence(["a"]))


def test_cells_and_outlines_of_the_svg() -> None:
    root = ElementTree.fromstring(svg([heat_map(SENTENCE, OTHER)], "", "light"))
    found = root.iter(f"{{{NAMESPACE}}}rect")
    rects = [(r.get("class"), float(r.get("x", 0)), float(r.get("y", 0)), r) for r in found]
    left, top = next((x, y) for name, x, y, _ in rects if name == "panel")
    weights = numpy.zeros((3, 3))
    outlined = set()
    for name, x, y, rect in rects:
        row, column = round((y - top - 1) / 17), round((x - left - 1) / 17)
        if name == "heat":
            weights[row, column] = rect.get("fill-opacity")
        elif name in ("head", "head other"):
            outlined.add((name, row, column))
    numpy.testing.assert_allclose(weights, softmax(SCORES, axis=1), atol=0.0101)
    own = {("head", 0, 1), ("head", 1, 1), ("head", 2, 1)}
    assert outlined == {*own, ("head other", 2, 0)}


def test_the_terminal_has_shades_and_brackets() -> None:
    lines = render_heat_map(SENTENCE).plain.split("\n")[1:]
    for row, line in enumerate(lines):
        weights = softmax(SCORES, axis=1)[row]
        # The number, the word and the gaps take eight columns, and 漢 two of them.
        line = line[7:] if row == 1 else line[8:]
        cells = [line[start : start + 3] for start in (0, 3, 6)]
        assert [cell.startswith("[") for cell in cells] == [False, True, False]
        for cell, weight in zip(cells, weights, strict=True):
            assert ("·" in cell) == (weight < 0.05)
            assert ("█" in cell) == (weight >= 0.75)


@pytest.mark.parametrize("length", [1, 9, 10, 30])
@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit(length: int, width: int) -> None:
    scores = numpy.random.default_rng(2).normal(size=(length, length))
    sentence = Sentence(["漢字" * 12] * length, arc_scores=scores)
    assert (
        max(cell_len(line) for line in render_heat_map(sentence, width).plain.split("\n")) <= width
    )
