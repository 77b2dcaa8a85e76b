"""Pictures of a given width, read back by an XML parser."""

import re
from dataclasses import replace
from typing import Dict, Iterator, List, Set, Tuple
from xml.etree import ElementTree

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.visualisation.figures import Pictured, figure_svg, figures_svg, make_figure
from lisa_allennlp.visualisation.font import text_width
from lisa_allennlp.visualisation.layout import lay_out
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.svg import NAMESPACE, sentence_svg
from tests.visualisation.strategies import sentences
from tests.visualisation.svg_test import elements, texts

SVG = f"{{{NAMESPACE}}}"
WIDTHS = st.integers(40, 500)
SIZES = {"word": 15.0, "name": 12.0}
# Lengths are rounded to a tenth, and bold text is a tenth wider.
ROUNDED = 0.3


def size(svg: str) -> Tuple[float, float]:
    root = ElementTree.fromstring(svg)
    return float(root.get("width", 0)), float(root.get("height", 0))


def points(path: str) -> Iterator[Tuple[float, float]]:
    """The points of a path of `drawing`."""
    x = y = 0.0
    for command, arguments in re.findall("([MmHhVvq])([^A-Za-z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", arguments)]
        if command == "M":
            x, y = numbers
        elif command == "H":
            (x,) = numbers
        elif command == "V":
            (y,) = numbers
        elif command == "v":
            y += numbers[0]
        elif command == "q":
            x, y = x + numbers[2], y + numbers[3]
        else:
            # The head of an arrow, which is the last command.
            return
        yield x, y


def drawn(root: ElementTree.Element) -> Iterator[Tuple[float, float]]:
    """The left and the right end of each shape and text."""
    for shape in root.iter(f"{SVG}rect"):
        if shape.get("class") != "background":
            x, width = (float(shape.get(name, 0)) for name in ("x", "width"))
            yield x, x + width
    for shape in root.iter(f"{SVG}path"):
        xs = [x for x, _ in points(shape.get("d", ""))]
        yield min(xs), max(xs)
    for text in root.iter(f"{SVG}text"):
        kind = (text.get("class") or "").split()[0]
        half = text_width(text.text or "", SIZES.get(kind, 10.5)) / 2
        x = float(text.get("x", 0)) + (half if kind == "name" else 0)
        yield x - half, x + half


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), WIDTHS)
def test_nothing_is_wider_unless_a_word_is(sentence: Sentence, width: int) -> None:
    svg = sentence_svg(sentence, width=width)
    # With each word on a line of its own.
    narrowest, _ = size(sentence_svg(sentence, width=1))
    used, _ = size(svg)
    assert used <= max(width, narrowest) + ROUNDED
    for left, right in drawn(ElementTree.fromstring(svg)):
        assert -ROUNDED <= left and right <= used + ROUNDED


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), WIDTHS)
def test_words_are_in_order_and_grouped_with_their_tags(sentence: Sentence, width: int) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence, width=width))
    tokens = elements(root, "g", "token")
    assert [token.get("data-token") for token in tokens] == [*map(str, range(len(tokens)))]
    assert [texts(token, "word") for token in tokens] == [[printable(w)] for w in sentence.words]
    layers = [layer for layer in (sentence.pos, sentence.supertags) if layer is not None]
    for token, tags in zip(tokens, zip(*layers, strict=True), strict=False):
        assert len(texts(token, "tag")) == len(tags)
        for text, tag in zip(texts(token, "tag"), tags, strict=True):
            assert text.startswith(printable(tag))
    words = elements(root, "text", "word")
    places = [(float(w.get("y", 0)), float(w.get("x", 0))) for w in words]
    assert places == sorted(places)


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), WIDTHS)
def test_arcs_and_spans_are_on_all_their_lines(sentence: Sentence, width: int) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence, width=width))
    layout = lay_out(sentence, width=width)
    line_of = [number for number, line in enumerate(layout.lines) for _ in line.columns]
    columns = [column for line in layout.lines for column in line.columns]
    heads = sentence.heads or []
    arcs = elements(root, "g", "dependency")
    arcs.sort(key=lambda arc: int(arc.get("data-dependent", 0)))
    assert [int(arc.get("data-head", -1)) for arc in arcs] == heads
    for token, (arc, head) in enumerate(zip(arcs, heads, strict=True)):
        (path,) = arc.findall(f"{SVG}path")
        parts = (path.get("d") or "").split("M")[1:]
        assert len(parts) == 1 + (abs(line_of[token] - line_of[head - 1]) if head else 0)
        labels = texts(arc, "relation")
        assert 1 <= len(labels) <= len(parts) and len(set(labels)) == 1
        title = arc.findtext(f"{SVG}title") or ""
        assert printable(sentence.words[token]) in title
        assert len(parts) == 1 or title.endswith(f": {labels[0]}")
    rows: Dict[float, List[Tuple[float, float]]] = {}
    for span in elements(root, "g", "span"):
        first, last = (int(span.get(f"data-{name}", -1)) for name in ("first", "last"))
        shapes = [e for e in span if e.tag in (f"{SVG}rect", f"{SVG}path")]
        lines = sorted({*line_of[first : last + 1]})
        assert len(shapes) == len(lines) == len(texts(span, "role"))
        only = ElementTree.Element("svg")
        only.extend(shapes)
        for (left, right), line, shape in zip(_extents(only), lines, shapes, strict=True):
            begin = columns[first][0] if line == line_of[first] else layout.left
            end = columns[last][1] if line == line_of[last] else layout.right
            assert abs(left - begin) < 0.2 and abs(right - end) < 0.3
            rows.setdefault(_top(shape), []).append((left, right))
    for bars in rows.values():
        ends = [end for bar in sorted(bars) for end in bar]
        assert ends == sorted(ends)


