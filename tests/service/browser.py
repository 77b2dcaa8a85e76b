"""A real browser for the tests of the page: Chromium or Chrome, driven by Selenium."""

import shutil
from pathlib import Path
from typing import Any, Iterator

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
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


def start_browser(folder: Path) -> Iterator[Chrome]:
    """
    Starts a browser with an empty profile, and ends it. Its downloads go to `folder/downloads`.
    Without a browser and its driver, the tests that ask for it are skipped.
    """
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if found is None or driver is None:
        pytest.skip("expected Chromium or Chrome, and chromedriver, on the PATH")
    options = ChromeOptions()
    options.binary_location = found
    for argument in (*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(argument)
    options.add_experimental_option(
        "prefs", {"download.default_directory": str(folder / "downloads")}
    )
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=ChromeService(driver))
    browser.set_script_timeout(20)
    try:
        yield browser
    finally:
        browser.quit()


def set_screen(browser: Chrome, width: int, height: int = 900, theme: str = "light") -> None:
    """Sets the size of the window, and the theme of the system. Narrow screens are phones."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width < 500})
    features = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def problems(browser: Chrome) -> list[Any]:
    """The errors that the browser has logged since the last call, such as those of scripts."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
