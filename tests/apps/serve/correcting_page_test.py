"""Correcting and saving a corpus on the page of `lisa serve`, in a real browser."""

import json
import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.remote.webelement import WebElement

import lisa_allennlp
from lisa_allennlp.apps.serve import DEFAULTS
from lisa_allennlp.apps.serve.corpus import Corpus, read_corpus
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import corrections_of
from lisa_allennlp.labelling.labeller import Labeller
from tests.apps.serve.browser import barriers, problems, set_screen
from tests.apps.serve.page_driver import Page, spans_of
from tests.apps.serve.process import Service, running
from tests.apps.serve.services import running as running_here

pytestmark = pytest.mark.medium

SENTENCES = [
    "She sold him the car yesterday .",
    "The senator saw the man with the telescope .",
    "It rained .",
    "They wanted to buy a house in the city .",
]
WORDS = SENTENCES[0].split()
SHE, SOLD, HIM, THE, CAR, YESTERDAY = range(6)


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "saved/notes.corrections.jsonl"


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"tokens": s.split()}) + "\n" for s in SENTENCES))
    return str(path)


@pytest.fixture
def service(corpus: str, saved: Path) -> Iterator[Service]:
    options = ["--corpus", corpus, "--save", str(saved.parent)]
    with running(Service("english-fast", "--processes", "0", *options)) as service:
        yield service


@pytest.fixture
def url(request: pytest.FixtureRequest, corpus: str, saved: Path, lisa: Labeller) -> Iterator[str]:
    """The address of a service in this process, or of the one that the test asks for."""
    if "service" in request.fixturenames:
        yield request.getfixturevalue("service").url
        return
    with serving(corpus, saved.parent, lisa) as url:
        yield url


@contextmanager
def serving(corpus: str, folder: Path, lisa: Labeller) -> Iterator[str]:
    folder.mkdir()
    entries = read_corpus([corpus], lisa, DEFAULTS.max_words)
    with running_here(lisa, corpus=Corpus(entries, folder, lisa)) as here:
        yield f"http://127.0.0.1:{here.port}/"


