"""SVG pictures, read back by an XML parser."""

from typing import Any, Dict, List, Set
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.visualisation.drawing import draw
from lisa_allennlp.visualisation.figures import Pictured, figures_svg, make_figure
from lisa_allennlp.visualisation.layout import lay_out
from lisa_allennlp.visualisation.marks import Marks
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.svg import NAMESPACE, sentence_svg
from tests.visualisation.strategies import sentences
from tests.visualisation.terminal_comparison_test import ONE, OTHER
from tests.visualisation.terminal_test import SENTENCE


def elements(root: ElementTree.Element, name: str, kind: str) -> List[ElementTree.Element]:
    found = root.iter(f"{{{NAMESPACE}}}{name}")
    return [element for element in found if kind in (element.get("class") or "").split()]


def texts(root: ElementTree.Element, kind: str) -> List[str]:
    return [element.text or "" for element in elements(root, "text", kind)]


def check(root: ElementTree.Element, sentence: Sentence) -> None:
    assert texts(root, "word") == [printable(word) for word in sentence.words]
    arcs = elements(root, "g", "dependency")
    arcs.sort(key=lambda arc: int(arc.get("data-dependent", 0)))
    heads = {int(a.get("data-dependent", 0)): int(a.get("data-head", 0)) for a in arcs}
    assert [heads[t + 1] for t in range(len(heads))] == (sentence.heads or [])
    labels = [printable(tag) for tag in sentence.head_tags or []]
    found = [text for arc in arcs for text in texts(arc, "relation")]
    assert all(text.startswith(label) for text, label in zip(found, labels, strict=True))
    spans: Set[Any] = set()
    for element in elements(root, "g", "span"):
        names = ("data-predicate", "data-first", "data-last")
        spans.add((element.get("data-role"), *(int(element.get(name, -1)) for name in names)))
    expected: Set[Any] = set()
    for frame in sentence.frames or []:
        expected |= {(printable(s.role), frame.predicate, s.first, s.last) for s in frame.roles}
        expected.add(_predicate(frame))
    assert spans == expected


def _predicate(frame: Frame) -> Any:
    for span in frame.roles:
        if span.role == "V" and span.first <= frame.predicate <= span.last:
            return "V", frame.predicate, span.first, span.last
    return "V", frame.predicate, frame.predicate, frame.predicate


@settings(max_examples=80, deadline=None)
@given(st.booleans().flatmap(sentences))
def test_words_arcs_and_roles_are_read_back(sentence: Sentence) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence))
    check(root, sentence)
    names = {element.tag.split("}")[1] for element in root.iter()}
    assert names <= {"svg", "style", "rect", "g", "path", "text", "title"}
    assert root.get("role") == "img"
    for word in sentence.words:
        assert printable(word) in root.get("aria-label", "")


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(sentences))
def test_bars_are_at_their_words_and_do_not_overlap(sentence: Sentence) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence))
    columns = lay_out(sentence).lines[0].columns
    width, height = (float(root.get(name, 0)) for name in ("width", "height"))
    rows: Dict[float, List[List[float]]] = {}
    for bar in elements(root, "g", "span"):
        (rect,) = bar.findall(f"{{{NAMESPACE}}}rect")
        x, y, w, h = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
        assert 0 <= x and x + w <= width and y + h <= height
        assert abs(x - columns[int(bar.get("data-first", 0))][0]) < 0.11
        assert abs(x + w - columns[int(bar.get("data-last", 0))][1]) < 0.21
        rows.setdefault(y, []).append([x, x + w])
    for bars in rows.values():
        ends = [end for bar in sorted(bars) for end in bar]
        assert ends == sorted(ends)


@given(sentences())
def test_lines_of_higher_arcs_are_behind_the_labels_of_lower_ones(sentence: Sentence) -> None:
    arcs = lay_out(sentence).arcs(sentence)
    levels = {arc.dependent: max(part.level for part in arc.parts) for arc in arcs}
    root = ElementTree.fromstring(sentence_svg(sentence))
    groups = elements(root, "g", "dependency")
    drawn = [levels.pop(int(group.get("data-dependent", 0))) for group in groups]
    assert drawn == sorted(drawn, reverse=True) and not levels


def test_marks_are_shown() -> None:
    marks = Marks(tags=frozenset([0]), heads=frozenset([2]), spans=frozenset([(1, "ARG0", 0, 0)]))
    root = ElementTree.fromstring(
        f'<svg xmlns="{NAMESPACE}">{draw(SENTENCE, marks=marks).markup}</svg>'
    )
    assert texts(root, "different") == ["PRP"]
    (arc, span) = elements(root, "g", "different")
    assert arc.get("data-dependent") == "3" and span.get("data-role") == "ARG0"


def test_readings_have_the_same_columns() -> None:
    figure = make_figure(Pictured(ONE, OTHER, ("parser", "tagger")))
    assert figure.note == "2 tags, 2 relations, 1 predicate, 2 spans"
    root = ElementTree.fromstring(figures_svg([figure]))
    places = [element.get("x") for element in elements(root, "text", "word")]
    assert places[:4] == places[4:]
    assert texts(root, "name") == ["parser", "tagger"]
    assert figure.label.count("saw: root.") == 2
