"""The page of `lisa serve`, used by mouse, touch and keyboard in a real browser."""

import base64
import dataclasses
import io
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
from PIL import Image, ImageChops
from selenium.webdriver import Chrome, Keys

import lisa_allennlp
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.writing import format_answer
from tests.apps.serve.browser import barriers, problems, set_screen
from tests.apps.serve.page_driver import Page, Span, spans_of
from tests.apps.serve.services import assert_close, running

pytestmark = pytest.mark.medium

TEXT = "The senator saw the man with the knife."
WORDS = ["The", "senator", "saw", "the", "man", "with", "the", "knife", "."]
SAW, MAN, KNIFE = 2, 4, 7


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast", probabilities=True)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(lisa_allennlp.load("english-fast")) as service:
        yield f"http://127.0.0.1:{service.port}/"


def opened(text: str, *windows: Any) -> pytest.MarkDecorator:
    """Opens the page with another text, or none, in other windows."""
    return pytest.mark.parametrize("page", [(text, *w) for w in windows], indirect=True)


@pytest.fixture
def page(browser: Chrome, url: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page with TEXT, in a window of a laptop. Nothing may fail or be blocked."""
    text, *window = getattr(request, "param", (TEXT, 1280))
    set_screen(browser, *window)
    problems(browser)
    page = Page(browser, url)
    page.open_text(text)
    yield page
    assert problems(browser) == []


def heads_of(lisa: Labeller, *changes: Any) -> List[int]:
    """The heads that LISA predicts for TEXT, with others for some tokens."""
    heads = list(lisa({"tokens": WORDS}).heads)
    for token, head in changes:
        heads[token] = head
    return heads


def reading(lisa: Labeller, heads: List[int], **more: Any) -> Any:
    return lisa({"tokens": WORDS, "head_indices": heads, **more})


def spans(sentence: Any) -> "set[Span]":
    return spans_of(sentence.to_dict())


GHOSTS = """
const found = [...document.querySelectorAll(".drawing svg:first-child .ghost")]
  .map((part) => part.dataset);
return {
  arcs: found.filter((d) => d.dependent).map((d) => [Number(d.dependent), Number(d.head)]),
  spans: found.filter((d) => d.role)
    .map((d) => [Number(d.predicate), d.role, Number(d.first), Number(d.last)]),
};
"""


def test_a_dragged_arc_changes_the_roles_and_undo_brings_them_back(
    page: Page, lisa: Labeller
) -> None:
    own = lisa(TEXT)
    assert (page.heads(), page.spans(), page.changes()) == (own.heads, spans(own), [])
    chips = page.all(".chips input")
    assert [t for t, chip in enumerate(chips) if chip.is_selected()] == own.predicates
    new_head = SAW if own.heads[KNIFE] != SAW + 1 else MAN
    drawn = reading(lisa, heads_of(lisa, (KNIFE, new_head + 1)))
    assert spans(drawn) != spans(own)
    page.drag(page.arc(KNIFE), page.word(new_head))
    assert page.heads() == drawn.heads
    assert page.spans() == spans(drawn)
    gone = page.run(GHOSTS)
    assert gone["arcs"] == [[KNIFE + 1, own.heads[KNIFE]]]
    assert {tuple(span) for span in gone["spans"]} == spans(own) - spans(drawn)
    page.find("[data-option=both]").click()
    page.settle()
    assert page.spans(reading=1) == spans(own)
    changed = page.find(".drawing .own.different[data-dependent]")
    assert changed.get_attribute("data-dependent") == str(KNIFE + 1)
    said = page.find("#status").get_attribute("textContent")
    assert all(change in said for change in page.changes()[1:]), said
    (lost,) = [s for s in own.frames[0].roles if s.first <= KNIFE <= s.last and s.role != "V"]
    assert f"{lost.probability:.2f}" in said
    page.button("Undo").click()
    page.settle()
    assert page.spans() == spans(own) and page.heads() == own.heads
    assert not page.button("Undo").is_enabled()
    page.press(Keys.CONTROL, Keys.SHIFT, "z")
    page.settle()
    assert page.spans() == spans(drawn)
    page.press(Keys.CONTROL, "z")
    page.redo()
    assert page.heads() == drawn.heads
    page.button("Discard edits").click()
    page.settle()
    assert page.heads() == own.heads
    # Neither the text nor its edits are in an address that is sent.
    sent = page.run("return performance.getEntries().map(({ name }) => name.split('#')[0])")
    assert f"{page.url}edit" in sent and not any("senator" in address for address in sent)


LONG = (
    "In 2019 , after a decade of litigation that had cost taxpayers more than $ 40 million , the "
    "state 's highest court ruled that lawmakers must pay for the schools that they had promised "
    "to build there soon ."
)


def copied(page: Page, name: str) -> str:
    """What a copy button puts on the clipboard, as it is pasted."""
    origin = {"origin": page.url.rstrip("/"), "permissions": ["clipboardSanitizedWrite"]}
    page.browser.execute_cdp_cmd("Browser.grantPermissions", origin)
    page.find("#text").clear()
    page.button(name).click()
    done = page.find(".exports output")
    page.wait(lambda: done.text.startswith("Copied"), "a copy")
    page.find("#text").click()
    page.press(Keys.CONTROL, "v")
    return page.find("#text").get_property("value")


def test_copies_and_files_are_what_the_package_writes(
    page: Page, folder: Path, lisa: Labeller
) -> None:
    document = lisa.document(TEXT)
    assert_close(json.loads(copied(page, "JSON")), document.to_dict())
    heads = heads_of(lisa, (KNIFE, 1))
    page.drag(page.arc(KNIFE), page.word(0))
    (own,) = document.sentences
    drawn = dataclasses.replace(reading(lisa, heads), offsets=own.offsets, text=TEXT)
    edited = dataclasses.replace(document, sentences=[drawn])
    for name, output_format in (("CoNLL-U", "conllu"), ("props", "props")):
        assert copied(page, name).rstrip() == format_answer(edited, output_format).rstrip()
    (sentence,) = json.loads(copied(page, "JSON"))["sentences"]
    for verb in sentence["verbs"]:
        for (_, first, last), offsets in zip(verb["spans"], verb["offsets"], strict=True):
            assert TEXT[slice(*offsets)] in (" ".join(WORDS[first : last + 1]), "knife.")
    picture = copied(page, "SVG")
    assert picture.startswith("<svg ") and not re.search('class="ghost"| different"', picture)
    page.find("[data-option=both]").click()
    page.settle()
    assert "as parsed" in copied(page, "SVG")
    page.find("[data-option=both]").click()
    page.button("Undo").click()
    page.settle()

    def saved(button: str, name: str) -> bytes:
        page.button(button).click()
        page.wait(lambda: name in page.find(".exports output").text, "the name of the file")
        file = folder / "downloads" / name
        # The browser creates the file before it writes it.
        page.wait(lambda: file.is_file() and file.stat().st_size, "a download")
        return file.read_bytes()

    page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    for button, kind in (("props", "props"), ("Save CoNLL-U", "conllu")):
        text = saved(button, f"sentences.{kind}").decode()
        assert text.rstrip() == format_answer(document, kind).rstrip()
    for box in page.all("[data-picture]"):
        box.click()
    svg = saved("Save SVG", "sentences.svg").decode()
    assert re.findall('class="word[^>]*>([^<]*)', svg) == WORDS[:-1]
    assert not re.search('class="tag|punct|#cfe4f9', svg)
    with Image.open(io.BytesIO(saved("Save PNG", "sentences.png"))) as image:
        width = float(re.search('width="([\\d.]+)"', svg)[1])
        assert image.width == pytest.approx(3 * width, abs=3)
        # Letters in black, and nothing in colours.
        red, _, blue = image.convert("RGB").split()
        assert red.getextrema()[0] < 50 and ImageChops.difference(red, blue).getextrema()[1] < 40
    page.run("window.print = () => {}")
    page.button("Save PDF").click()
    page.wait(lambda: page.all(".sheet svg"), "a picture alone")
    printed = page.browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    assert base64.b64decode(printed["data"]).count(b"/Type /Page\n") == 1
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.all(".sheet") == []
    # All pictures are printed light and whole.
    page.label(" ".join([TEXT, LONG] * 3))
    page.wait(lambda: len(page.all(".figure svg")) == 5, "all pictures")
    page.find("#theme").send_keys("d")
    colour = "return getComputedStyle(document.querySelector('.figure .word')).fill"
    dark = page.run(colour)
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page.run(colour) != dark
    style = "const s = getComputedStyle(document.body); return [s.backgroundColor, s.colorScheme];"
    assert page.run(style) == ["rgb(255, 255, 255)", "light"]
    set_screen(page.browser, 700)
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    large = """
        return [...document.querySelectorAll("#sentences svg")].filter((svg) =>
          svg.clientWidth > innerWidth || svg.clientHeight > innerHeight ||
          (svg.clientWidth < innerWidth - 40 && svg.clientHeight < innerHeight / 2) ||
          getComputedStyle(svg.closest("li")).breakInside !== "avoid")
    """
    assert page.run(large) == []
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page.find("#theme").send_keys("s")


HOSTILE = (
    '<script>window.hacked = 1</script> <img src=x onerror="window.hacked=1"> said '
    '"Ann & Bob" </text></svg><b>left</b> {{7*7}} ${7*7} \'; alert(1)//'
)


def test_links_and_markup(page: Page, lisa: Labeller) -> None:
    page.label(f"{TEXT} She sold him the car.")
    page.all("button.sentence")[1].click()
    page.settle()
    page.tick(0)
    page.drag(page.arc(2), page.word(4))
    page.arc(4).click()
    page.choose("label", "dep")
    shown = page.heads(), page.spans(), page.changes()
    link = copied(page, "Link")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    try:
        set_screen(page.browser, 1280)
        page.browser.get(link)
        page.settle()
        assert (page.heads(), page.spans(), page.changes()) == shown
        assert page.find("#text").get_property("value") == f"{TEXT} She sold him the car."
        page.browser.refresh()
        page.settle()
        assert (page.heads(), page.spans(), page.changes()) == shown
        address = page.browser.current_url
        page.button("Undo").click()
        page.wait(lambda: page.browser.current_url != address, "another address")
        page.browser.refresh()
        page.settle()
        assert page.changes() == []
    finally:
        page.browser.close()
        page.browser.switch_to.window(first)
    # Markup and scripts are texts.
    page.label(HOSTILE)
    for number, button in enumerate(page.all("button.sentence")):
        if button.is_displayed():
            button.click()
            page.settle()
        words = lisa.document(HOSTILE).sentences[number].words
        assert page.texts(".drawing .own .word") == words
        page.tick(0)
        assert page.find("[data-part=words] p").get_attribute("textContent")
    assert page.run("return window.hacked") is None
    assert page.all("main img, main script, main b, #sentences a") == []
    assert json.loads(copied(page, "JSON"))["text"] == HOSTILE
    # Characters that are active or invisible are escaped.
    page.label("She laughed at \u061c him .")
    chips = page.texts(".chip bdi")
    assert chips == page.texts(".drawing .own .word") and "\\u061c" in chips, chips
    assert "\u061c" not in page.find("#work").get_attribute("textContent")


@opened("", (360, 900, "dark"))
def test_a_phone_shuts_nobody_out_in_any_state(page: Page, lisa: Labeller) -> None:
    found = {"the example": barriers(page.browser)}
    page.label(TEXT)
    found["parsed"] = barriers(page.browser)
    touch(page, page.word(KNIFE))
    assert page.find(".chosen").text.startswith("8 knife")
    touch(page, page.button("Choose in the picture"))
    touch(page, page.word(SAW))
    page.settle()
    assert page.heads() == heads_of(lisa, (KNIFE, SAW + 1))
    # A word on the same line, since the picture is higher than the window.
    touch(page, page.word(KNIFE), page.word(KNIFE - 1))
    page.settle()
    assert page.heads() == heads_of(lisa, (KNIFE, KNIFE))
    touch(page, page.find("[data-field=close]"))
    assert not page.find(".fields").is_displayed()
    page.word(KNIFE).send_keys(Keys.ENTER)
    found["a word"] = barriers(page.browser)
    page.choose("head", str(SAW + 1))
    found["edited"] = barriers(page.browser)
    page.word(MAN).send_keys("h")
    found["choosing"] = barriers(page.browser)
    page.press(Keys.ESCAPE)
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.find("[data-option=both]").send_keys(Keys.SPACE)
    page.settle()
    found["everything open"] = barriers(page.browser)
    page.label("He left. She stayed.")
    page.label(" ")
    found["two sentences, and a problem"] = barriers(page.browser)
    assert found == dict.fromkeys(found, [])


def test_no_edit_is_lost_and_late_answers_are_ignored(page: Page, lisa: Labeller) -> None:
    page.drag(page.arc(KNIFE), page.word(1))
    page.browser.set_network_conditions(offline=True, latency=0, throughput=-1)
    page.drag(page.arc(KNIFE), page.word(0))
    problem = page.find(".problem")
    page.wait(problem.is_displayed, "an error")
    assert "cannot be reached" in problem.text and "Your edits are kept" in problem.text
    assert not page.button("JSON").is_enabled()
    # What was answered before needs no connection.
    page.undo()
    assert page.heads() == heads_of(lisa, (KNIFE, 2))
    page.redo()
    page.wait(problem.is_displayed, "an error")
    page.browser.delete_network_conditions()
    page.button("Try again").click()
    page.settle()
    heads = heads_of(lisa, (KNIFE, 1))
    page.wait(lambda: page.heads() == heads, "the edit")
    assert page.spans() == spans(reading(lisa, heads))
    assert not problem.is_displayed()
    assert all("net::ERR_" in entry["message"] for entry in problems(page.browser))
    page.open_text(TEXT)
    page.run(
        """
        const ask = window.fetch;
        let number = 0;
        window.late = 0;
        window.fetch = (address, { signal, ...options }) => {
          number += 1;
          const wait = number === 1 ? 1500 : 0;
          return ask(address, options).then((answer) => new Promise((resolve) =>
            setTimeout(() => { window.late += wait > 0; resolve(answer); }, wait)));
        };
        """
    )
    page.word(KNIFE).click()
    page.choose("head", "1", settles=False)
    page.choose("head", "2")
    heads = heads_of(lisa, (KNIFE, 2))
    assert page.heads() == heads and page.run("return window.late") == 0
    page.wait(lambda: page.run("return window.late") == 1, "the late answer")
    page.settle()
    assert page.heads() == heads
    assert page.spans() == spans(reading(lisa, heads))


def touch(page: Page, start: Any, end: Any = None) -> None:
    """Taps an element, or drags it to another one, with a finger."""
    page.run("arguments[0].scrollIntoView({block: 'center'})", start)
    swipe(page, *(page.run(MIDDLE, part) for part in (start, end or start)))


MIDDLE = """
const { left, top, width, height } = arguments[0].getBoundingClientRect();
return { x: left + width / 2, y: top + height / 2 };
"""


def swipe(page: Page, first: Dict[str, float], last: Dict[str, float]) -> None:
    """Moves a finger from one place of the window to another, or taps if both are the same."""

    def send(kind: str, points: List[Any]) -> None:
        event = {"type": kind, "touchPoints": points}
        page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)

    send("touchStart", [first])
    for step in range(1, 9 if first != last else 1):
        send("touchMove", [{k: first[k] + (last[k] - first[k]) * step / 8 for k in first}])
    send("touchEnd", [])
