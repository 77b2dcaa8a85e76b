"""The page without a service, from recorded answers, in a real browser."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome

import lisa_allennlp
from scripts.demo.build import build, examples
from tests.service.browser import files_of, problems, set_screen
from tests.service.page_driver import Page, spans_of

pytestmark = pytest.mark.medium

WORDS = ["She", "left", "early", "."]


def test_recorded_edits_are_answered_without_a_service(browser: Chrome, tmp_path: Path) -> None:
    lisa = lisa_allennlp.load("english-fast")
    first, *_ = examples()
    build(lisa, "english-fast", [first, "She left early."], tmp_path)
    with files_of(tmp_path) as address:
        problems(browser)
        page = Page(browser, f"{address}/")
        for width, token in ((360, 0), (1920, 2)):
            set_screen(browser, width)
            page.open()
            page.settle()
            assert page.find("#text").get_property("value") == first
            assert page.button("Label").is_displayed()
            assert all(example.is_displayed() for example in page.all(".example"))
            lines = {top for _, top in page.places()}
            assert len(lines) == (2 if width == 360 else 1)
            room, used = (page.find(part).rect["width"] for part in (".drawing", ".drawing svg"))
            assert room - 1 <= used or (width > 360 and used > 1.7 * 370)
            page.run("arguments[0].click()", page.find(".frames summary"))
            page.wait(lambda: page.all(".senses li"), "the senses")
            assert "promise.01" in page.find(".senses [aria-current]").text
            page.label("She left early.")
            own = lisa({"tokens": WORDS})
            assert page.heads() == own.heads
            head = (own.heads[token] + 1) % (len(WORDS) + 1)
            head = head + 1 if head == token + 1 else head
            page.word(token).click()
            page.choose("head", str(head))
            heads = [*own.heads[:token], head, *own.heads[token + 1 :]]
            asked = {"tokens": WORDS, "head_indices": heads, "allow_cycles": True}
            assert page.heads() == heads
            assert page.spans() == spans_of(lisa(asked).to_dict())
            page.button("Undo").click()
            page.settle()
        page.tick(0)
        asked = {"tokens": WORDS, "predicates": sorted({*own.predicates} ^ {0})}
        assert page.spans() == spans_of(lisa(asked).to_dict())
        assert problems(browser) == []
        page.label("He stayed.")
        assert "this demo is a recording" in page.find(".problem").text
    browser.get((tmp_path / "index.html").as_uri())
    page.wait(lambda: page.all(".problem"), "a problem")
    assert "needs a web server" in page.find(".problem").text
