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
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

import lisa_allennlp
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.writing import format_answer
from tests.service.browser import barriers, prefer, problems, set_screen
from tests.service.page_driver import Page, Span, spans_of
from tests.service.process import Service, running
from tests.service.services import assert_close

pytestmark = pytest.mark.medium

TEXT = "The senator saw the man with the knife."
WORDS = ["The", "senator", "saw", "the", "man", "with", "the", "knife", "."]
SAW, MAN, KNIFE = 2, 4, 7
NINE = " ".join([TEXT] * 9)


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast", probabilities=True)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with running(Service("english-fast", "--processes", "0")) as service:
        yield service


def opened(text: str, *windows: Any) -> pytest.MarkDecorator:
    """Opens the page with another text, or none, in other windows."""
    return pytest.mark.parametrize("page", [(text, *w) for w in windows], indirect=True)


@pytest.fixture
def page(browser: Chrome, service: Service, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page with TEXT, in a window of a laptop. Nothing may fail or be blocked."""
    text, *window = getattr(request, "param", (TEXT, 1280))
    set_screen(browser, *window)
    problems(browser)
    page = Page(browser, service.url)
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


def test_dragging_a_word_or_nowhere_or_to_the_root(page: Page, lisa: Labeller) -> None:
    own = heads_of(lisa)
    page.drag(page.word(MAN), page.word(KNIFE))
    assert page.heads() == heads_of(lisa, (MAN, KNIFE + 1))
    page.undo()
    page.drag(page.word(MAN), page.find(".predicates legend"))
    assert page.heads() == own
    held = ActionChains(page.browser).click_and_hold(page.arc(MAN)).move_to_element(page.word(0))
    held.send_keys(Keys.ESCAPE).release().perform()
    page.settle()
    assert page.heads() == own
    page.drag(page.arc(MAN), page.find("#text"))
    assert page.heads() == heads_of(lisa, (MAN, 0))
    assert "found 2 roots (" in page.find(".notices").text


def test_clicks_look_and_change_nothing(page: Page, lisa: Labeller) -> None:
    for token in (KNIFE, 0, MAN):
        page.word(token).click()
        assert page.find(".chosen").text.startswith(f"{token + 1} {WORDS[token]} ")
        pressed = [page.word(t).get_attribute("aria-pressed") for t in range(9)]
        assert pressed == [str(t == token).lower() for t in range(9)]
        assert not page.find(".picking").is_displayed()
    page.arc(SAW).click()
    assert page.find(".chosen").text.startswith("3 saw ")
    ActionChains(page.browser).move_to_element_with_offset(
        page.find(".drawing"), 300, 0
    ).click().perform()
    assert not page.find(".fields").is_displayed()
    assert page.heads() == heads_of(lisa) and not page.button("Undo").is_enabled()


def test_a_head_is_chosen_by_the_button_and_a_click(page: Page, lisa: Labeller) -> None:
    page.start_picking(KNIFE)
    page.word(0).click()
    page.settle()
    assert page.heads() == heads_of(lisa, (KNIFE, 1))
    page.start_picking(1)
    assert "New head of “senator”" in page.find(".picking").text
    page.button("Root: drop or click here").click()
    page.settle()
    heads = heads_of(lisa, (KNIFE, 1), (1, 0))
    assert page.heads() == heads
    cancels: List[Any] = [
        lambda: page.press(Keys.ESCAPE),
        page.find("header").click,
        page.find("[data-field=cancel]").click,
        page.word(MAN).click,
    ]
    for cancel in cancels:
        page.word(MAN).click()
        page.press("h")
        assert page.find(".picking").is_displayed()
        cancel()
        assert not page.find(".picking").is_displayed()
        page.settle()
        assert page.heads() == heads


def test_predicates_are_ticked_and_unticked(page: Page, lisa: Labeller) -> None:
    page.tick(KNIFE)
    assert page.spans() == spans(lisa({"tokens": WORDS, "predicates": [SAW, KNIFE]}))
    assert "“knife” is a predicate now" in page.find(".changes").text
    page.tick(SAW)
    assert page.spans() == spans(lisa({"tokens": WORDS, "predicates": [KNIFE]}))
    page.tick(KNIFE)
    assert page.spans() == set()
    assert "“saw” is no predicate any more" in page.find(".changes").text


def test_a_chosen_relation_changes_the_exports_but_no_role(page: Page, lisa: Labeller) -> None:
    own = lisa({"tokens": WORDS})
    page.arc(KNIFE).click()
    page.choose("label", "vocative")
    assert page.arc(KNIFE).get_attribute("textContent") == "vocative"
    assert page.spans() == spans(own)
    assert "never enter the network" in page.find(".notices").text
    rows = [line.split("\t") for line in copied(page, "CoNLL-U").splitlines() if "\t" in line]
    labels = own.head_tags[:KNIFE] + ["vocative"] + own.head_tags[KNIFE + 1 :]
    assert [row[7] for row in rows] == labels
    # A new arc has the model's relation.
    page.choose("head", "1")
    assert page.find(".notices").text == ""
    page.undo()
    page.choose("label", own.head_tags[KNIFE])
    assert page.changes() == []


def test_a_cycle_is_shown_and_tried(page: Page, lisa: Labeller) -> None:
    page.drag(page.arc(SAW), page.word(KNIFE))
    page.drag(page.arc(KNIFE), page.word(SAW))
    heads = heads_of(lisa, (SAW, KNIFE + 1), (KNIFE, SAW + 1))
    assert page.heads() == heads
    assert page.spans() == spans(reading(lisa, heads, allow_cycles=True))
    assert "found a circle: 3 (saw) <- 8 (knife) <- 3 (saw)" in page.find(".notices").text
    notices = [notice.text for notice in page.all(".notices li")]
    assert " ".join(notices) in page.find("#status").get_attribute("textContent")
    assert json.loads(copied(page, "JSON"))["sentences"][0]["predicted_heads"] == heads


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


def test_copies_are_what_the_package_writes(page: Page, lisa: Labeller) -> None:
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


def test_texts_and_pictures_are_saved(page: Page, folder: Path, lisa: Labeller) -> None:
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
        assert text.rstrip() == format_answer(lisa.document(TEXT), kind).rstrip()
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


def test_a_link_reopens_the_text_and_its_edits(page: Page) -> None:
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
        for wrong in ("#text=a&edit=0.1%3Bh0.7", "#text=She+left.&edit=0.9%3Bh1.4"):
            page.open(wrong)
            page.wait(page.find(".problem").is_displayed, "an error")
            assert "link" in page.find(".problem").text
        # No link moves the page to the message.
        assert (
            page.run("location.hash = '#problem'; return document.querySelector(':target')") is None
        )
    finally:
        page.browser.close()
        page.browser.switch_to.window(first)


@opened("", (1280,))
def test_the_keyboard_alone_suffices(page: Page, lisa: Labeller) -> None:
    assert page.focused().get_attribute("id") == "text"
    page.press(*TEXT[-1:])
    page.press(Keys.CONTROL, "a")
    ActionChains(page.browser).send_keys(TEXT, Keys.ENTER).perform()
    page.settle()
    tab_to(page, lambda: "token" in page.focused().get_attribute("class"))
    for _ in range(KNIFE + 1):
        page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_LEFT)
    assert page.focused().get_attribute("data-token") == str(KNIFE)
    page.press("h")
    for _ in range(KNIFE):
        page.press(Keys.ARROW_LEFT)
    page.press(Keys.ENTER)
    page.settle()
    heads = heads_of(lisa, (KNIFE, 1))
    assert page.heads() == heads
    assert page.focused().get_attribute("data-token") == str(KNIFE)
    page.press(Keys.END)
    page.press("h")
    page.press(Keys.ARROW_LEFT)
    page.press(Keys.ESCAPE)
    assert page.focused().get_attribute("data-token") == "8"
    page.press("p")
    page.settle()
    predicates = [SAW, 8]
    assert page.spans() == spans(reading(lisa, heads, predicates=predicates))
    page.press(Keys.HOME)
    page.press("l")
    assert page.focused().accessible_name == "Relation"
    for key in (*"voc", Keys.ENTER):
        page.press(key)
    page.settle()
    assert page.arc(0).get_attribute("textContent") == "vocative"
    page.undo()
    tab_to(page, lambda: "token" in page.focused().get_attribute("class"))
    page.press(Keys.ARROW_UP)
    assert page.focused().get_attribute("data-token") == str(heads[0] - 1)
    page.press("h")
    page.press("r")
    page.settle()
    assert page.heads() == heads_of(lisa, (KNIFE, 1), (heads[0] - 1, 0))
    page.press("?")
    assert page.find("[data-part=keys]").get_property("open")
    tab_to(page, lambda: page.focused().accessible_name == "Undo", back=True)
    page.press(Keys.ENTER)
    page.settle()
    assert page.heads() == heads


def tab_to(page: Page, is_there: Any, back: bool = False) -> None:
    for _ in range(60):
        if is_there():
            # What has the focus is seen to have it.
            assert page.run("return document.activeElement.matches(':focus-visible')")
            return
        page.press(*([Keys.SHIFT] * back), Keys.TAB)
    raise AssertionError("not reached by Tab")


def test_a_screen_reader_says_words_and_fields(page: Page) -> None:
    assert {page.word(token).aria_role for token in range(9)} == {"button"}
    names = [page.word(token).accessible_name for token in range(9)]
    assert [name.split(" ")[0] for name in names] == WORDS
    assert names[SAW].startswith(
        "saw VBD, verb, past tense; root (head of the sentence); predicate"
    )
    assert "see.01 (view); roles: ARG0 The senator" in names[SAW]
    assert page.browser.title == "lisa: english-fast"
    # Tab stops at one word, and at one box.
    for items in (".drawing .own.token", ".chips input"):
        assert [part.get_attribute("tabindex") for part in page.all(items)] == ["0", *["-1"] * 8]
    assert [chip.accessible_name.split()[0] for chip in page.all(".chips input")] == WORDS
    page.find("[data-part=words] summary").click()
    assert "Roles of saw" in page.find("[data-part=words]").text


def test_lines_say_who_does_what_and_senses_can_be_chosen(page: Page, lisa: Labeller) -> None:
    (line,) = page.all(".frames > li")
    assert line.text.startswith("see.01, view: viewer The senator · thing viewed the man")
    assert "of-chosen" not in line.get_attribute("class")
    page.word(SAW).click()
    assert "of-chosen" in line.get_attribute("class")
    assert page.find(".meaning").text.startswith("verb, past tense; root")
    ActionChains(page.browser).move_to_element(page.arc(MAN)).perform()
    assert page.find(".meaning").text == "saw → man: obj (object)"
    # The argument lights up with its span and its predicate.
    ActionChains(page.browser).move_to_element(page.find(".frames mark")).perform()
    lit = page.all(".drawing .span.lit")
    assert [span.get_attribute("data-role") for span in lit] == ["ARG0", "V"]
    # The senses are opened in the picture or in the line.
    page.find(".drawing .span[data-role=V]").click()
    page.wait(lambda: page.all(".senses button"), "the senses")
    page.find(".frames summary strong").click()
    page.wait(lambda: not page.find(".senses").is_displayed(), "no senses")
    page.find(".frames summary strong").click()
    assert "ARG0 viewer (agent) · ARG1 thing viewed (patient)" in page.find(".senses").text
    (own,) = page.all(".senses [aria-current]")
    assert own.text.startswith("see.01 view.")
    page.button("see.02").click()
    page.settle()
    set_to = lisa({"tokens": WORDS, "given_roles": [{"index": SAW, "sense": "see.02"}]})
    assert page.spans() == spans(set_to)
    assert page.find(".frames summary").text.startswith("see.02, ")
    (own,) = page.wait(lambda: page.all(".senses [aria-current]"), "the senses")
    assert own.text.startswith("see.02 ")
    page.undo()
    assert page.find(".frames summary").text.startswith("see.01, view")


def test_a_text_that_the_model_does_not_know_gets_a_notice(page: Page) -> None:
    assert page.find("#notice").text == ""
    page.label("Sie hat ihm gestern das Auto verkauft.")
    expected = "This model reads English; 3 of 5 words are unknown to it."
    assert page.find("#notice").text == expected
    page.label(TEXT)
    assert page.find("#notice").text == ""


@pytest.mark.parametrize(
    "page",
    [pytest.param(("", 1280), marks=pytest.mark.slow), ("", 360, 900, "dark")],
    indirect=True,
)
def test_nobody_is_shut_out_in_any_state(page: Page) -> None:
    found = {"the example": barriers(page.browser)}
    page.label(TEXT)
    found["parsed"] = barriers(page.browser)
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


def test_a_broken_connection_loses_no_edits(page: Page, lisa: Labeller) -> None:
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
    # The browser logs the failed requests.
    assert all("net::ERR_" in entry["message"] for entry in problems(page.browser))


HOSTILE = (
    '<script>window.hacked = 1</script> <img src=x onerror="window.hacked=1"> said '
    '"Ann & Bob" </text></svg><b>left</b> {{7*7}} ${7*7} \'; alert(1)//'
)


def test_markup_and_scripts_are_texts(page: Page, lisa: Labeller) -> None:
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


LONG = (
    "In 2019 , after a decade of litigation that had cost taxpayers more than $ 40 million , the "
    "state 's highest court ruled that lawmakers must pay for the schools that they had promised "
    "to build there soon ."
)


@opened(LONG, (1280,), (768,), (360, 900, "dark"))
def test_long_sentences_fit_the_window(page: Page) -> None:
    assert len(LONG.split()) == 40
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.word(5))
    page.word(5).click()
    page.choose("head", "1")
    page.settle()
    for _ in range(2):
        summary = page.find("#work details:not([open], [hidden]) summary")
        summary.send_keys(Keys.ENTER)
    width = page.run("return document.documentElement.clientWidth")
    assert page.run("return document.documentElement.scrollWidth") <= width
    drawing = "document.querySelector('.drawing')"
    assert page.run(f"return {drawing}.scrollWidth === {drawing}.clientWidth")
    background = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (width > 360)
    assert page.run(SMALL_TARGETS, 24) == []


SMALL_TARGETS = """
const parts = document.querySelectorAll(
  ".drawing .token.own, button, select, .chip, .check, summary");
return [...parts].filter((part) => part.checkVisibility()).map((part) => {
  const { width, height } = part.getBoundingClientRect();
  return [part.textContent.slice(0, 30), width, height];
}).filter(([, width, height]) => Math.min(width, height) < arguments[0]);
"""


@opened(TEXT, (360, 740))
def test_touch_drags_and_taps(page: Page, lisa: Labeller) -> None:
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


@opened(LONG, (360, 640))
def test_a_swipe_over_words_scrolls_and_chooses_nothing(page: Page) -> None:
    start = page.run(MIDDLE, page.word(1))
    before = page.run("return scrollY")
    swipe(page, start, {"x": start["x"], "y": start["y"] - 150})
    page.wait(lambda: page.run("return scrollY") > before + 100, "scrolling")
    assert not page.find(".fields").is_displayed() and page.changes() == []


@opened(LONG, (360, 740))
def test_the_chosen_word_and_undo_are_in_sight_on_a_phone(page: Page) -> None:
    is_in_sight = """
        const { left, top, width, height } = arguments[0].getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return arguments[0].contains(found);
    """
    page.run("scrollBy(0, arguments[0].getBoundingClientRect().top - 500)", page.word(20))
    at = page.run(MIDDLE, page.word(20))
    swipe(page, at, at)
    assert page.find(".chosen").text.startswith("21 ")
    assert page.run(is_in_sight, page.word(20))
    page.focus(20)
    page.press("p")
    page.settle()
    assert page.changes() and page.run(is_in_sight, page.word(20))
    assert page.run(is_in_sight, page.button("Undo"))


def test_late_answers_are_ignored(page: Page, lisa: Labeller) -> None:
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


def test_sentences_are_edited_one_by_one(page: Page, lisa: Labeller) -> None:
    page.label(f"{TEXT} She sold him the car. He was glad.")
    sentences = page.all("button.sentence")
    assert [s.get_attribute("aria-expanded") for s in sentences] == ["true", "false", "false"]
    page.wait(lambda: len(page.all(".figure svg")) == 2, "the other pictures")
    page.drag(page.arc(KNIFE), page.word(0))
    sentences[1].click()
    page.settle()
    page.tick(1)
    assert [s.text.endswith("edited") for s in page.all("button.sentence")] == [True, True, False]
    drawn = json.loads(copied(page, "JSON"))["sentences"]
    assert drawn[0]["predicted_heads"] == heads_of(lisa, (KNIFE, 1))
    assert drawn[1]["verbs"] == []
    sentences[0].click()
    page.settle()
    assert page.heads() == heads_of(lisa, (KNIFE, 1))


@opened(NINE, (1280, 600))
def test_a_chosen_sentence_comes_into_view(page: Page) -> None:
    page.wait(lambda: len(page.all(".figure svg")) > 1, "other pictures")
    for number in (7, 2):
        page.run("arguments[0].scrollIntoView({block: 'end'})", page.all("button.sentence")[number])
        page.all("button.sentence")[number].click()
        page.settle()
        is_in_view = """
            const box = document.querySelector("#editor .drawing svg").getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight;
        """
        page.wait(lambda script=is_in_view: page.run(script), "the whole picture in the window")


def test_the_theme_is_kept_and_changes_pictures_out_of_view(page: Page) -> None:
    page.label(" ".join([TEXT] * 12))
    page.run("document.querySelector('#sentences').lastChild.scrollIntoView()")
    page.wait(lambda: page.all("li:last-child .figure svg"), "the last picture")
    page.run("scrollTo(0, 0)")
    colour = "return getComputedStyle(document.querySelector('.drawing .word')).fill"
    dark_on_light = page.run(colour)
    page.find("#theme").send_keys("d")
    page.wait(lambda: page.run(colour) != dark_on_light, "light words")
    page.find("#theme").send_keys(Keys.HOME)
    page.wait(lambda: page.run(colour) == dark_on_light, "dark words")
    page.find("#theme").send_keys("d")
    page.settle()
    page.open_text("")
    assert page.run("return document.documentElement.dataset.theme") == "dark"
    page.find("#theme").send_keys("s")
    assert page.run("return document.documentElement.dataset.theme") == "light"


def test_texts_that_cannot_be_labelled_say_why(page: Page) -> None:
    problem = page.find(".problem")
    page.find("#text").clear()
    page.find("#text").send_keys(" ", Keys.ENTER)
    assert "Type a sentence" in problem.text
    page.run("document.querySelector('#text').value = 'word '.repeat(300000)")
    page.button("Label").click()
    assert "too long" in problem.text
    assert page.heads()


def replace_answers(page: Page, change: str) -> None:
    """Lets a function of JavaScript change the service's answers to `/edit`."""
    page.run(
        f"""
        const [ask, change] = [window.fetch, {change}];
        window.fetch = async (address, options) => {{
          const answer = await ask(address, options);
          return String(address).startsWith("edit") ? change(answer) : answer;
        }};
        """
    )


@pytest.mark.parametrize(
    "status, message, can_retry",
    [
        (429, "The service is busy: try again in 7 s.", True),
        (422, "The service refuses this: <b>why</b>", False),
    ],
)
def test_refusals_are_told(page: Page, status: int, message: str, can_retry: bool) -> None:
    # With the room that there is beside a scroll bar, if there is one.
    page.label(TEXT)
    replace_answers(
        page,
        f"""() => {{
          const options = {{status: {status}, headers: {{"Retry-After": "7"}}}};
          return new Response('{{"error": "<b>why</b>"}}', options);
        }}""",
    )
    page.drag(page.arc(KNIFE), page.word(0))
    problem = page.find(".problem")
    page.wait(problem.is_displayed, "an error")
    assert problem.find_element(By.TAG_NAME, "span").text == f"{message} Your edits are kept."
    assert problem.find_element(By.TAG_NAME, "button").is_displayed() == can_retry
    page.undo()
    page.wait(lambda: not problem.is_displayed(), "no error")


LONG_CHAIN = f"{'He said that ' * 3}{' '.join(['we saw her'] * 13)} ."


@pytest.mark.parametrize("page", [(TEXT, 1280), (LONG_CHAIN, 360)], indirect=True)
def test_words_stay_where_they_are(page: Page) -> None:
    page.run("document.querySelector('.drawing').scrollIntoView()")
    page.focus(0)
    own = page.places()

    def steady() -> None:
        page.settle()
        now = page.places()
        # Bold letters are wider; the lines after that of the chosen word may need another row.
        assert all(abs(one[0] - two[0]) < 10 for one, two in zip(now, own, strict=True))
        same_line = [place for place in own if place[1] == own[0][1]]
        assert all(abs(one[1] - two[1]) <= 1 for one, two in zip(now, same_line, strict=False))

    for keys in (Keys.ENTER, "h", Keys.ESCAPE, "h"):
        page.press(keys)
        steady()
    for _ in range(2):
        page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ENTER)
    steady()
    assert page.changes()
    page.press("h")
    page.press("r")
    steady()
    page.press(Keys.CONTROL, "z")
    steady()
    page.find("[data-option=both]").send_keys(" ")
    page.settle()
    assert [x for x, _ in page.places()] == [x for x, _ in own]


