"""SVG pictures of any width, read back by an XML parser."""

import re
from dataclasses import replace
from itertools import combinations
from typing import Any, Dict, Iterator, List, Set, Tuple
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.show.comparison import NOTHING
from lisa_allennlp.apps.show.figures import Pictured, figures_svg, make_figure, without
from lisa_allennlp.apps.show.layout import lay_out, lay_out_edited, place_arcs, place_spans
from lisa_allennlp.apps.show.svg import NAMESPACE, draw, sentence_svg, svg
from lisa_allennlp.apps.show.texts import printable, text_width
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from lisa_allennlp.text.tokens import unescape_brackets
from tests.apps.show.strategies import ONE, OTHER, sentences

SVG = f"{{{NAMESPACE}}}"
ANY_WIDTHS = st.one_of(st.none(), st.integers(40, 500))
# Lengths are rounded to a tenth.
ROUNDED = 0.3

drawn_in_any_width = given(st.booleans().flatmap(sentences), ANY_WIDTHS)


def elements(root: ElementTree.Element, name: str, kind: str) -> List[ElementTree.Element]:
    found = root.iter(f"{SVG}{name}")
    return [element for element in found if kind in (element.get("class") or "").split()]


def texts(root: ElementTree.Element, kind: str) -> List[str]:
    return [element.text or "" for element in elements(root, "text", kind)]


def numbers(element: ElementTree.Element, *names: str) -> List[float]:
    return [float(element.get(name, -1)) for name in names]


def ends(root: ElementTree.Element) -> Iterator[Tuple[float, float]]:
    """The left and the right end of each rectangle, arc and text."""
    for shape in root.iter(f"{SVG}rect"):
        if shape.get("class") != "background":
            x, width = numbers(shape, "x", "width")
            yield x, x + width
    for shape in root.iter(f"{SVG}path"):
        # The absolute moves; curves and arrows are relative.
        xs = re.findall(r"[MH](-?[\d.]+)", shape.get("d", ""))
        yield min(map(float, xs)), max(map(float, xs))
    for text in root.iter(f"{SVG}text"):
        (x,), size = numbers(text, "x"), 15 if "word" in (text.get("class") or "") else 10.5
        half = text_width(text.text or "", size) / 2
        yield x - half, x + half


@drawn_in_any_width
def test_all_is_read_back_and_spans_do_not_overlap(sentence: Sentence, width: float) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence, width=width))
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "style", "rect", "g", "path", "text", "title"}
    assert root.get("role") == "img"
    assert all(printable(word) in root.get("aria-label", "") for word in sentence.words)
    tokens = elements(root, "g", "token")
    assert [token.get("data-token") for token in tokens] == [*map(str, range(len(tokens)))]
    for token, word in zip(tokens, map(printable, sentence.words), strict=True):
        (shown,) = texts(token, "word")
        start, is_short, end = shown.partition("…" if width else word)
        assert shown == word or (is_short and word.startswith(start) and word.endswith(end))
    for number, layer in enumerate(filter(None, (sentence.pos, sentence.supertags))):
        for token, tag in zip(tokens, layer, strict=True):
            assert texts(token, "tag")[number].startswith(printable(unescape_brackets(tag)))
    arcs = elements(root, "g", "dependency")
    found = {arc.get("data-dependent"): arc for arc in arcs}
    assert len(found) == len(arcs)
    for arc in sentence.arcs or ():
        element = found[str(arc.dependent)]
        assert element.get("data-head") == str(arc.head)
        assert texts(element, "relation")[0].startswith(printable(arc.head_tag))
    words = lay_out(sentence, width=width).words
    spans: Set[Any] = set()
    rows: Dict[float, List[List[float]]] = {}
    for element in elements(root, "g", "span"):
        own, *ends_of_span = map(int, numbers(element, "data-predicate", "data-first", "data-last"))
        spans.add((element.get("data-role"), own, *ends_of_span))
        assert texts(element, "role")
        first, last = (words[end] for end in ends_of_span)
        extents = [numbers(shape, "x", "y", "width") for shape in element.findall(f"{SVG}rect")]
        assert len(extents) == last[0] - first[0] + 1
        assert width or extents[0][2] >= text_width(texts(element, "role")[0], 10.5) + 10
        assert abs(extents[0][0] - first[1]) < ROUNDED
        assert abs(extents[-1][0] + extents[-1][2] - last[2]) < ROUNDED
        for x, y, size in extents:
            rows.setdefault(y, []).append([x, x + size])
    for bars in rows.values():
        row = [end for bar in sorted(bars) for end in bar]
        assert row == sorted(row)
    expected: Set[Any] = set()
    for frame in sentence.frames or []:
        own = frame.predicate
        expected |= {(printable(s.role), own, s.first, s.last) for s in frame.roles}
        if not any(s.role == "V" and s.first <= own <= s.last for s in frame.roles):
            expected.add(("V", own, own, own))
    assert spans == expected


