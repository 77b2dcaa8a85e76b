"""Keys alone suffice on the page, in Chromium and in Firefox."""

import json
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest
from selenium.webdriver import Keys

import lisa_allennlp
from lisa_allennlp.apps.serve.corpus import Corpus, read_corpus
from lisa_allennlp.labelling.labeller import Labeller
from tests.apps.serve.browser import set_screen
from tests.apps.serve.firefox import Firefox, FirefoxPage, open_firefox
from tests.apps.serve.page_driver import Page
from tests.apps.serve.services import running

pytestmark = pytest.mark.medium

SENTENCES = ["She sold him the car yesterday .", "It rained ."]
SHE, SOLD, HIM, THE, CAR = range(5)

Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast")


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with open_firefox(tmp_path_factory.mktemp("firefox")) as found:
        yield found


@pytest.fixture(params=["chromium", pytest.param("firefox", marks=pytest.mark.slow)])
def open_page(request: pytest.FixtureRequest) -> Open:
    """Opens an address in one of the browsers."""

    def opened(url: str) -> Page:
        if request.param == "firefox":
            page: Page = FirefoxPage(request.getfixturevalue("firefox"), url)
        else:
            browser = request.getfixturevalue("browser")
            set_screen(browser, 1280)
            page = Page(browser, url)
        page.open()
        page.settle()
        return page

    return opened


def active(page: Page, what: str) -> Any:
    """A property of the element that has the focus."""
    return page.run(f"return document.activeElement.{what} ?? null")


def tab_to(page: Page, is_there: Callable[[], bool]) -> None:
    for _ in range(80):
        if is_there():
            # What has the focus is seen to have it.
            assert active(page, "matches(':focus-visible')")
            return
        page.press(Keys.TAB)
    raise AssertionError("not reached by Tab")


def test_a_sentence_is_corrected_and_accepted(
    open_page: Open, lisa: Labeller, tmp_path: Path
) -> None:
    """
    From its word, a tag takes two keys and a role four, beside the letters that search a list. Each
    is one edit, and the focus returns to the word.
    """
    corpus, saved = tmp_path / "notes.jsonl", tmp_path / "saved/notes.corrections.jsonl"
    saved.parent.mkdir()
    corpus.write_text("".join(json.dumps({"tokens": s.split()}) + "\n" for s in SENTENCES))
    entries = read_corpus([str(corpus)], lisa, 256)
    with running(lisa, corpus=Corpus(entries, saved.parent, lisa)) as service:
        page = open_page(f"http://127.0.0.1:{service.port}/")

        def at_word() -> bool:
            page.settle()
            return active(page, "dataset.token") == str(SOLD)

        def record() -> Any:
            page.settle()
            page.wait(lambda: page.texts(".saving") == ["Saved."], "that it is saved")
            return json.loads(saved.read_text().splitlines()[0])

        def corrections() -> Any:
            known = record()["corrections"]
            return {key: v for key, v in known.items() if key not in ("number", "accepted")}

        def current() -> List[str]:
            return page.texts("#corpus [aria-current=true] bdi")

        tab_to(page, lambda: active(page, "dataset.token") is not None)
        page.press(Keys.ARROW_RIGHT)
        for keys in (["t", *"vbn", Keys.ENTER], ["l", *"dep", Keys.ENTER]):
            page.type(*keys)
            assert at_word(), keys
        assert corrections() == {"pos": {str(SOLD): "VBN"}, "labels": {str(SOLD): "dep"}}
        page.undo()
        assert corrections() == {"pos": {str(SOLD): "VBN"}}
        for keys, changed in (
            (["h", Keys.ARROW_LEFT, Keys.ENTER], {"heads": {str(SOLD): SHE + 1}}),
            (["p"], {"predicates": {str(SOLD): False}}),
        ):
            page.type(*keys)
            assert at_word() and corrections() == {"pos": {str(SOLD): "VBN"}, **changed}
            page.undo()
        page.type("h", Keys.ARROW_LEFT, Keys.ESCAPE)
        # Escape changes nothing, and neither does the same value.
        page.type("t", "n", Keys.ESCAPE, "t", Keys.ENTER, "s", "a", Keys.ESCAPE)
        assert at_word() and current() == SENTENCES[:1]
        page.type("r", Keys.ARROW_DOWN, Keys.ENTER, "4", Keys.ENTER)
        assert at_word() and (SOLD, "ARG4", SHE, SHE) in page.spans()
        page.type("r", *"new", Keys.ENTER, *"4 the", Keys.ENTER, *"5", Keys.ENTER)
        assert active(page, "dataset.field") == "role"
        page.type(*"loc", Keys.ENTER)
        assert at_word() and (SOLD, "ARGM-LOC", THE, CAR) in page.spans()
        assert corrections()["roles"] == {str(SOLD): [["ARG4", SHE, SHE], ["ARGM-LOC", THE, CAR]]}
        page.type("s", *"sell_out.03", Keys.ENTER)
        assert at_word() and corrections()["senses"] == {str(SOLD): "sell_out.03"}
        for field, key, value in (("lemma", "lemmas", "vend"), ("upos", "upos", "AUX")):
            page.press(Keys.ENTER)
            tab_to(page, lambda field=field: active(page, "dataset.field") == field)
            page.type(*value, Keys.ENTER)
            assert at_word() and corrections()[key] == {str(SOLD): value}
            assert record()[key][SOLD] == value
        # A comment is kept, and accepts nothing.
        tab_to(page, lambda: active(page, "name") == "comment")
        page.type(*"a doubt", Keys.ENTER)
        assert corrections()["comment"] == "a doubt" and not record()["corrections"]["accepted"]
        page.focus(SOLD)
        page.press("a")
        page.wait(lambda: current() == SENTENCES[1:], "the second sentence")
        page.settle()
        assert record()["corrections"]["accepted"] and active(page, "dataset.token") is not None
        page.open("#1")
        page.settle()
        assert page.run("return document.querySelector('[name=comment]').value") == "a doubt"
