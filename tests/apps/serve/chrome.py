"""A real browser, for tests and benchmarks of the page of `lisa serve`."""

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Optional, Tuple

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DRIVER = "chromedriver"

SETTLED = (
    "return !document.querySelector('[aria-busy]') && document.querySelector('.drawing svg') "
    "!== null"
)
"""Whether the page shows the answer to the last edit, in JavaScript."""

_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def find_browser() -> Optional[Tuple[str, str]]:
    """The paths of Chromium or Chrome and of its driver; `None` if one of them is missing."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which(DRIVER)
    return None if browser is None or driver is None else (browser, driver)


@contextmanager
def open_browser(browser: str, driver: str, folder: Path) -> Iterator[Chrome]:
    """
    Starts a browser, with an empty profile and its downloads in a folder, and ends it. It asks no
    host on its own.
    """
    options = ChromeOptions()
    options.binary_location = browser
    for argument in (*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(argument)
    downloads = {"download.default_directory": str(folder / "downloads")}
    options.add_experimental_option("prefs", downloads)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = Chrome(options=options, service=ChromeService(driver))
    try:
        yield chrome
    finally:
        chrome.quit()
