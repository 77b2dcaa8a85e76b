"""
A real browser and a running `lisa serve`, for what is measured and tested on its page.

    >>> "--headless=new" in browser_options("chromium", Path("profile")).arguments
    True
"""

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Optional, Tuple

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DRIVER = "chromedriver"
_PATIENCE = 120
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


def browser_options(browser: str, folder: Path) -> ChromeOptions:
    """The options of a browser with an empty profile, which asks no host on its own."""
    options = ChromeOptions()
    options.binary_location = browser
    for argument in (*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(argument)
    downloads = {"download.default_directory": str(folder / "downloads")}
    options.add_experimental_option("prefs", downloads)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options


@contextmanager
def open_browser(browser: str, driver: str, folder: Path) -> Iterator[Chrome]:
    """Starts a browser, with its profile and its downloads in a folder, and ends it."""
    options = browser_options(browser, folder)
    chrome = Chrome(options=options, service=ChromeService(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


class Service:
    """
    `lisa serve` on a free port, on which it can be started again.

    # Parameters

    model, *options : `str`
        As for `lisa serve`.
    """

    def __init__(self, model: str, *options: str) -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"
        command = ["lisa_allennlp", "serve", model, "--port", str(port), *options]
        self._command = [sys.executable, "-m", *command]
        self._process: Optional[subprocess.Popen] = None

    def start(self) -> None:
        """
        # Raises

        `RuntimeError`
            If it answers nothing within two minutes.
        """
        self._process = subprocess.Popen(self._command)
        end = time.monotonic() + _PATIENCE
        while self._process.poll() is None and time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.url}info", timeout=5) as answer:
                    json.load(answer)
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"found no answer at {self.url}; expected `lisa serve`")

    def stop(self) -> None:
        """Ends it as SIGTERM does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_PATIENCE)
            self._process = None


@contextmanager
def running(service: Service) -> Iterator[Service]:
    """Starts a service, and ends it."""
    try:
        service.start()
        yield service
    finally:
        service.stop()