@opened("", (1280,))
def test_the_first_sight_is_an_example_to_drag(page: Page, lisa: Labeller) -> None:
    example = "She promised to call him yesterday."
    own = lisa(example)
    promised, call, yesterday = 1, 3, 5
    assert page.heads() == own.heads and own.heads[yesterday] == call + 1
    assert "who did what to whom" in page.find(".about").text
    assert page.find("#text").get_property("value") == example
    assert "#" not in page.browser.current_url
    arc = page.find(".drawing .dependency.inviting")
    assert arc.get_attribute("data-dependent") == str(yesterday + 1)
    moving = "return getComputedStyle(document.querySelector('.inviting .arc')).animationName"
    for motion, name in (("no-preference", "invite"), ("reduce", "none")):
        prefer(page.browser, reduced_motion=motion)
        assert page.run(moving) == name
    assert (call, "ARGM-TMP", yesterday, yesterday) in page.spans()
    page.drag(page.arc(yesterday), page.word(promised))
    assert page.heads() == [*own.heads[:yesterday], promised + 1, *own.heads[yesterday + 1 :]]
    assert {span for span in page.spans() if span[1] == "ARGM-TMP"} == {
        (promised, "ARGM-TMP", yesterday, yesterday)
    }
    assert page.all(".inviting") == [] and not page.find(".invitation").is_displayed()


