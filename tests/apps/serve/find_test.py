"""Questions to tables over HTTP, with the answers of `lisa_allennlp.apps.find`."""

import csv
import io
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Iterator
from urllib.parse import urlencode

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.support.ui import Select

import lisa_allennlp
from lisa_allennlp.apps.find import Corpus, understand
from lisa_allennlp.apps.find.query import Query
from lisa_allennlp.apps.serve import Limits
from tests.apps.find.tables import ENDLESS, SALES, write_parquet
from tests.apps.serve.browser import barriers, problems, set_screen
from tests.apps.serve.page_driver import Page
from tests.apps.serve.services import Running, running, wait_for


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("labelled") / "sales.parquet"
    return Corpus(write_parquet(Path(path), SALES))


@pytest.fixture(scope="module")
def asked(tables: Corpus) -> Iterator[Running]:
    with running(lisa_allennlp.load(), tables=tables) as found:
        yield found


def ask(served: Running, path: str = "answer", **query: object) -> object:
    answer = served.ask("GET", f"/find/{path}?{urlencode(query, doseq=True)}")
    return answer.json if answer.status == 200 and path == "answer" else answer


def test_a_question_by_example(asked: Running, tables: Corpus) -> None:
    found = ask(asked, question="SOMEBODY sells WHAT", limit=1)
    question = understand("SOMEBODY sells WHAT", lisa_allennlp.load())
    assert [sense["name"] for sense in found["senses"]] == list(question.senses)
    assert found["roles"] == [
        {"role": "ARG1", "meaning": "Thing Sold", "value": "?", "style": "a1"}
    ]
    assert (found["asked"], found["polarity"]) == (["ARG1"], "affirmed")
    assert (found["total"], found["number"]) == (len(SALES), tables.number(question))
    (hit,) = found["hits"]
    place, *_ = hit["places"]
    assert hit["text"][place["start"] : place["end"]] == "sell" and place["style"] == "v"
    assert hit["truth"] == "asserted"
    counts = tables.count(question, limit=1)
    assert found["counts"] == [{**asdict(c), "heads": list(c.heads)} for c in counts]


def test_what_was_understood_is_changed(asked: Running) -> None:
    found = ask(asked, sense="sell.01", role=["ARG0=he", "ARG1=?"], asked="ARG1", where="stars=5")
    assert (found["number"], [c["heads"] for c in found["counts"]]) == (1, [["Phone"]])
    assert ask(asked, sense="sell.01", polarity="negated")["number"] == 2
    (others,) = ask(asked, sense="sell.01", factuality="asserted")["left_out"]
    assert (others["number"], others["option"], others["value"]) == (2, "polarity", "any")
    opening = ask(asked, where="stars>1")
    assert opening["salient"][0]["event"] == "sell" and not opening["left_out"]


def test_downloads(asked: Running) -> None:
    answer = ask(asked, "rows", sense="sell.01", polarity="any")
    assert answer.headers["content-disposition"] == 'attachment; filename="events.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.body.decode())))
    assert [row["text"] for row in rows] == [row["text"] for row in SALES[:5]]
    counts = ask(asked, "rows", sense="sell.01", asked="ARG1", counts=True).body.decode()
    assert counts.splitlines()[0] == '"ARG1","number","examples"'


def test_the_page_and_refusals(asked: Running, served: Running) -> None:
    assert b"static/find.js" in asked.ask("GET", "/find").body
    assert asked.ask("GET", "/info").json["finds"] and not served.ask("GET", "/info").json["finds"]
    for query, message in (
        ({"role": "ARG1"}, "NAME=VALUE"),
        ({"role": "ARG7=x"}, "'ARG7'"),
        ({"polarity": "maybe"}, "`polarity`"),
    ):
        answer = ask(asked, **query)
        assert answer.status == 422 and message in answer.error
    assert "--find" in ask(served, sense="sell.01").error


def test_what_is_offered(asked: Running) -> None:
    found = ask(asked, "about").json
    assert found["total"] == len(SALES) and found["examples"][0] == "WHO sell WHAT"
    for question in found["examples"]:
        assert ask(asked, question=question)["number"] > 0
    answer = ask(asked, question="SOMEBODY sells WHAT")
    (sell,), (others,) = answer["senses"], answer["others"]
    assert (sell["name"], sell["number"]) == ("sell.01", answer["number"])
    assert "sell_out.02" in [other["name"] for other in others]


@pytest.mark.medium
def test_questions_on_the_page(asked: Running, browser: Chrome) -> None:
    set_screen(browser, 390, 844)
    problems(browser)
    page = Page(browser, f"http://127.0.0.1:{asked.port}/find")
    page.open()
    page.wait(lambda: page.find("#total").text == f"{len(SALES)} events", "a total")
    assert page.focused() == page.find("#question") and not page.find("#answer").is_displayed()
    page.button("WHO sell WHAT").click()
    page.wait(lambda: page.all("#hits li"), "an answer")
    bars = page.run("return [...document.querySelectorAll('.bar')].map((b) => b.clientWidth)")
    times = [int(text) for text in page.texts("#counts .times")]
    for bar, number in zip(bars, times, strict=True):
        assert bar == pytest.approx(bars[0] * number / times[0], abs=1)
    assert barriers(browser) == []
    page.wait(lambda: page.all("[name=sense] option"), "the other senses")
    Select(page.find("[name=sense]")).select_by_value("sell_out.02")
    page.wait(lambda: page.find(".number").text == "0 hits", "those of the other sense")
    page.run("location.hash = 'sense=give.14'")
    page.wait(lambda: "give.01 1" in page.find(".by-sense").text, "the senses")
    page.button("give.01 1").click()
    page.wait(lambda: page.find("[name=sense]").get_attribute("value") == "give.01", "the other")
    page.find("#question").clear()
    page.find("#question").send_keys("WHAT", Keys.ENTER)
    page.wait(lambda: "no event" in page.find(".problem").text, "an error")
    assert not page.find("#answer").is_displayed()
    browser.back()
    page.wait(lambda: page.find("#answer").is_displayed(), "the answer before")
    for _ in range(4):
        browser.back()
    page.wait(lambda: not page.find("#answer").is_displayed(), "the beginning")
    assert page.find("header a").get_attribute("href") == page.url.removesuffix("find")


def test_other_sites_cannot_ask(asked: Running) -> None:
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        for path in ("answer?sense=sell.01", "rows?sense=sell.01"):
            answer = asked.ask("GET", f"/find/{path}", Sec_Fetch_Site=site)
            assert answer.status == status
    assert asked.ask("GET", "/find", Sec_Fetch_Site="cross-site").status == 200


def test_a_late_question_is_interrupted(tables: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Query, "condition", ENDLESS, raising=False)
    with running(lisa_allennlp.load(), Limits(time_limit=0.5), tables=tables) as served:
        assert ask(served, lemma="sell").status == 504
        monkeypatch.undo()
        wait_for(lambda: not [t for t in threading.enumerate() if "watch" in t.name])
        assert ask(served, sense="sell.01", polarity="any")["number"] == 5
