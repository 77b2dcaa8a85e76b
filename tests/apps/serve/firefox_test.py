"""The page of `lisa serve` in Firefox, driven by WebDriver BiDi, which Firefox speaks itself."""

import itertools
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterator, List

import pytest
import websocket

import lisa_allennlp
from tests.apps.serve.chrome import SETTLED
from tests.apps.serve.process import Service, running
from tests.apps.serve.services import wait_for

pytestmark = pytest.mark.slow

WORDS = ["We", "promised", "to", "call", "them", "yesterday", "."]
PROMISED, YESTERDAY = 1, 5
ENTER, LEFT, RIGHT = "\ue007", "\ue012", "\ue014"


class Firefox:
    """A window of Firefox without a screen, at the other end of a web socket."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(
            f"{address}/session", timeout=60, suppress_origin=True
        )
        self._numbers = itertools.count()
        self.send("session.new", capabilities={})
        (window,) = self.send("browsingContext.getTree")["contexts"]
        self.window = {"context": window["context"]}

    def send(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", **self.window, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """Runs the body of a function on the page; the result as JSON."""
        found = self.send(
            "script.evaluate",
            expression=f"JSON.stringify((() => {{ {script} }})())",
            target=self.window,
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, where the focus is."""
        actions = [{"type": t, "value": key} for key in keys for t in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", **self.window, actions=[keyboard])

    def drag(self, start: List[int], end: List[int]) -> None:
        """Drags the mouse from one place in the window to another, in pixels."""
        places = [start, [start[0] + 6, start[1] + 6], end]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 50} for x, y in places]
        moves[1:1] = [{"type": "pointerDown", "button": 0}]
        actions = [*moves, {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.send("input.performActions", **self.window, actions=[mouse])


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    """Without Firefox, the tests that ask for it are skipped."""
    command = shutil.which("firefox-esr") or shutil.which("firefox")
    if command is None:
        pytest.skip("expected firefox-esr or firefox on the PATH")
    arguments = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
    log = tmp_path / "log"
    with open(log, "w") as file:
        process = subprocess.Popen(
            [command, *arguments, "--profile", str(tmp_path)], stdout=file, stderr=file
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


def test_a_typed_text_is_edited_by_mouse_and_keys(firefox: Firefox) -> None:
    lisa = lisa_allennlp.load("english-fast")
    own = list(lisa({"tokens": WORDS}).heads or [])

    def check_roles(head: int) -> None:
        """Expects the roles of the parse in which the last word has another head."""
        heads = [*own[:YESTERDAY], head, *own[YESTERDAY + 1 :]]
        expected = lisa({"tokens": WORDS, "head_indices": heads})
        drawn = (
            f"return document.querySelector('.own[data-dependent=\"{YESTERDAY + 1}\"]')"
            f"?.dataset.head === '{head}'"
        )
        wait_for(lambda: firefox.run(SETTLED) and firefox.run(drawn))
        spans = firefox.run(
            "return [...document.querySelectorAll('.drawing .span')].map(({ dataset: d }) => "
            "[Number(d.predicate), d.role, Number(d.first), Number(d.last)])"
        )
        assert sorted(map(tuple, spans)) == sorted(
            (frame.predicate, span.role, span.first, span.last)
            for frame in expected.frames or []
            for span in frame.roles
        )

    with running(Service("english-fast", "--processes", "0")) as service:
        firefox.open(service.url)
        wait_for(lambda: firefox.run(SETTLED))
        firefox.run("document.querySelector('#text').select()")
        firefox.press(*" ".join(WORDS), ENTER)
        first = "return document.querySelector('.drawing .own .word').textContent"
        wait_for(lambda: firefox.run(first) == WORDS[0])
        check_roles(own[YESTERDAY])
        places = firefox.run(
            "return [...document.querySelectorAll('.drawing .token')].map((word) => "
            "{ const { left, top, width, height } = word.getBoundingClientRect(); "
            "return [left + width / 2, top + height / 2].map(Math.round); })"
        )
        firefox.drag(places[YESTERDAY], places[PROMISED])
        check_roles(PROMISED + 1)
        firefox.run("document.querySelector('.drawing .own.token').focus()")
        firefox.press(*[RIGHT] * YESTERDAY, "h", LEFT, ENTER)
        check_roles(YESTERDAY)
        firefox.press("t", *"jjs", ENTER)
        word = f'.drawing .own[data-token=\\"{YESTERDAY}\\"]'
        tag = f'return document.querySelector("{word} .tag")?.textContent'
        wait_for(lambda: firefox.run(tag) == "JJS")
        assert firefox.run("return document.activeElement.dataset.token") == str(YESTERDAY)
