"""Firefox for the tests of the page, driven by WebDriver BiDi, which Firefox speaks itself."""

import itertools
import json
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

import pytest
import websocket

from tests.apps.serve.page_driver import Page
from tests.apps.serve.services import wait_for


class Firefox:
    """A window of Firefox without a screen, at the other end of a web socket."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(
            f"{address}/session", timeout=60, suppress_origin=True
        )
        self._numbers = itertools.count()
        self.send("session.new", capabilities={})
        # Without a screen, the first window never has the focus.
        window = self.send("browsingContext.create", type="window")
        self.window = {"context": window["context"]}

    def send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    @property
    def current_url(self) -> str:
        return self.execute_script("return location.href")

    def get(self, url: str) -> None:
        self.send("browsingContext.navigate", **self.window, url=url, wait="complete")

    def execute_script(self, script: str, *arguments: Any) -> Any:
        """Runs the body of a function on the page; the result as JSON."""
        call = f"(function () {{ {script} }}).apply(null, {json.dumps(arguments)})"
        found = self.send(
            "script.evaluate",
            expression=f"JSON.stringify({call} ?? null)",
            target=self.window,
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])


class FirefoxPage(Page):
    """The page by its keys and texts; elements are Selenium's."""

    def press(self, *keys: str) -> None:
        downs = [{"type": "keyDown", "value": key} for key in keys]
        ups = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        keyboard = {"type": "key", "id": "keyboard", "actions": [*downs, *ups]}
        self.browser.send("input.performActions", **self.browser.window, actions=[keyboard])


@contextmanager
def open_firefox(folder: Path) -> Iterator[Firefox]:
    """Without Firefox, the tests that ask for it are skipped."""
    command = shutil.which("firefox-esr") or shutil.which("firefox")
    if command is None:
        pytest.skip("expected firefox-esr or firefox on the PATH")
    arguments = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
    log = folder / "log"
    with open(log, "w") as file:
        process = subprocess.Popen(
            [command, *arguments, "--profile", str(folder)], stdout=file, stderr=file
        )
    try:
        pattern = r"WebDriver BiDi listening on (ws://\S+)"
        wait_for(lambda: re.search(pattern, log.read_text()))
        found = re.search(pattern, log.read_text())
        assert found
        yield Firefox(found[1])
    finally:
        process.kill()
        process.wait()