def test_the_same_text_keeps_its_edits_and_others_are_in_the_history(
    page: Page, lisa: Labeller
) -> None:
    heads = heads_of(lisa, (KNIFE, 1))
    page.drag(page.arc(KNIFE), page.word(0))
    page.label(TEXT)
    assert page.heads() == heads and page.button("Undo").is_enabled()
    page.label("She sold him the car.")
    assert len(page.heads()) == 6
    address = page.browser.current_url
    page.drag(page.arc(3), page.word(0))
    changed = page.heads()
    page.wait(lambda: page.browser.current_url != address, "the edit in the address")
    page.browser.back()
    page.wait(lambda: page.heads() == heads, "the text before, with its edit")
    assert page.find("#text").get_property("value") == TEXT
    page.browser.forward()
    page.wait(lambda: page.heads() == changed, "the other text, with its edit")


def test_what_would_change_is_said_before_a_drop(page: Page, lisa: Labeller) -> None:
    title = "#changes-title"
    held = ActionChains(page.browser).click_and_hold(page.arc(KNIFE))
    held.move_to_element(page.word(MAN)).perform()
    page.wait(lambda: page.find(title).text == "What would change", "what would change")
    promised = page.changes()
    held = ActionChains(page.browser).send_keys(Keys.ESCAPE).release()
    held.perform()
    assert page.find(title).text == "What changed"
    assert page.changes() == [] and page.heads() == heads_of(lisa)
    page.start_picking(KNIFE)
    ActionChains(page.browser).move_to_element(page.word(MAN)).perform()
    page.wait(lambda: page.changes() == promised, "what would change")
    # What was promised is known already.
    page.browser.set_network_conditions(offline=True, latency=0, throughput=-1)
    page.word(MAN).click()
    page.settle()
    page.browser.delete_network_conditions()
    assert page.heads() == heads_of(lisa, (KNIFE, MAN + 1))
    assert page.changes() == promised and len(promised) > 1
    assert page.find(title).text == "What changed"