def _extents(root: ElementTree.Element) -> List[Tuple[float, float]]:
    """As `drawn`, in the order of the shapes."""
    extents = []
    for shape in root:
        only = ElementTree.Element("svg")
        only.append(shape)
        extents += drawn(only)
    return extents


def _top(shape: ElementTree.Element) -> float:
    if shape.tag == f"{SVG}rect":
        return float(shape.get("y", 0))
    return min(y for _, y in points(shape.get("d", "")))


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences), st.integers(0, 300))
def test_only_a_sentence_that_fits_is_drawn_on_one_line(sentence: Sentence, room: int) -> None:
    line = sentence_svg(sentence)
    width, _ = size(line)
    assert sentence_svg(sentence, width=width + 0.1 + room) == line
    narrowest, _ = size(sentence_svg(sentence, width=1))
    assert size(sentence_svg(sentence, width=width - 1))[0] <= max(width - 1, narrowest) + ROUNDED


@settings(max_examples=40, deadline=None)
@given(st.data(), WIDTHS)
def test_readings_have_the_same_lines(data: st.DataObject, width: int) -> None:
    one = data.draw(sentences())
    other = replace(data.draw(sentences(length=len(one.words))), words=one.words)
    figure = make_figure(Pictured(one, other, ("a/long path/to.conllu", "b")), width)
    root = ElementTree.fromstring(figure_svg(figure))
    words = elements(root, "text", "word")
    length = len(one.words)
    assert [w.get("x") for w in words[:length]] == [w.get("x") for w in words[length:]]
    heights = [[w.get("y") for w in words[:length]], [w.get("y") for w in words[length:]]]
    breaks: List[Set[int]] = [
        {n for n in range(1, length) if own[n] != own[n - 1]} for own in heights
    ]
    assert breaks[0] == breaks[1]
    assert texts(root, "name")[-1] == "b"
    assert "".join(texts(root, "name")[:-1]).replace(" ", "") == "a/longpath/to.conllu"
    narrowest, _ = size(figure_svg(make_figure(Pictured(one, other, ("a", "b")), 1)))
    assert size(figure_svg(figure))[0] <= max(width, narrowest) + ROUNDED


def test_a_heat_map_is_made_smaller() -> None:
    words = ["word"] * 40
    sentence = Sentence(words, parse=Parse([0] * 40, ["dep"] * 40), attention=numpy.eye(40))
    for width in (360, 600):
        figure = make_figure(Pictured(sentence, attention=True), width)
        assert [drawing.width <= width for drawing in figure.drawings] == [True, True]
        (scale,) = re.findall(r"scale\(([\d.]+)\)", figures_svg([figure]))
        assert 0 < float(scale) < 1
    wide = make_figure(Pictured(sentence, attention=True)).drawings[-1]
    assert make_figure(Pictured(sentence, attention=True), wide.width).drawings[-1] == wide


def test_a_role_on_a_line_without_its_predicate_names_it() -> None:
    words = ["somebody"] * 8
    tags = ["B-V", "B-ARG1", *["I-ARG1"] * 6]
    sentence = Sentence(words, frames=[Frame(0, tags, "see", "see.01")])
    root = ElementTree.fromstring(sentence_svg(sentence, width=340))
    assert texts(root, "role") == ["see.01", "ARG1", *["ARG1 of see.01"] * 2]


@pytest.mark.parametrize("width", [None, 60])
def test_arcs_of_a_cycle_are_apart(width: float) -> None:
    sentence = Sentence(["He", "left"], parse=Parse([1, 0], ["nsubj", "parataxis"]))
    root = ElementTree.fromstring(sentence_svg(sentence, width=width))
    titles = [arc.findtext(f"{SVG}title") or "" for arc in elements(root, "g", "dependency")]
    assert titles[0].startswith("left → He") and titles[1].startswith("He → left")
    paths = [list(points(p.get("d", ""))) for p in elements(root, "path", "arc")]
    lines = [{(x, y) for x, y in path} for path in paths]
    assert not lines[0] & lines[1]
    assert {*texts(root, "relation")} == {"nsubj", "parataxis"}
