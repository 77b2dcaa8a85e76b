"""The HTML page, read back by Python's HTML parser, and pictures in notebooks."""

from html.parser import HTMLParser
from typing import Dict, List, Optional, Tuple

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.show.figures import Pictured
from lisa_allennlp.apps.show.page import html_page
from lisa_allennlp.apps.show.svg import NAMESPACE
from lisa_allennlp.apps.show.texts import printable
from lisa_allennlp.apps.show.theme import DARK, LIGHT
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import unescape_brackets
from tests.apps.show.strategies import ONE, OTHER, sentences

Attributes = Dict[str, Optional[str]]


class Reader(HTMLParser):
    """Reads elements with their texts, and checks that they are nested."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[Tuple[str, Attributes, List[str]]] = []
        self.elements: List[Tuple[str, Attributes, str]] = []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.open.append((tag, dict(attrs), []))
        if tag in ("meta", "br"):
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


@given(st.lists(sentences(), min_size=1, max_size=3), st.text(max_size=9))
def test_words_are_read_back_and_no_markup_gets_in(given: List[Sentence], title: str) -> None:
    reader = read(html_page(map(Pictured, given), title))
    words = [printable(unescape_brackets(word)) for one in given for word in one.words]
    assert reader.of_class("word") == words
    tags = {tag for tag, _, _ in reader.elements}
    assert not tags & {"script", "img", "i", "b", "u", "link", "iframe"}
    for tag, attributes, _ in reader.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#"), tag
        assert not {"src", "xlink:href"} & set(attributes)
    assert [t for tag, _, t in reader.elements if tag == "title"][0] == printable(title)


def test_the_index_leads_to_all_sentences() -> None:
    page = html_page([Pictured(Sentence(["No", str(n)])) for n in range(3)], "Three", width=2000)
    reader = read(page)
    ids = [given["id"] for tag, given, _ in reader.elements if tag == "article"]
    links = [given["href"] for tag, given, _ in reader.elements if tag == "a"]
    assert ids == ["s1", "s2", "s3"] and sorted(set(links)) == ["#s1", "#s2", "#s3"]
    assert "<nav" not in html_page([Pictured(Sentence(["No"]))], "One")
    assert "3 sentences" in page and "://" not in page.replace(NAMESPACE, "")
    assert "max-width:max(110rem,calc(2000px + 6rem))" in page


def test_comparisons_are_counted_and_colours_follow_the_system() -> None:
    page = html_page([Pictured(ONE, OTHER), *[Pictured(ONE, ONE)] * 2], "Both")
    # Those of the page, and those of the pictures.
    assert page.count(LIGHT.panel) == page.count("@media (prefers-color-scheme:dark)") == 2
    dark = html_page([Pictured(ONE)], "x", "dark")
    assert dark.count(DARK.panel) == 2 and LIGHT.panel not in dark and "@media (p" not in dark
    assert "3 sentences, 1 with differences" in page
    notes = ["2 tags, 2 relations, 1 predicate, 2 spans", "no differences", "no differences"]
    assert read(page).of_class("note") == notes


def test_notebooks_show_sentences_and_documents() -> None:
    sentence = Sentence(["<b>"], pos=["X"])
    picture = sentence._repr_html_()
    assert "<svg" in picture and ">&lt;b&gt;</text>" in picture and ">X</text>" in picture
    assert Document("", [sentence, sentence])._repr_html_() == picture * 2