def test_what_changed_is_in_view_and_lights_up_with_the_picture(page: Page) -> None:
    for width, height in ((360, 740), (768, 900), (1280, 700)):
        set_screen(page.browser, width, height)
        page.open_text(TEXT)
        page.run("arguments[0].scrollIntoView({block: 'center'})", page.word(KNIFE))
        page.word(KNIFE).click()
        page.press("p")
        page.settle()
        item = page.find(".changes .found li")
        top = page.run("return arguments[0].getBoundingClientRect().top", item)
        assert 0 <= top < height - 20
        page.run("arguments[0].focus()", item)
        assert item.get_attribute("data-of") == f"predicate {KNIFE}"
        lit = page.all(".drawing .lit")
        assert page.word(KNIFE) in lit and page.word(0) not in lit
    verb = page.find(f".drawing .span[data-predicate='{SAW}'][data-role=V]")
    ActionChains(page.browser).move_to_element(verb).perform()
    lit = {(s.get_attribute("data-predicate")) for s in page.all(".drawing .span.lit")}
    assert lit == {str(SAW)} and "lit" not in item.get_attribute("class")


def test_every_sentence_is_edited_where_it_stands(page: Page, lisa: Labeller) -> None:
    page.label(" ".join([LONG, "It rained.", TEXT] * 2))
    # All pictures are drawn, so that none is drawn again.
    page.wait(lambda: len(page.all(".figure svg")) == 5, "all pictures")
    figure = page.find("li:nth-child(3) .figure")
    page.run("arguments[0].scrollIntoView({block: 'center'})", figure)
    word = figure.find_element(By.CSS_SELECTOR, "[data-token='1'] .word")
    target = figure.find_element(By.CSS_SELECTOR, "[data-token='6'] .word")
    place = "const {x, top} = arguments[0].getBoundingClientRect(); return [x, top];"
    before = page.run(place, word)
    own = heads_of(lisa)
    actions = ActionChains(page.browser).move_to_element(word).click_and_hold().pause(0.5)
    # The picture becomes another one at the same place.
    middle, end = (part.rect["x"] + part.rect["width"] / 2 for part in (word, target))
    actions.move_by_offset(int(end - middle), 0).release().perform()
    page.settle()
    assert page.find("li.active button").text.startswith("3 ")
    drawn = "document.querySelector(\".drawing .own[data-token='1'] .word\")"
    after = page.run(place.replace("arguments[0]", drawn))
    assert after == pytest.approx(before, abs=2)
    assert page.heads() == [own[0], 7, *own[2:]]


