"""The attention in the heat map and in words."""

import re
from xml.etree import ElementTree

import numpy
import pytest
from scipy.special import softmax

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.visualisation.figures import Pictured, make_figure
from lisa_allennlp.visualisation.heat_map import heat_map, largest_weights, own_attention
from lisa_allennlp.visualisation.svg import NAMESPACE, svg
from lisa_allennlp.visualisation.terminal import picture

WORDS = ["<a>", "漢", "$c$"]
SCORES = numpy.random.default_rng(1).normal(size=(3, 3)) * 5
SENTENCE = Sentence(WORDS, parse=Parse([1, 1, 1], ["x", "root", "y"]), arc_scores=SCORES)
OTHER = Sentence(WORDS, parse=Parse([1, 1, 0], ["x", "root", "y"]))


def test_it_is_the_models_own_beside_an_injected_tree() -> None:
    injected = numpy.eye(3)[[1, 1, 1]]
    sentence = Sentence(["a", "b", "c"], arc_scores=SCORES, attention=injected)
    numpy.testing.assert_allclose(own_attention(sentence), softmax(SCORES, axis=1))
    numpy.testing.assert_array_equal(own_attention(Sentence(["a"], attention=[[1.0]])), [[1.0]])
    with pytest.raises(ConfigurationError, match="without `attention` and `arc_scores`"):
        own_attention(Sentence(["a"]))


def test_words_cells_and_outlines() -> None:
    root = ElementTree.fromstring(svg(heat_map(SENTENCE, OTHER), "", "light"))
    texts = [text.text for text in root.iter(f"{{{NAMESPACE}}}text")]
    assert texts == [word for word in WORDS for _ in range(2)]
    weights = numpy.zeros((3, 3))
    outlined = set()
    for path in root.iter(f"{{{NAMESPACE}}}path"):
        points = re.findall(r"[ML] (-?[\d.]+) (-?[\d.]+)", path.get("d", ""))
        column, row = (int(min(float(point[axis]) for point in points) // 17) for axis in (0, 1))
        style = path.get("style", "")
        if "stroke: currentColor" in style:
            outlined.add((row, column, "dasharray" in style))
        elif "fill: none" not in style:
            opacity = re.search(r"fill-opacity: ([\d.]+)|opacity: ([\d.]+)", style)
            weights[row, column] = float(opacity[1] or opacity[2]) if opacity else 1
    numpy.testing.assert_allclose(weights, softmax(SCORES, axis=1), atol=0.0101)
    # Equal outlines of the other reading are behind those of the sentence.
    own = {(row, 1, dashed) for row in (0, 1) for dashed in (False, True)}
    assert outlined == {*own, (2, 1, False), (2, 0, True)}


def test_a_wide_map_is_made_smaller_and_identifiers_are_left_out() -> None:
    sentence = Sentence(["word"] * 40, attention=numpy.eye(40))
    wide = heat_map(sentence)
    assert heat_map(sentence, width=wide.width) == wide
    figure = make_figure(Pictured(sentence, attention=True), 360)
    assert wide.width > 600 and figure.drawing.width <= 360
    assert " id=" not in wide.markup and "href" not in wide.markup and "url(" not in wide.markup


def test_largest_weights_are_a_column_in_the_terminal() -> None:
    sentence = Sentence(["a", "b"], attention=[[0.97, 0.03], [0.75, 0.25]])
    assert picture(Pictured(sentence, attention=True)).plain == "1  a  0 0.97\n2  b  1 0.75, 0 0.25"
    assert largest_weights(Sentence([])) == [] and heat_map(Sentence([])).markup == ""