@drawn_in_any_width
def test_nothing_is_wider_unless_a_word_is(sentence: Sentence, width: float) -> None:
    root = ElementTree.fromstring(sentence_svg(sentence, width=width))
    # With each word on a line of its own.
    narrowest = ElementTree.fromstring(sentence_svg(sentence, width=1))
    (used,), (least,) = numbers(root, "width"), numbers(narrowest, "width")
    if width is not None:
        assert used <= max(width, least) + ROUNDED
    for left, right in ends(root):
        assert -ROUNDED <= left and right <= used + ROUNDED


@given(sentences())
def test_lines_of_higher_arcs_are_behind_the_labels_of_lower_ones(sentence: Sentence) -> None:
    arcs = place_arcs(sentence, lay_out(sentence))
    levels = {str(arc.item.dependent): arc.parts[0].level for arc in arcs}
    root = ElementTree.fromstring(sentence_svg(sentence))
    drawn = [levels[g.get("data-dependent", "")] for g in elements(root, "g", "dependency")]
    assert drawn == sorted(drawn, reverse=True)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(*[sentences(length=n)] * 2)), ANY_WIDTHS)
def test_labels_of_arcs_do_not_meet(pair: Tuple[Sentence, Sentence], width: float) -> None:
    own, drawn = pair[0], replace(pair[1], words=pair[0].words)
    layout = lay_out(own, width=width)
    for drawing in (draw(own, layout), draw(drawn, lay_out(drawn, own, width=width), NOTHING, own)):
        root = ElementTree.fromstring(svg(drawing, "", None))
        boxes = []
        for label in elements(root, "text", "relation"):
            (x, y), half = numbers(label, "x", "y"), text_width(label.text or "", 10.5) / 2
            # From the top of an "l" to the foot of a "p", in Helvetica.
            boxes.append((x - half, x + half, y - 0.72 * 10.5, y + 0.21 * 10.5))
        for one, other in combinations(boxes, 2):
            # The later one has a border in the colour of the background.
            across = one[0] < other[1] + 2.5 and other[0] - 2.5 < one[1]
            top, foot = other[2] - 2.5, other[3] + 2.5
            assert not (across and one[2] + ROUNDED < foot and top + ROUNDED < one[3])


def test_marks_are_shown() -> None:
    marks = {**NOTHING, "tags": {0}, "heads": {2}, "spans": {(1, "ARG0", 0, 0)}}
    drawing = draw(ONE, lay_out(ONE), {name: frozenset(parts) for name, parts in marks.items()})
    root = ElementTree.fromstring(svg(drawing, "", None))
    assert texts(root, "different") == ["PRP"]
    (arc, span) = elements(root, "g", "different")
    assert arc.get("data-dependent") == "3" and span.get("data-role") == "ARG0"


