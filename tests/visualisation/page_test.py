"""The HTML page, read back by Python's HTML parser."""

from html.parser import HTMLParser
from typing import Dict, List, Optional, Tuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.figures import Pictured
from lisa_allennlp.visualisation.page import html_page
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.svg import NAMESPACE
from lisa_allennlp.visualisation.theme import DARK, LIGHT, Palette
from tests.visualisation.strategies import sentences
from tests.visualisation.terminal_comparison_test import ONE, OTHER

Attributes = Dict[str, Optional[str]]
VOID = ("meta",)


class Reader(HTMLParser):
    """Reads elements with their texts, and checks that they are nested."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[Tuple[str, Attributes, List[str]]] = []
        self.elements: List[Tuple[str, Attributes, str]] = []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.open.append((tag, dict(attrs), []))
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened, attributes, texts = self.open.pop()
        assert opened == tag
        self.elements.append((tag, attributes, "".join(texts)))

    def handle_data(self, data: str) -> None:
        for _, _, texts in self.open:
            texts.append(data)

    def of_class(self, name: str) -> List[str]:
        return [
            text for _, given, text in self.elements if name in (given.get("class") or "").split()
        ]


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open
    return reader


@settings(max_examples=25, deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=3), st.text(max_size=9))
def test_words_are_read_back_and_no_markup_gets_in(given: List[Sentence], title: str) -> None:
    reader = read(html_page(map(Pictured, given), title))
    words = [printable(word) for sentence in given for word in sentence.words]
    assert reader.of_class("word") == words
    tags = {tag for tag, _, _ in reader.elements}
    assert not tags & {"script", "img", "i", "b", "u", "link", "iframe"}
    for tag, attributes, _ in reader.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#"), tag
        assert not {"src", "xlink:href"} & set(attributes)
    assert [t for tag, _, t in reader.elements if tag == "title"][0] == printable(title)


def test_the_index_leads_to_all_sentences() -> None:
    page = html_page([Pictured(Sentence(["No", str(n)])) for n in range(3)], "Three")
    reader = read(page)
    ids = [given["id"] for tag, given, _ in reader.elements if tag == "article"]
    links = [given["href"] for tag, given, _ in reader.elements if tag == "a"]
    assert ids == ["s1", "s2", "s3"] and sorted(set(links)) == ["#s1", "#s2", "#s3"]
    assert "<nav" not in html_page([Pictured(Sentence(["No"]))], "One")
    assert "3 sentences" in page and "://" not in page.replace(NAMESPACE, "")


@pytest.mark.parametrize("width, most", [(2000, 2000), (None, 0)])
def test_the_page_has_room_for_its_pictures(width: Optional[float], most: int) -> None:
    page = html_page([Pictured(ONE)], "Wide", width=width)
    assert f"max-width:max(110rem,calc({most}px + 6rem))" in page


def test_comparisons_are_counted() -> None:
    names = ("parser", "tagger")
    page = html_page([Pictured(ONE, OTHER, names), Pictured(ONE, ONE, names)], "Both")
    assert "2 sentences, 1 with differences" in page
    assert read(page).of_class("note") == [
        "2 tags, 2 relations, 1 predicate, 2 spans",
        "no differences",
    ]


@pytest.mark.parametrize("theme, shown, other", [("light", LIGHT, DARK), ("dark", DARK, LIGHT)])
def test_themes(theme: str, shown: Palette, other: Palette) -> None:
    page = html_page([Pictured(ONE)], "x", theme)
    assert shown.heat in page and other.heat not in page
    assert f"color-scheme:{theme}" in page and "prefers-color-scheme" not in page
    page = html_page([Pictured(ONE)], "x")
    assert shown.heat in page and "prefers-color-scheme" in page