@pytest.fixture
def page(browser: Chrome, url: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page with the first sentence, in a window of a laptop. Nothing may fail or be blocked."""
    # With room for the list.
    set_screen(browser, getattr(request, "param", 1280), 1010)
    problems(browser)
    page = Page(browser, url)
    page.open()
    page.settle()
    yield page
    assert problems_of(page) == []


def problems_of(page: Page) -> List[str]:
    """
    What the browser has logged since the last call that names this page's service. The page of the
    test before may ask its own, which is gone, until this one is there.
    """
    messages = (problem["message"] for problem in problems(page.browser))
    return [message for message in messages if page.url in message]


def wait_until_saved(page: Page) -> None:
    page.settle()
    page.wait(lambda: page.find(".saving").text == "Saved.", "that it is saved")


def records(saved: Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in saved.read_text().splitlines()]


def span(page: Page, predicate: int, role: str) -> WebElement:
    return page.find(f".drawing .span[data-predicate='{predicate}'][data-role='{role}']")


def drag_over_words(page: Page, predicate: int, first: int, last: int) -> None:
    """Drags in the row of a predicate, from below a word to below another one."""
    row = page.find(f".drawing .row[data-predicate='{predicate}']").rect
    middle = row["y"] + row["height"] / 2

    def offset(token: int) -> Any:
        word = page.word(token)
        box = word.rect
        return word, 0, round(middle - box["y"] - box["height"] / 2)

    actions = ActionChains(page.browser).move_to_element_with_offset(*offset(first))
    actions.click_and_hold().move_by_offset(7, 0).move_to_element_with_offset(*offset(last))
    actions.release().perform()


def test_roles_senses_and_tags_stay_as_they_were_set(
    page: Page, lisa: Labeller, saved: Path
) -> None:
    own = lisa({"tokens": WORDS})
    assert page.spans() == spans_of(own.to_dict())
    span(page, SOLD, "ARG2").click()
    assert page.find(".span-fields .of").text == "Role of “sold” sell.01"
    page.choose("role", "ARGM-GOL")
    page.find("[data-field=role]").click()
    assert "ARG3 Price Paid" in page.texts("#role-options li")
    given: Dict[str, Any] = {"index": SOLD, "spans": [["ARGM-GOL", HIM, HIM]]}

    def reading(**more: Any) -> Any:
        return lisa({"tokens": WORDS, "given_roles": [given], **more})

    assert (SOLD, "ARGM-GOL", HIM, HIM) in page.spans()
    assert page.spans() == spans_of(reading().to_dict())
    # A new span takes words of another one, which must not keep them.
    drag_over_words(page, SOLD, THE, THE)
    assert page.find("[data-field=role]").get_attribute("value") == ""
    page.choose("role", "ARG3")
    given["spans"].append(["ARG3", THE, THE])
    assert (SOLD, "ARG3", THE, THE) in page.spans()
    assert page.spans() == spans_of(reading().to_dict())
    page.word(SOLD).click()
    page.choose("sense", "sell_out.03")
    page.choose("tag", "VBN")
    page.drag(page.arc(YESTERDAY), page.word(CAR))
    given["sense"] = "sell_out.03"
    heads = [*own.heads[:YESTERDAY], CAR + 1, *own.heads[YESTERDAY + 1 :]]
    assert page.spans() == spans_of(reading(head_indices=heads).to_dict())
    assert page.find(".drawing .token.set .tag").text == "VBN"
    assert span(page, SOLD, "V").text == "sell_out.03"
    assert {"“sold”: tag VBD → VBN", "“sold”: sell.01 → sell_out.03"} <= set(page.changes())
    wait_until_saved(page)
    (found,) = records(saved)
    assert found["corrections"] == {
        "number": 1,
        "accepted": False,
        "heads": {str(YESTERDAY): CAR + 1},
        "pos": {str(SOLD): "VBN"},
        "senses": {str(SOLD): "sell_out.03"},
        "roles": {str(SOLD): given["spans"]},
    }
    assert spans_of(found) == page.spans() and found["predicted_heads"] == heads
    assert found["pos"][SOLD] == "VBN" and found["verbs"][0]["sense"] == "sell_out.03"
    for _ in range(5):
        page.undo()
    assert page.spans() == spans_of(own.to_dict()) and page.changes() == []
    page.wait(lambda: not saved.exists(), "that nothing is saved")
    for _ in range(5):
        page.redo()
    page.wait(saved.exists, "that it is saved again")
    wait_until_saved(page)
    assert records(saved) == [found]
    for _ in range(5):
        page.undo()
    # Edges are dragged, and spans deleted.
    (first, last) = next((a, b) for _, role, a, b in page.spans() if role == "ARG1")
    bar = span(page, SOLD, "ARG1")
    width = bar.rect["width"]
    actions = ActionChains(page.browser).move_to_element_with_offset(bar, round(width / 2) - 3, 0)
    box, target = bar.rect, page.word(first).rect
    away = round(target["x"] + target["width"] / 2 - box["x"] - width + 3)
    actions.click_and_hold().move_by_offset(-8, 0).move_by_offset(away + 8, 0).release().perform()
    page.settle()
    assert (SOLD, "ARG1", first, first) in page.spans() and first < last
    wait_until_saved(page)
    assert records(saved)[0]["corrections"]["roles"] == {
        str(SOLD): [["ARG1", first, first], ["O", last, last]]
    }
    span(page, SOLD, "ARG0").click()
    page.press(Keys.DELETE)
    page.settle()
    assert not any(role == "ARG0" for _, role, _, _ in page.spans())
    assert page.run("return document.activeElement.dataset.token") == str(SOLD)
    # No span covers the predicate: it ends before it.
    drag_over_words(page, SOLD, SHE, CAR)
    page.choose("role", "ARG4")
    assert (SOLD, "ARG4", SHE, SHE) in page.spans()


def test_nothing_that_was_saved_is_lost(page: Page, service: Service, saved: Path) -> None:
    moved = saved.parent.rename(saved.parent.with_name("moved"))
    span(page, SOLD, "ARG2").click()
    page.choose("role", "ARGM-GOL")
    page.wait(lambda: "cannot be written" in page.find(".saving").text, "a problem")
    assert [" 507 " in message for message in problems_of(page)] == [True]
    moved.rename(saved.parent)
    wait_until_saved(page)
    page.tick(CAR)
    wait_until_saved(page)
    shown = page.spans(), page.changes()
    before = saved.read_text()
    os.kill(service.pid, signal.SIGKILL)
    service.stop()
    # What is not acknowledged is kept and tried again.
    page.word(SHE).click()
    page.choose("tag", "NN", settles=False)
    page.wait(lambda: "Not saved yet" in page.find(".saving").text, "a problem")
    # Nobody accepts what is not shown.
    page.find("[data-do=accept]").click()
    assert page.find(".state").text == "Corrected, not accepted"
    assert saved.read_text() == before
    service.start()
    wait_until_saved(page)
    assert records(saved)[0]["corrections"]["pos"] == {str(SHE): "NN"}
    # The picture has what was saved, and nothing says any more that the service is away.
    page.wait(lambda: not page.find(".problem").is_displayed(), "no problem")
    assert page.find(".drawing .token.own .tag").text == "NN"
    assert all("net::ERR_" in message for message in problems_of(page))
    page.open()
    page.settle()
    assert page.spans() == shown[0] and set(shown[1]) < set(page.changes())
    assert page.find("#corpus li .badge").text == "corrected"
    (sentence,) = read_annotated(saved).bare_sentences
    corrections = corrections_of(sentence)
    assert corrections is not None and corrections.predicates == {CAR: True}


def test_two_tabs_lose_nothing(page: Page, saved: Path) -> None:
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    try:
        set_screen(page.browser, 1280)
        page.open()
        page.settle()
        page.tick(CAR)
        wait_until_saved(page)
        page.browser.switch_to.window(first)
        span(page, SOLD, "ARG2").click()
        page.choose("role", "ARGM-GOL")
        page.wait(page.find(".problem").is_displayed, "what the other tab did")
        assert "was saved elsewhere" in page.find(".problem").text
        page.settle()
        theirs = {"number": 1, "accepted": False, "predicates": {str(CAR): True}}
        assert [r["corrections"] for r in records(saved)] == [theirs]
        assert page.all(".chips input")[CAR].is_selected()
        page.button("Undo").click()
        wait_until_saved(page)
        mine = {"number": 1, "accepted": False, "roles": {str(SOLD): [["ARGM-GOL", HIM, HIM]]}}
        page.wait(lambda: [r["corrections"] for r in records(saved)] == [mine], "mine")
        assert (SOLD, "ARGM-GOL", HIM, HIM) in page.spans()
        assert all("409" in message for message in problems_of(page))
        page.browser.switch_to.window(page.browser.window_handles[-1])
        page.tick(HIM)
        page.wait(page.find(".problem").is_displayed, "what the first tab did")
    finally:
        problems(page.browser)
        page.browser.close()
        page.browser.switch_to.window(first)


def current(page: Page) -> Optional[str]:
    return page.find("#corpus [aria-current=true] bdi").get_attribute("textContent")


def listed(page: Page) -> List[str]:
    return page.texts("#corpus ol bdi")


def test_a_key_accepts_and_goes_on(page: Page, saved: Path) -> None:
    assert listed(page) == SENTENCES and current(page) == SENTENCES[0]
    page.press("a")
    page.wait(lambda: current(page) == SENTENCES[1], "the second sentence")
    wait_until_saved(page)
    # The last thing that was done was accepting the first sentence.
    page.button("Undo").click()
    page.wait(lambda: current(page) == SENTENCES[0], "the first sentence")
    page.wait(lambda: not saved.exists(), "that nothing is saved")
    assert page.find(".steps p").text.startswith("Not accepted")
    for place in (1, 2):
        page.press("a")
        page.wait(lambda place=place: current(page) == SENTENCES[place], "the next sentence")
        page.settle()
    wait_until_saved(page)
    page.wait(lambda: len(records(saved)) == 2, "two sentences")
    assert [r["corrections"] for r in records(saved)] == [
        {"number": number, "accepted": True} for number in (1, 2)
    ]
    assert "2 accepted" in page.find("#corpus .counts").text
    # Nobody accepts a sentence by typing.
    page.find("#corpus [name=search]").send_keys("a")
    page.wait(lambda: listed(page) == [SENTENCES[3]], "a search")
    assert len(records(saved)) == 2
    page.button("Previous").click()
    assert page.browser.current_url.endswith("#3")
    page.find("#corpus [name=search]").clear()
    page.find("#corpus [name=search]").send_keys(" ", Keys.BACKSPACE)
    page.wait(lambda: listed(page) == SENTENCES, "all sentences")
    page.all("#corpus li button")[0].click()
    page.wait(lambda: current(page) == SENTENCES[0], "the first sentence")
    page.settle()
    page.tick(CAR)
    wait_until_saved(page)
    # What has changed since is not accepted.
    assert [r["corrections"]["accepted"] for r in records(saved)] == [False, True]
    assert page.find(".state").text == "No longer accepted"
    assert "had accepted this sentence" in page.find(".notices").text
    page.undo()
    page.press(Keys.CONTROL, "z")
    page.wait(lambda: len(records(saved)) == 1, "one sentence")


def test_a_lesson_says_what_it_changed(browser: Chrome, tmp_path: Path, lisa: Labeller) -> None:
    corpus = tmp_path / "notes.txt"
    corpus.write_text("".join(f"{who} raised the flag.\n" for who in ("She", "They", "He")))
    with serving(str(corpus), tmp_path / "saved", lisa) as url:
        set_screen(browser, 1280, 1010)
        page = Page(browser, url)
        page.open()
        page.settle()

        def senses() -> List[str]:
            return page.texts(".drawing .span.v .role")

        def lesson() -> str:
            return page.find("#corpus .lesson summary").text

        assert senses() == ["raise.01"]
        page.wait(lambda: lesson() == "Learned from 0 sentences", "the lesson")
        page.word(1).click()
        page.choose("sense", "raise.03")
        # The same correction is offered to the other sentences, and can be taken back.
        page.wait(lambda: page.find(".alike summary").is_displayed(), "the offer")
        offered = "Also in 2 other sentences: “raise” raise.01 → raise.03"
        assert page.find(".alike summary").text == offered
        page.find(".alike summary").click()
        page.button("Correct these, too").click()
        badges = lambda: [badge.text for badge in page.all("#corpus li .badge")]  # noqa: E731
        page.wait(lambda: badges() == ["corrected"] * 3, "all corrections")
        other = records(tmp_path / "saved/notes.corrections.jsonl")[1]
        assert other["corrections"] == {
            "number": 2,
            "accepted": False,
            "senses": {"1": "raise.03"},
        }
        assert other["verbs"][0]["sense"] == "raise.03"
        page.button("Take back").click()
        page.wait(lambda: badges() == ["corrected", "", ""], "one correction")
        assert page.find(".alike summary").text == offered
        page.undo()
        assert not page.find(".alike").is_displayed()
        page.redo()
        page.button("Accept").click()
        page.wait(lambda: lesson() == "Learned from 1 sentence", "that it is told")
        # One example overrules nothing that the model is sure of; two do, and it is told.
        page.settle()
        assert senses() == ["raise.01"] and page.changes() == []
        page.word(1).click()
        page.choose("sense", "raise.03")
        page.button("Accept").click()
        page.wait(lambda: senses() == ["raise.03"] and "#3" in browser.current_url, "the lesson")
        page.settle()
        told = "“raised”: raise.01 → raise.03, learned from sentences 1, 2; Undo, not here"
        assert told in page.changes()
        assert barriers(browser) == []
        page.find("#corpus .lesson summary").click()
        # The open sentence follows the switch.
        page.find("#corpus .lesson input").click()
        page.wait(lambda: senses() == ["raise.01"] and page.changes() == [], "the model's own")
        assert lesson() == "Learned from 2 sentences, not used"
        page.find("#corpus .lesson input").click()
        page.wait(lambda: told in page.changes(), "the lesson")
        page.button("Undo, not here").click()
        page.wait(lambda: senses() == ["raise.01"], "the model's own reading")
        wait_until_saved(page)
        assert page.changes() == []
        assert (
            records(tmp_path / "saved/notes.corrections.jsonl")[2]["verbs"][0]["sense"]
            == "raise.01"
        )


def test_a_third_person_chooses_where_two_differ(
    browser: Chrome, tmp_path: Path, lisa: Labeller
) -> None:
    own = [lisa({"tokens": sentence.split()}) for sentence in SENTENCES[:3]]
    tokens = {"tokens": WORDS, "head_indices": [*own[0].heads]}
    tokens["head_indices"][YESTERDAY] = CAR + 1
    spans = [["ARGM-GOL", HIM, HIM]]
    theirs = lisa({**tokens, "given_roles": [{"index": SOLD, "spans": spans}]})
    rain = lisa({"tokens": SENTENCES[2].split(), "predicates": []})
    for name, readings in (("ann", own), ("ben", [theirs, own[1], rain])):
        (tmp_path / name).mkdir()
        lines = [
            {**sentence.to_dict(), "corrections": {"number": number, "accepted": True}}
            for number, sentence in enumerate(readings, start=1)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / name / "notes.corrections.jsonl").write_text(text)
    people = [str(tmp_path / "ann"), str(tmp_path / "ben")]
    saved = tmp_path / "saved/notes.corrections.jsonl"
    options = ["--adjudicate", *people, "--save", str(saved.parent)]
    with running(Service("english-fast", "--processes", "0", *options)) as service:
        set_screen(browser, 1280)
        page = Page(browser, service.url)
        page.open()
        page.settle()
        assert listed(page) == [SENTENCES[0], SENTENCES[2]]
        assert [found["corrections"]["number"] for found in records(saved)] == [2]

        def choices() -> Dict[str, List[WebElement]]:
            rows = page.all(".adjudication li")
            return {
                row.find_element("tag name", "strong").text: row.find_elements("tag name", "button")
                for row in rows
            }

        def chosen() -> List[str]:
            return [found.text for found in page.all(".adjudication [aria-pressed=true]")]

        assert page.find(".adjudication h2").text == "Where ann and ben differ"
        head, roles = "“yesterday”: head", "“sold”: role of “him”"
        assert {head, roles} <= {*choices()} and chosen() == []
        assert choices()[roles][1].text == "ben ARGM-GOL “him”"
        assert barriers(browser) == []
        page.button("Accept").click()
        assert page.find(".saving").text.startswith("Not accepted: first choose ")
        # All of the second person's choices are that person's reading.
        page.button("All of ben").click()
        page.settle()
        assert page.heads() == theirs.heads and page.spans() == spans_of(theirs.to_dict())
        page.undo()
        assert chosen() == [] and page.heads() == own[0].heads
        for part, (first, *_) in choices().items():
            if part not in (head, roles):
                first.click()
        choices()[head][1].click()
        page.settle()
        assert page.heads() == theirs.heads
        # What neither has is corrected as anywhere else.
        choices()[roles][2].click()
        assert page.find(".chosen").text.startswith("2 sold")
        span(page, SOLD, "ARG2").click()
        page.choose("role", "ARG4")
        assert "Neither" in chosen()
        wait_until_saved(page)
        page.open("#1")
        page.settle()
        assert "Neither" in chosen() and len(chosen()) == len(choices())
        page.button("Accept").click()
        page.wait(lambda: current(page) == SENTENCES[2], "the third sentence")
        page.settle()
        ((part, (_, second, _)),) = choices().items()
        assert (part, second.text) == ("“rained”: predicate", "ben no predicate")
        second.click()
        page.settle()
        page.button("Accept").click()
        accepted = [True] * 3
        page.wait(
            lambda: [r["corrections"]["accepted"] for r in records(saved)] == accepted,
            "three accepted sentences",
        )
        first, _, third = records(saved)
        assert first["corrections"]["accepted"] and first["predicted_heads"] == theirs.heads
        wanted = {(SOLD, "ARG4", HIM, HIM), *spans_of(own[0].to_dict())}
        assert spans_of(first) == wanted - {(SOLD, "ARG2", HIM, HIM)}
        assert third["predicates"] == [] and third["corrections"]["accepted"]
