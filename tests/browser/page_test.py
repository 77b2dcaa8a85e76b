"""The page in browser/, in a real browser, with a labeller that answers at once."""

import shutil
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests import ROOT
from tests.service.browser import browser, files_of, folder, problems, set_screen  # noqa: F401

pytestmark = pytest.mark.medium

LABELLER = """
export class Labeller {
  static async open(read) {
    await read("words.onnx");
    return new Labeller();
  }
  async label(text, progress) {
    if (text.includes("!")) throw new Error("no");
    const sentences = text.split(". ").map((one) => one.split(" "));
    const answers = sentences.map((words) => ({ words, pos: words, verbs: [] }));
    for (const number of answers.keys()) {
      await progress(number + 1, answers.length);
      const { value, max, hidden } = document.querySelector("progress");
      (window.seen ??= []).push([value, max, hidden]);
    }
    return answers;
  }
}
"""


def test_enter_labels_and_progress_is_shown(browser: Chrome, tmp_path: Path) -> None:  # noqa: F811
    for name in ("index.html", "page.js"):
        shutil.copy(ROOT / "browser" / name, tmp_path)
    (tmp_path / "labeller.js").write_text(LABELLER)
    (tmp_path / "ort.wasm.bundle.min.mjs").write_text("export const env = { wasm: {} };")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "words.onnx").write_bytes(bytes(1000))
    with files_of(tmp_path) as address:
        set_screen(browser, 360, theme="dark")
        problems(browser)
        browser.get(f"{address}/")

        def find(selector: str) -> WebElement:
            return browser.find_element(By.CSS_SELECTOR, selector)

        def wait_for(text: str) -> None:
            WebDriverWait(browser, 20).until(lambda _: text in find("#status").text)

        wait_for("The model was loaded")
        dark = browser.execute_script("return getComputedStyle(document.body).color")
        assert dark == "rgb(255, 255, 255)" and not find("progress").is_displayed()
        find("#text").clear()
        find("#text").send_keys(
            "One two", Keys.SHIFT, Keys.ENTER, Keys.SHIFT, "three. Four", Keys.ENTER
        )
        wait_for("words in")
        assert browser.execute_script("return window.seen") == [[1, 2, False], [2, 2, True]]
        assert [
            len(t.find_elements(By.TAG_NAME, "tr"))
            for t in browser.find_elements(By.TAG_NAME, "tbody")
        ] == [2, 1]
        find("#text").send_keys("!", Keys.ENTER)
        wait_for("could not be labelled: no")
        assert find("button").is_enabled() and problems(browser) == []