@opened(f"{TEXT} {LONG} It rained. She sold him the car.", (1280,), (360,))
def test_what_is_clicked_in_another_sentence_stays_and_is_chosen(page: Page) -> None:
    page.wait(lambda: len(page.all(".figure svg")) == 3, "all pictures")
    word, span = ".token[data-token='1'] .word", ".span[data-role=ARG0] .role"
    # To sentences below and above.
    for number, part, chosen in ((2, word, "2 2019"), (1, word, "2 senator"), (4, span, "Role of")):
        clicked = page.find(f"#sentences > li:nth-child({number}) .figure {part}")
        page.run("arguments[0].scrollIntoView({ block: 'center' })", clicked)
        before = page.run(MIDDLE, clicked)
        if page.run("return document.documentElement.clientWidth") == 360:
            swipe(page, before, before)
        else:
            ActionChains(page.browser).move_to_element(clicked).click().perform()
        page.settle()
        assert page.run(MIDDLE, page.find(f".drawing {part}")) == pytest.approx(before, abs=1)
        assert page.find(".chosen" if part == word else ".span-fields .of").text.startswith(chosen)


def test_enter_leaves_the_page_where_it_is_unless_the_result_is_out_of_view(page: Page) -> None:
    for text in ("It rained.", TEXT, LONG, TEXT):
        before = page.run("return scrollY")
        page.label(text)
        assert page.run("return scrollY") == before
    set_screen(page.browser, 360, 640)
    page.open_text("")
    page.label(LONG)
    top = page.run("return document.querySelector('.drawing').getBoundingClientRect().top")
    assert 0 <= top < 100 and page.run("return scrollY") > 0


