"""A service with an untrained model, and clients of it, for tests."""

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional, Sequence

import pytest

from lisa_allennlp.apps.find import Corpus as Tables
from lisa_allennlp.apps.serve import DEFAULTS, Limits
from lisa_allennlp.apps.serve.app import app_of
from lisa_allennlp.apps.serve.corpus import Corpus
from lisa_allennlp.apps.serve.labelling import LabellingService
from lisa_allennlp.apps.serve.running import make_server, open_socket
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller

TEXT = "She sold him the car."


class Answer(NamedTuple):
    status: int
    headers: Dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        assert self.headers["content-type"] == "application/json"
        (key,) = self.json
        assert key == "error" and "\n" not in self.json[key]
        return self.json[key]


def wait_for(condition: Callable[[], Any]) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("found no change in 30 seconds")


class Running(NamedTuple):
    port: int

    def ask(self, method: str, path: str, body: Optional[Any] = None, **headers: str) -> Answer:
        """Sends bytes, or anything else as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if sent is not None:
            named = {"Content-Type": "application/json", **named}
        try:
            connection.request(method, path, sent, named)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()

    def label(self, content: Any, query: str = "") -> Answer:
        return self.ask("POST", f"/label{query}", content)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def metric(self, name: str) -> float:
        lines = self.ask("GET", "/metrics").body.decode().splitlines()
        values = [line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")]
        return float(values[0])


def assert_close(found: Any, expected: Any) -> None:
    """Equal, up to the last digits that batches of other sizes change."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            assert_close(found[key], expected[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=2e-4)
    else:
        assert found == expected


def request_bytes(body: bytes, port: int, length: str = "") -> bytes:
    """A request to `/label`, by default with the length of its body."""
    lines = [
        "POST /label HTTP/1.1",
        f"Host: localhost:{port}",
        "Content-Type: application/json",
        length or f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


@contextmanager
def running(
    labeller: Labeller,
    limits: Limits = DEFAULTS,
    corpus: Optional[Corpus] = None,
    tables: Optional[Tables] = None,
    hosts: Sequence[str] = (),
    page: bool = True,
) -> Iterator[Running]:
    listener = open_socket("127.0.0.1", 0)
    port = listener.getsockname()[1]
    service = LabellingService(labeller, limits, 0)
    server = make_server(app_of(service, hosts, corpus, tables, page), limits)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield Running(port)
    finally:
        server.should_exit = True
        thread.join()
        service.close()


@pytest.fixture(scope="session")
def tiny(archives: Dict[str, Path]) -> Labeller:
    """An untrained LISA."""
    return load_labeller(archives["lisa"])


@pytest.fixture(scope="module")
def served(tiny: Labeller) -> Iterator[Running]:
    """A service with short limits."""
    with running(tiny, Limits(max_bytes=20_000, max_words=40, max_sentences=50)) as found:
        yield found
