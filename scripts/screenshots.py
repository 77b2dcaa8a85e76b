"""
Takes the pictures of the page of `lisa serve` in docs/images. It needs Chromium or Chrome, with
chromedriver. The last ones tell of two people, Ann and Ben, who have corrected the same sentences.

    python -m scripts.screenshots
"""

import io
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Dict

from PIL import Image
from selenium.webdriver import ActionChains, Chrome

import lisa_allennlp
from tests.apps.serve.browser import set_screen
from tests.apps.serve.chrome import find_browser, open_browser
from tests.apps.serve.page_driver import Page
from tests.apps.serve.process import Service, running

IMAGES = Path(__file__).parents[1] / "docs/images"
COLOURS = 96

SENTENCES = [
    "She sold him the car that he had wanted .",
    "They raised the flag on Monday .",
    "The senator saw the man with the telescope .",
    "The company said on Monday that it would buy back its shares .",
    "He raised three children .",
    "It rained all day .",
    "He put the keys he had found on the table .",
    "She raised two sons alone .",
]
SENATOR = 2
SAW, MAN, TELESCOPE = 2, 4, 7


def save(browser: Chrome, name: str) -> None:
    """Writes what the window shows, with few colours."""
    browser.execute_script("document.activeElement.blur()")
    # New spans appear slowly.
    time.sleep(0.5)
    picture = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    picture.quantize(COLOURS).save(IMAGES / name, optimize=True)


def edited(browser: Chrome, url: str) -> None:
    """The example with an arc dragged to another word, on a laptop and on a phone."""
    page = Page(browser, url)
    for name, width, height, theme in (
        ("page.png", 1280, 860, "light"),
        ("page_phone.png", 360, 740, "dark"),
    ):
        set_screen(browser, width, height, theme)
        page.open()
        page.settle()
        page.run("document.querySelector('.drawing').scrollIntoView()")
        page.word(5).click()
        page.choose("head", "2")
        if theme == "light":
            page.run("scrollTo(0, 0)")
        save(browser, name)


def corrected(browser: Chrome, folder: Path) -> None:
    """A corrected roleset, which other sentences may need, too."""
    corpus = folder / "notes.jsonl"
    corpus.write_text("".join(json.dumps({"tokens": s.split()}) + "\n" for s in SENTENCES))
    options = ["--corpus", str(corpus), "--save", str(folder / "saved")]
    with running(Service("english", *options)) as service:
        set_screen(browser, 1200, 1040)
        page = Page(browser, service.url)
        for number in ("#1", "#3"):
            page.open(number)
            page.settle()
            page.button("Accept").click()
            page.wait(lambda: page.find(".saving").text == "Saved.", "that it is saved")
        page.open("#5")
        page.settle()
        page.word(1).click()
        page.choose("sense", "raise.03")
        page.wait(lambda: page.find(".alike summary").is_displayed(), "the offer")
        page.find(".alike summary").click()
        page.find(".alike input").click()
        page.wait(lambda: page.find(".saving").text == "Saved.", "that it is saved")
        save(browser, "correcting.png")
        browser.get("about:blank")


def record(number: int, answer: Any, **corrections: Any) -> str:
    found: Dict[str, Any] = {"number": number, "accepted": True, **corrections}
    return json.dumps({**answer.to_dict(), "corrections": found}) + "\n"


def adjudicated(browser: Chrome, folder: Path) -> None:
    """Ann hangs the telescope on "saw", Ben on "man"."""
    lisa = lisa_allennlp.load("english")
    for name, head in (("ann", SAW), ("ben", MAN)):
        (folder / name).mkdir()
        lines = [record(n, lisa({"tokens": s.split()})) for n, s in enumerate(SENTENCES, start=1)]
        heads = lisa({"tokens": SENTENCES[SENATOR].split()}).to_dict()["predicted_heads"]
        heads[TELESCOPE] = head + 1
        asked: Dict[str, Any] = {"tokens": SENTENCES[SENATOR].split(), "head_indices": heads}
        spans = [["ARG1", 3, 4], ["ARGM-MNR", 5, 7]] if head == SAW else [["ARG1", 3, 7]]
        asked["given_roles"] = [{"index": SAW, "spans": spans}]
        lines[SENATOR] = record(SENATOR + 1, lisa(asked), heads={str(TELESCOPE): head + 1})
        (folder / name / "notes.corrections.jsonl").write_text("".join(lines))
    people = [str(folder / name) for name in ("ann", "ben")]
    options = ["--adjudicate", *people, "--save", str(folder / "agreed")]
    with running(Service("english", *options)) as service:
        set_screen(browser, 1200, 900)
        page = Page(browser, service.url)
        page.open()
        page.settle()
        row = page.all(".adjudication li")[0]
        row.find_elements("tag name", "button")[1].click()
        page.settle()
        page.run("document.activeElement.blur()")
        ActionChains(browser).move_to_element(page.find("h1")).perform()
        page.wait(lambda: page.find(".saving").text == "Saved.", "that it is saved")
        save(browser, "adjudicating.png")
        browser.get("about:blank")


def main() -> None:
    found = find_browser()
    assert found is not None, "expected Chromium or Chrome, and chromedriver"
    with tempfile.TemporaryDirectory() as folder, open_browser(*found, Path(folder)) as browser:
        with running(Service("english")) as service:
            edited(browser, service.url)
            browser.get("about:blank")
        corrected(browser, Path(folder))
        adjudicated(browser, Path(folder))


if __name__ == "__main__":
    main()