def test_the_nearest_of_several_lines_is_chosen(page: Page) -> None:
    """Each arc is chosen on its own line, also where others end beside it at the same head."""
    stems = page.run(
        """
        return [...document.querySelectorAll(".drawing .dependency.own")].map((arc) => {
          const line = arc.querySelector("path.arc");
          const at = line.getPointAtLength(12).matrixTransform(line.getScreenCTM());
          return [Number(arc.dataset.dependent), at.x, at.y];
        });
        """
    )
    for dependent, x, y in stems:
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            page.browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)
        assert page.find(".chosen").text.startswith(f"{dependent} ")


@opened(NINE, (1280, 600))
def test_a_drag_at_the_edge_scrolls(page: Page) -> None:
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.word(1))
    before = page.run("return scrollY")
    held = ActionChains(page.browser).click_and_hold(page.word(1)).move_by_offset(10, 10)
    held.perform()
    at = {"type": "mouseMoved", "x": 300, "y": 590, "button": "left", "buttons": 1}
    page.browser.execute_cdp_cmd("Input.dispatchMouseEvent", at)
    page.wait(lambda: page.run("return scrollY") > before + 100, "scrolling")
    page.press(Keys.ESCAPE)
    ActionChains(page.browser).release().perform()
    assert not page.find(".picking").is_displayed()


def test_all_pictures_are_printed_light_and_whole(page: Page) -> None:
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