def test_sides_of_a_span_on_other_lines_are_open_and_its_predicate_is_named() -> None:
    tags = ["B-V", "B-ARG1", *["I-ARG1"] * 6]
    sentence = Sentence(["somebody"] * 8, frames=[Frame(0, tags, "see", "see.01")])
    root = ElementTree.fromstring(sentence_svg(sentence, width=340))
    assert texts(root, "role") == ["see.01", "ARG1", *["ARG1 of see.01"] * 2]
    outlines = [rect.get("stroke-dasharray") for rect in elements(root, "g", "a1")[0][1::2]]
    # Of sides of 19 pixels, those that are left out: the right one, both, the left one.
    gaps = [[float(n) for n in (dashes or "").split()][1::2] for dashes in outlines]
    assert gaps == [[19, 0], [19, 19], [0, 19]]


def test_what_propbank_and_verbnet_know() -> None:
    words = ["She", "sold", "expensive", "furniture"]
    sentence = Sentence(words, frames=[Frame(1, "B-A0 B-V B-A1 I-A1".split(), "sell", "sell.01")])
    explained = replace(sentence, frames=[frame.explained for frame in sentence.frames or []])
    for drawn, roles in (
        (sentence, ["A0", "sell.01", "A1"]),
        # There is no room for "Agent".
        (explained, ["A0", "sell.01", "A1 Theme"]),
    ):
        root = ElementTree.fromstring(sentence_svg(drawn))
        assert texts(root, "role") == roles
        titles = [span.findtext(f"{SVG}title") for span in elements(root, "g", "span")]
        assert titles[::2] == [
            "A0 of sell.01 (Agent: Seller): She",
            "A1 of sell.01 (Theme: Thing Sold): expensive furniture",
        ]
        assert "VerbNet 13.1-1; FrameNet Commerce_sell" in str(titles[1])


def test_words_are_as_typed_and_titles_say_what_labels_mean() -> None:
    words = ["It", "-LRB-", "אבג", "דהו", "-RRB-", "read", "\ufe0f"]
    offsets = [(0, 2), (3, 4), (4, 7), (8, 11), (11, 12), (13, 17), (18, 19)]
    tags = ["B-ARG0", *["I-ARG0"] * 4, "B-V", "B-ARGM-TMP"]
    sentence = Sentence(
        words,
        pos=["PRP", "-LRB-", "NN", "NN", "-RRB-", "VBD", "NFP"],
        frames=[Frame(5, tags)],
        parse=Parse(
            [5, 3, 3, 0, 3, 5, 5], ["nsubj", "punct", "x:y", "nmod", "punct", "root", "dep"]
        ),
        offsets=offsets,
    )
    drawn = sentence_svg(sentence)
    root = ElementTree.fromstring(drawn)
    assert texts(root, "word") == ["It", "(", "אבג", "דהו", ")", "read", "◌\ufe0f"]
    assert "-LRB-" not in drawn and "\\ufe0f" not in drawn
    arcs = [arc.findtext(f"{SVG}title") for arc in elements(root, "g", "dependency")]
    assert "read \u200e→ It: nsubj (subject)" in arcs and "דהו \u200e→ אבג: x:y" in arcs
    first = elements(root, "g", "token")[0].findtext(f"{SVG}title")
    assert (first or "").startswith("personal pronoun; nsubj (subject) of read; ARG0 of read")


@given(st.data(), ANY_WIDTHS)
def test_readings_have_the_same_lines_and_columns(data: st.DataObject, width: float) -> None:
    one = data.draw(sentences())
    other = replace(data.draw(sentences(length=len(one.words))), words=one.words)
    figure = make_figure(Pictured(one, other, ("a/long path/to.conllu", "b")), width)
    root = ElementTree.fromstring(figures_svg([figure]))
    places = [numbers(word, "x", "y") for word in elements(root, "text", "word")]
    own, others = places[: len(one.words)], places[len(one.words) :]
    assert [x for x, _ in own] == [x for x, _ in others]
    lines = [[y == reading[0][1] for _, y in reading] for reading in (own, others)]
    assert lines[0] == lines[1]
    assert texts(root, "name")[-1] == "b"
    assert "".join(texts(root, "name")[:-1]).replace(" ", "") == "a/longpath/to.conllu"


