"""
The time from dropping an arc on another word to its roles on the page of `lisa serve`, for a
sentence of 20 words in a real browser (Chromium or Chrome, with chromedriver), in milliseconds of
wall-clock time. Every drag makes another parse, which the service has to label and draw. The load
is that of the machine in the minute before.

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

from benchmarks.browser import BROWSERS, DRIVER, SETTLED, find_browser, open_browser
from benchmarks.common import Report, make_parser
from benchmarks.service import Service, running
from lisa_allennlp.common.threads import available_cores

TEXT = (
    "The committee that the board appointed last year decided to delay the project because the "
    "costs had risen much."
)
LENGTH = 20
BAR = 100.0
"""In milliseconds, from the drop until the roles are on the screen."""

WARM_UP = 5
WIDTH, HEIGHT = 1280, 900

WATCH = """
window.timed = new Promise((resolve) => {
  let dropped = null;
  const drawing = document.querySelector(".drawing");
  const drop = () => { dropped = performance.now(); };
  addEventListener("pointerup", drop, { capture: true, once: true });
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
"""Notes when a pointer is released, when the picture changes, and when that has been painted."""


def find(browser: Chrome, selector: str):  # type: ignore[no-untyped-def]
    """The first element of a CSS selector."""
    return browser.find_element(By.CSS_SELECTOR, selector)


def settle(browser: Chrome) -> None:
    """Waits until the page shows the answer to the last edit."""
    while not browser.execute_script(SETTLED):
        pass


def times_of_drags(browser: Chrome, url: str, drags: int) -> List[List[float]]:
    """For each drag the milliseconds until the picture is in the page, and until it is painted."""
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(url)
    # The page opens with an example.
    settle(browser)
    find(browser, "#text").clear()
    find(browser, "#text").send_keys(TEXT, Keys.ENTER)
    while len(browser.find_elements(By.CSS_SELECTOR, ".drawing .own.token")) != LENGTH:
        pass
    settle(browser)
    words = browser.find_elements(By.CSS_SELECTOR, ".drawing .own.token")
    assert len(words) == LENGTH, f"{len(words)} words; expected {LENGTH}"
    chance = random.Random(1)
    times: List[List[float]] = []
    arcs = browser.find_elements(By.CSS_SELECTOR, ".drawing .own.dependency")
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
        browser.execute_script(WATCH)
        actions = ActionChains(browser).move_to_element(label).click_and_hold()
        actions.move_by_offset(6, 6).move_to_element(word).release().perform()
        times.append(browser.execute_async_script("window.timed.then(arguments[0])"))
        settle(browser)
        shown = find(browser, f".drawing .own[data-dependent='{token + 1}']")
        head = shown.get_attribute("data-head")
        assert head == str(target + 1), f"found head {head}; expected {target + 1}"
    return times[WARM_UP:]


def main() -> int:
    """Prints the table; returns the exit status."""
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
    report = Report("page", args, needs_corpus=False, data=data)
    rows: List[List] = []
    for model in args.model or ["english", "english-fast"]:
        with running(Service(model)) as service, tempfile.TemporaryDirectory() as folder:
            with open_browser(*found, Path(folder)) as browser:
                times = list(zip(*times_of_drags(browser, service.url, args.drags), strict=True))
        painted = times[-1]
        rows.append([model, *map(statistics.median, times), max(painted), os.getloadavg()[0]])
        report.at_most(f"{model}: drop to roles, ms", painted, BAR)
    report.table(["median of drags", "in the page, ms", "painted, ms", "slowest, ms", "load"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
