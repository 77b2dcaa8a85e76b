"""What the page reads as SVG, in a real browser."""

from typing import Any, Callable, Iterator

import pytest
from selenium.webdriver import Chrome

from lisa_allennlp.service.app import PAGE
from tests import ROOT
from tests.service.browser import files_of

Read = Callable[[str], Any]

pytestmark = pytest.mark.medium

READ = """
const [text, done] = arguments;
import("/safe-svg.js")
  .then(({ readSvg }) => [...readSvg(text).querySelectorAll(".word")].map((w) => w.textContent))
  .then(done, (error) => done(error.message));
"""


@pytest.fixture(scope="module")
def read(browser: Chrome) -> Iterator[Read]:
    """The words of a picture, or why it is refused."""
    with files_of(PAGE) as address:
        # A file without scripts, so that the module is of this origin.
        browser.get(f"{address}/style.css")
        yield lambda svg: browser.execute_async_script(READ, svg)


SVG = '<svg xmlns="http://www.w3.org/2000/svg"{}>{}</svg>'


@pytest.mark.parametrize(
    "svg",
    [
        SVG.format("", "<script>1</script>"),
        SVG.format(' onload="1"', ""),
        SVG.format("", '<a href="https://example.org"><text>x</text></a>'),
        SVG.format("", '<text xmlns:x="http://www.w3.org/1999/xlink" x:href="y">x</text>'),
        SVG.format("", "<style>rect{fill:url(https://example.org)}</style>"),
        SVG.format("", '<rect fill="url(#x)"/>'),
        SVG.format(
            "", '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>'
        ),
        SVG.format("", '<g><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="1"/></g>'),
        "<svg><text>x</text></svg>",
        "<svg",
    ],
)
def test_pictures_with_more_than_shapes_and_texts_are_refused(read: Read, svg: str) -> None:
    assert read(svg).startswith("The service sent a picture ")


def test_a_picture_of_the_package_is_read(read: Read) -> None:
    assert read((ROOT / "docs/images/sentence.svg").read_text())[:3] == ["Can", "you", "send"]
