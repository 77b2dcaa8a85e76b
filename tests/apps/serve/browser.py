"""A real browser for the tests of the page: Chromium or Chrome, driven by Selenium."""

import importlib.metadata
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from selenium.webdriver import Chrome

from tests.apps.serve.chrome import BROWSERS, DRIVER, find_browser, open_browser


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def browser(folder: Path) -> Iterator[Chrome]:
    """Without a browser and its driver, the tests that ask for it are skipped."""
    found = find_browser()
    if found is None:
        pytest.skip(f"expected one of {', '.join(BROWSERS)}, and {DRIVER}, on the PATH")
    with open_browser(*found, folder) as browser:
        browser.set_script_timeout(20)
        yield browser


def set_screen(browser: Chrome, width: int, height: int = 900, theme: str = "light") -> None:
    """
    Sets the size of the window, and the theme of the system. Narrow screens are phones. Nothing
    moves on its own, because pictures that move take most of a browser's time.
    """
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width < 500})
    preferred = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in preferred.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def problems(browser: Chrome) -> List[Any]:
    """The errors that the browser has logged since the last call, such as those of scripts."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def barriers(browser: Chrome) -> List[Any]:
    """
    What axe, a checker of accessibility, finds wrong on the page: the rules and the elements. Of
    its package, which is for another driver, only the script is used.
    """
    if not browser.execute_script("return window.axe !== undefined"):
        files = importlib.metadata.files("axe-playwright-python") or []
        script = next(file for file in files if file.name == "axe.min.js")
        browser.execute_script(script.read_text())
    return browser.execute_async_script(
        """
        const [done] = arguments;
        // Experimental: what is seen of a control is part of its name.
        const rules = { "label-content-name-mismatch": { enabled: true } };
        axe.run(document, { rules }).then(({ violations }) => done(violations.map(
          ({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))])));
        """
    )