def test_figures_have_texts() -> None:
    figure = make_figure(Pictured(ONE, OTHER, ("parser", "tagger")))
    assert (figure.text, figure.note) == (
        "I saw it fly",
        "2 tags, 2 relations, 1 predicate, 2 spans",
    )
    assert figure.label.startswith("parser and tagger: 2 tags")
    assert figure.label.count("saw: root.") == figure.label.count("Roles of saw: ARG0 I;") == 2
    assert make_figure(Pictured(ONE)).note == ""


def test_punctuation_and_tags_are_left_out() -> None:
    tags = ["O", "B-ARG0", "I-ARG0", "B-V", "B-ARGM-DIS", "I-ARG0"]
    pointed = Sentence(
        ["-LRB-", "I", ",", "saw", "!", "40%"],
        ["X"] * 6,
        [Frame(3, tags, span_probabilities=[0.9, 1, 0.1, 0.5])],
        # The full stop's dependent goes to the head above.
        Parse([3, 3, 1, 3, 3, 4], ["punct", "nsubj", "punct", "root", "punct", "obj"]),
        head_probabilities=[0.1] * 6,
    )
    bare = Sentence(
        ["I", "saw", "40%"],
        frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG0"], span_probabilities=[0.9, 1, 0.5])],
        parse=Parse([1, 1, 1], ["nsubj", "root", "obj"]),
        head_probabilities=[0.1] * 3,
    )
    left = without(pointed, ["tags", "punctuation"])
    assert make_figure(Pictured(left)) == make_figure(Pictured(bare))
    for words in (["(", "Go", "%"], ["..."]):
        kept = without(Sentence(words), ["punctuation"]).words
        assert kept == [word for word in words if word == "Go"]


def test_a_new_predicate_gets_columns_for_its_roles() -> None:
    before = Sentence(["I", "do", "it", "."], frames=[])
    tags = ["B-ARGM-PRR", "B-V", "B-ARGM-TMP", "B-ARGM-ADV"]
    edited = replace(before, frames=[Frame(1, tags)])
    layout = lay_out_edited(edited, before)
    rows = {part.level for span in place_spans(edited.frames[0], layout) for part in span.parts}
    assert rows == {1}
    assert lay_out_edited(edited, edited) == layout != lay_out_edited(before, before)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(*[sentences(length=n)] * 2)), ANY_WIDTHS)
def test_words_keep_their_places_and_what_is_gone_are_ghosts(
    pair: Tuple[Sentence, Sentence], width: float
) -> None:
    own, drawn = pair[0], replace(pair[1], words=pair[0].words)
    layout = lay_out(own, width=width)
    pictures = [
        ElementTree.fromstring(svg(draw(sentence, layout, NOTHING, own), "", None))
        for sentence in (own, drawn)
    ]
    places = [[numbers(w, "x") for w in elements(root, "text", "word")] for root in pictures]
    assert places[0] == places[1]
    assert elements(pictures[0], "g", "ghost") == []
    arcs = {(a.dependent, a.head) for a in own.arcs or () if drawn.arcs}
    arcs -= {(a.dependent, a.head) for a in drawn.arcs or ()}
    ghosts = [ghost.attrib for ghost in elements(pictures[1], "g", "ghost")]
    found = {(int(g["data-dependent"]), int(g["data-head"])) for g in ghosts if "data-head" in g}
    assert found == arcs
    spans = [
        {(f.predicate, printable(s.role), s.first, s.last) for f in r.frames or () for s in f.roles}
        for r in (own, drawn)
    ]
    keys = ("data-predicate", "data-role", "data-first", "data-last")
    gone = {tuple(g[key] for key in keys) for g in ghosts if "data-role" in g}
    without_verbs = {g for g in gone if g[1] != "V"}
    expected = {tuple(map(str, span)) for span in spans[0] - spans[1] if span[1] != "V"}
    assert without_verbs == expected
