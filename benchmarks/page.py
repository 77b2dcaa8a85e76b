"""
How long the page of `lisa serve` takes in a real browser (Chromium or Chrome, with chromedriver),
in milliseconds of wall-clock time: from dropping an arc on another word to its roles, from Enter to
the picture of another sentence, both with 20 words, and from opening the page to its first paint
and to its example. Every drag makes another parse, which the service has to label and draw. The
load is that of the machine in the minute before.

    python -m benchmarks.page [--model english] [--drags N] [--json FILE] [--check]
"""

import os
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import List

from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

from benchmarks.common import Report, make_parser
from lisa_allennlp.common.threads import available_cores
from tests.apps.serve.chrome import BROWSERS, DRIVER, SETTLED, find_browser, open_browser
from tests.apps.serve.process import Service, running

TEXT = (
    "The committee that the board appointed last year decided to delay the project because the "
    "costs had risen much."
)
NOUNS = "board council court jury panel senate union company bank family school ministry".split()
"""In place of "committee", for other sentences."""

LENGTH = 20
BAR = 100.0
"""In milliseconds, from the drop or Enter until the picture is on the screen."""

WARM_UP = 5
WIDTH, HEIGHT = 1280, 900

TO_CENTRE = "document.querySelector('.drawing').scrollIntoView({ block: 'center' })"

WATCH = """
window.timed = new Promise((resolve) => {
  let dropped = null;
  const drawing = document.querySelector(".drawing");
  const drop = () => { dropped = performance.now(); };
  addEventListener(arguments[0], drop, { capture: true, once: true });
  const observer = new MutationObserver(() => {
    if (dropped === null || !drawing.querySelector("svg")) return;
    observer.disconnect();
    const changed = performance.now() - dropped;
    requestAnimationFrame(() =>
      setTimeout(() => resolve([changed, performance.now() - dropped])));
  });
  observer.observe(drawing, { childList: true });
});
"""
"""Notes when an event happens, when the picture changes, and when that has been painted."""

WATCH_OPENING = """
window.ready = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".drawing svg")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true });
});
"""
"""Notes when the example of a page that opens has been painted."""

OPENED = """
window.ready.then((ready) => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  arguments[0]([paint.startTime, ready]);
});
"""


def find(browser: Chrome, selector: str):  # type: ignore[no-untyped-def]
    """The first element of a CSS selector."""
    return browser.find_element(By.CSS_SELECTOR, selector)


def settle(browser: Chrome) -> None:
    """Waits until the page shows the answer to the last edit."""
    while not browser.execute_script(SETTLED):
        pass


def times_of_opening(browser: Chrome, url: str, number: int) -> List[List[float]]:
    """Each time the milliseconds until the first paint, and until the example is painted."""
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH_OPENING})
    times = []
    for _ in range(number):
        browser.get("about:blank")
        browser.get(url)
        times.append(browser.execute_async_script(OPENED))
        settle(browser)
    return times


def times_of_enter(browser: Chrome, warm_up: int = 2) -> List[List[float]]:
    """For each sentence the milliseconds from Enter, as `times_of_drags` from the drop."""
    times = []
    for noun in NOUNS:
        find(browser, "#text").clear()
        find(browser, "#text").send_keys(TEXT.replace("committee", noun))
        browser.execute_script(WATCH, "keydown")
        find(browser, "#text").send_keys(Keys.ENTER)
        times.append(browser.execute_async_script("window.timed.then(arguments[0])"))
        settle(browser)
        words = browser.find_elements(By.CSS_SELECTOR, ".drawing .own.token")
        assert len(words) == LENGTH and words[1].text.startswith(noun)
    return times[warm_up:]


def times_of_drags(browser: Chrome, drags: int) -> List[List[float]]:
    """For each drag the milliseconds until the picture is in the page, and until it is painted."""
    find(browser, "#text").clear()
    find(browser, "#text").send_keys(TEXT, Keys.ENTER)
    while "committee" not in find(browser, ".drawing").text:
        pass
    settle(browser)
    words = browser.find_elements(By.CSS_SELECTOR, ".drawing .own.token")
    assert len(words) == LENGTH, f"{len(words)} words; expected {LENGTH}"
    chance = random.Random(1)
    times: List[List[float]] = []
    arcs = browser.find_elements(By.CSS_SELECTOR, ".drawing .own.dependency")
    # Pictures have the high arcs first.
    arcs.sort(key=lambda arc: int(arc.get_attribute("data-dependent") or 0))
    seen = [[int(arc.get_attribute("data-head") or 0) for arc in arcs]]
    while len(times) < drags + WARM_UP:
        token, target = chance.sample(range(LENGTH), 2)
        arc = find(browser, f".drawing .own[data-dependent='{token + 1}']")
        changed = [*seen[-1]]
        changed[token] = target + 1
        if changed in seen:
            # The page keeps the answers for parses that it had before.
            continue
        seen.append(changed)
        word = find(browser, f".drawing .own[data-token='{target}']")
        label = arc.find_element(By.CSS_SELECTOR, ".relation")
        # The page scrolls while something is dragged at an edge of the window.
        browser.execute_script(TO_CENTRE)
        browser.execute_script(WATCH, "pointerup")
        actions = ActionChains(browser).move_to_element(label).click_and_hold()
        actions.move_by_offset(6, 6).move_to_element(word).release().perform()
        times.append(browser.execute_async_script("window.timed.then(arguments[0])"))
        settle(browser)
        shown = find(browser, f".drawing .own[data-dependent='{token + 1}']")
        head = shown.get_attribute("data-head")
        assert head == str(target + 1), f"found head {head}; expected {target + 1}"
    return times[WARM_UP:]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument(
        "--model", action="append", help="repeatable (default: english and english-fast)"
    )
    parser.add_argument("--drags", type=int, default=20, help="(default: %(default)s)")
    # As many as `lisa serve` starts.
    parser.set_defaults(processes=available_cores())
    args = parser.parse_args()
    found = find_browser()
    if found is None:
        print(f"page: expected one of {', '.join(BROWSERS)}, and {DRIVER}, on the PATH")
        return 1
    os.environ.setdefault("OMP_NUM_THREADS", str(args.threads))
    data = f"{args.drags} drags in a sentence of {LENGTH} words, wall-clock time"
    report = Report("page", args, data=data)
    rows: List[List] = []
    for model in args.model or ["english", "english-fast"]:
        with running(Service(model)) as service, tempfile.TemporaryDirectory() as folder:
            with open_browser(*found, Path(folder)) as browser:
                first_paint, ready = zip(*times_of_opening(browser, service.url, 10), strict=True)
                _, entered = zip(*times_of_enter(browser), strict=True)
                changed, painted = zip(*times_of_drags(browser, args.drags), strict=True)
        medians = map(statistics.median, (changed, painted, entered, first_paint, ready))
        rows.append([model, *medians, max(painted), max(entered), os.getloadavg()[0]])
        report.at_most(f"{model}: drop to roles, ms", painted, BAR)
        report.at_most(f"{model}: Enter to picture, ms", entered, BAR)
    measured = ["in the page, ms", "painted, ms", "Enter, ms", "first paint, ms", "example, ms"]
    report.table(["median", *measured, "slowest, ms", "slowest Enter, ms", "load"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
