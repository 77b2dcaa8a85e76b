"""What the door lets in, without sockets: bodies in parts of any size, slow ones, and the end."""

import asyncio
import json
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.service.door import Door
from lisa_allennlp.service.limits import Limits
from lisa_allennlp.service.metrics import Metrics
from lisa_allennlp.service.origins import Origins

MAX_BYTES = 50
HEADERS = {"host": "localhost:8000", "content-type": "application/json"}


class Echo:
    """An application that sends the body back, when it may."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.bodies: List[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        self.bodies.append(message["body"])
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": message["body"]})


async def ask(
    door: Door,
    parts: Sequence[Optional[bytes]],
    method: str = "POST",
    path: str = "/label",
    **headers: str,
) -> Tuple[int, Dict[str, str], bytes]:
    """Sends parts of a body; after the part `None`, the client sends nothing more."""
    sent: List[Any] = []
    waiting = list(parts)

    async def receive() -> Dict[str, Any]:
        if not waiting:
            return {"type": "http.disconnect"}
        part = waiting.pop(0)
        if part is None:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": part, "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    named = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    if method == "POST":
        named.setdefault("transfer-encoding", "chunked")
    raw = [(name.encode(), value.encode()) for name, value in named.items() if value]
    await door({"type": "http", "method": method, "path": path, "headers": raw}, receive, send)
    start, body = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], found, body["body"]


def make_door(app: Any, **limits: Any) -> Door:
    options: Dict[str, Any] = {"max_bytes": MAX_BYTES, "sender_time": 0.05, **limits}
    return Door(app, Origins(8000), Limits(**options), Metrics(), ("/label",))


def answer_to(
    parts: Sequence[Optional[bytes]], **options: str
) -> Tuple[int, Dict[str, str], bytes]:
    async def run() -> Tuple[int, Dict[str, str], bytes]:
        echo = Echo()
        echo.may_answer.set()
        door = make_door(echo)
        answer = await ask(door, parts, **options)
        assert door.is_idle and door._held_bytes == 0
        assert len(echo.bodies) == (answer[0] == 200)
        return answer

    return asyncio.run(run())


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=6))
def test_bodies_of_all_sizes_in_parts_of_all_sizes(parts: List[bytes]):
    status, _, body = answer_to(parts)
    whole = b"".join(parts)
    if len(whole) <= MAX_BYTES:
        assert (status, body) == (200, whole)
    else:
        assert status == 413
        assert "expected at most 50 (lisa serve --max-bytes)" in json.loads(body)["error"]


def test_a_declared_length_is_refused_at_once():
    status, headers, body = answer_to([None], content_length="51", expect="100-continue")
    assert (status, headers["connection"]) == (413, "close")
    assert "found a body of 51 bytes" in json.loads(body)["error"]


def test_a_slow_body():
    status, _, body = answer_to([b"abc", None, b"d"])
    assert status == 408
    assert json.loads(body)["error"].startswith("found 3 bytes of a body after 0.05 seconds")


@pytest.mark.parametrize(
    "headers, status, message",
    [
        ({"content_type": "text/plain"}, 415, "the Content-Type text/plain; expected application"),
        ({"content_type": ""}, 415, "the Content-Type none"),
        ({"content_encoding": "gzip"}, 415, "the Content-Encoding gzip"),
        ({"host": "evil.example"}, 403, "the Host evil.example"),
        ({"host": ""}, 403, "the Host .none."),
        ({"origin": "https://evil.example"}, 403, "the Origin https://evil.example"),
        ({"origin": "null"}, 403, "the Origin null"),
    ],
)
def test_headers(headers: Dict[str, str], status: int, message: str):
    found, _, body = answer_to([b"{}"], **headers)
    assert found == status
    (error,) = json.loads(body).values()
    assert message.replace(".none.", "(none)") in error


def test_content_types_with_parameters():
    assert answer_to([b"{}"], content_type="Application/JSON; charset=utf-8")[0] == 200


def test_stopping_answers_what_was_taken():
    async def run() -> None:
        echo = Echo()
        door = make_door(echo)
        taken = asyncio.ensure_future(ask(door, [b"taken"]))
        while not echo.bodies:
            await asyncio.sleep(0)
        door.stop()
        assert door.is_stopping and not door.is_idle
        status, headers, _ = await ask(door, [b"late"])
        assert (status, headers["retry-after"]) == (503, "5")
        assert echo.bodies == [b"taken"]
        echo.may_answer.set()
        assert (await ask(door, [b""], method="GET", path="/health"))[0] == 200
        assert (await taken)[::2] == (200, b"taken")
        assert door.is_idle

    asyncio.run(run())


def test_bodies_that_fill_the_memory_are_refused():
    async def run() -> None:
        echo = Echo()
        door = make_door(echo)
        full = b"x" * MAX_BYTES
        held = [asyncio.ensure_future(ask(door, [full])) for _ in range(64)]
        while len(echo.bodies) < 64:
            await asyncio.sleep(0)
        status, headers, _ = await ask(door, [b"x"])
        assert (status, headers["retry-after"]) == (429, "1")
        echo.may_answer.set()
        assert {(await task)[0] for task in held} == {200}
        assert (await ask(door, [b"x"]))[0] == 200

    asyncio.run(run())


def test_an_error_of_the_service_is_one_line(caplog: pytest.LogCaptureFixture):
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise KeyError("secret")

    status, _, body = asyncio.run(ask(make_door(broken), [b"{}"]))
    assert (status, json.loads(body)) == (
        500,
        {"error": "found an error in the service; see its log"},
    )
    assert "secret" in caplog.text
