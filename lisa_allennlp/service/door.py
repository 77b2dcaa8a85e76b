"""
Admits requests to the service, whatever their path: checks their origin, size and type, reads their
bodies, adds the same headers to all answers, and turns errors into JSON.

    >>> door = Door(None, Origins(8000), Limits(), Metrics())
    >>> door.stop()
    >>> door.is_idle
    True
"""

import asyncio
import logging
import time
from typing import Any, Awaitable, Callable, Dict, List, Mapping, MutableMapping, Optional, Tuple

from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.limits import Limits
from lisa_allennlp.service.metrics import Metrics
from lisa_allennlp.service.origins import Origins

logger = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
"""The headers of answers in JSON."""

SECURITY_HEADERS = {
    **JSON_HEADERS,
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of answers that browsers may show."""

OPEN_PATHS = ("/health", "/metrics")
"""The paths that are answered while the service stops."""

MOST_DISCARDED = 8
"""How much of a refused request is received, as a multiple of the largest body."""

SECONDS_TO_DISCARD = 2.0

Headers = List[Tuple[bytes, bytes]]


def _raw(headers: Mapping[str, str]) -> Headers:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


_OF_JSON, _OF_OTHERS = _raw(JSON_HEADERS), _raw(SECURITY_HEADERS)
_ARRIVAL = "lisa_arrival"


class Door:
    """
    ASGI middleware.

    # Parameters

    app : `Any`
        The application behind the door.
    origins : `Origins`
    limits : `Limits`
    metrics : `Metrics`
    paths : `Tuple[str, ...]`, optional
        The paths that metrics name. The others count together.
    """

    def __init__(
        self,
        app: Any,
        origins: Origins,
        limits: Limits,
        metrics: Metrics,
        paths: Tuple[str, ...] = (),
    ) -> None:
        self._app = app
        self.origins = origins
        self._limits = limits
        self._metrics = metrics
        self._paths = paths
        self._held_bytes = 0
        self._taken = 0
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether new requests are refused."""
        return self._is_stopping

    @property
    def is_idle(self) -> bool:
        """Whether all requests that were taken have been answered."""
        return not self._taken

    def stop(self) -> None:
        """Refuses requests from now on, but answers those that were taken."""
        self._is_stopping = True

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, send)
        try:
            await self._answer(visit, receive)
        except RequestError as refusal:
            if refusal.status != 408:
                await self._discard(visit, receive)
            await visit.send_error(refusal)
        except Exception:
            logger.exception("an error of the service, for a request to %s", self._path(visit))
            await visit.send_error(RequestError(500, "found an error in the service; see its log"))
        finally:
            seconds = time.monotonic() - visit.start
            self._metrics.answered(self._path(visit), visit.status, seconds)

    def _path(self, visit: "_Visit") -> str:
        path = visit.scope["path"]
        return path if path in self._paths else "other"

    async def _answer(self, visit: "_Visit", receive: Receive) -> None:
        self._check_headers(visit)
        is_open = visit.scope["path"] in OPEN_PATHS
        if self._is_stopping and not is_open:
            raise RequestError(503, "found a service that is stopping; expected a running one", 5)
        self._taken += not is_open
        self._metrics.open_requests.inc()
        body: List[bytes] = []
        try:
            if visit.scope["method"] == "POST":
                await self._read(visit, receive, body)
            await self._app(visit.scope, _replay(b"".join(body), receive), visit.send)
        finally:
            self._held_bytes -= sum(map(len, body))
            self._taken -= not is_open
            self._metrics.open_requests.dec()

    def _check_headers(self, visit: "_Visit") -> None:
        host, origin = visit.header("host"), visit.header("origin")
        self.origins.check(host, origin)
        if visit.scope["method"] != "POST":
            return
        content_type = (visit.header("content-type") or "").partition(";")[0].strip().lower()
        if content_type != "application/json":
            found = content_type[:100] or "none"
            raise RequestError(415, f"found the Content-Type {found}; expected application/json")
        encoding = visit.header("content-encoding")
        if encoding not in (None, "", "identity"):
            raise RequestError(415, f"found the Content-Encoding {encoding[:100]}; expected none")
        length = visit.header("content-length")
        if length is not None and length.isdigit():
            self._check_size(int(length[:20]))

    def _check_size(self, size: int) -> None:
        if size > self._limits.max_bytes:
            expected = f"at most {self._limits.max_bytes:,} (lisa serve --max-bytes)"
            raise RequestError(413, f"found a body of {size:,} bytes or more; expected {expected}")

    async def _read(self, visit: "_Visit", receive: Receive, body: List[bytes]) -> None:
        """Adds the parts of the body to a list, in the time that a sender has."""
        size = 0
        deadline = time.monotonic() + self._limits.sender_time
        while True:
            try:
                left = deadline - time.monotonic()
                message = await asyncio.wait_for(receive(), max(0.0, left))
            except asyncio.TimeoutError as error:
                seconds = f"{self._limits.sender_time:g} seconds"
                raise RequestError(
                    408, f"found {size:,} bytes of a body after {seconds}; expected all of it"
                ) from error
            if message["type"] == "http.disconnect":
                raise RequestError(400, "found a part of a body; expected all of it")
            part = message.get("body", b"")
            size += len(part)
            self._check_size(size)
            self._held_bytes += len(part)
            body.append(part)
            if self._held_bytes > self._limits.max_held_bytes:
                raise RequestError(429, "found too many bodies at once; expected fewer", 1)
            if not message.get("more_body", False):
                visit.is_read = True
                return

    async def _discard(self, visit: "_Visit", receive: Receive) -> None:
        """
        Receives the rest of a body of moderate size: most clients read no answer before they have
        sent everything, and a connection that is closed too early loses the answer.
        """
        if visit.is_read or visit.header("expect") is not None:
            return
        left = MOST_DISCARDED * self._limits.max_bytes
        deadline = time.monotonic() + SECONDS_TO_DISCARD
        while left > 0:
            try:
                message = await asyncio.wait_for(receive(), deadline - time.monotonic())
            except asyncio.TimeoutError:
                return
            left -= len(message.get("body", b""))
            if not message.get("more_body", False):
                return


class _Visit:
    """A request and what is sent to it."""

    def __init__(self, scope: Message, send: Send) -> None:
        self.scope = scope
        self.start = time.monotonic()
        self.scope[_ARRIVAL] = self.start
        self.status = 499
        self._has_started = False
        self._send = send
        self._headers: Dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1")
            self._headers[key] = value.decode("latin-1")
        self.is_read = not self._headers.keys() & {"content-length", "transfer-encoding"}

    def header(self, name: str) -> Optional[str]:
        """A header of the request."""
        return self._headers.get(name)

    async def send(self, message: Message) -> None:
        """Sends a part of the answer."""
        if message["type"] == "http.response.start":
            self._has_started = True
            self.status = message["status"]
            given: Headers = list(message.get("headers", []))
            is_json = (b"content-type", b"application/json") in given
            given += _OF_JSON if is_json else _OF_OTHERS
            if not self.is_read:
                given.append((b"connection", b"close"))
            message = {**message, "headers": given}
        await self._send(message)

    async def send_error(self, refusal: RequestError) -> None:
        """Sends an error, unless an answer has begun."""
        if self._has_started:
            return
        body = refusal.body
        described = {"content-type": "application/json", "content-length": str(len(body))}
        raw = _raw({**described, **refusal.headers})
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": raw})
        await self.send({"type": "http.response.body", "body": body})


def _replay(body: bytes, receive: Receive) -> Receive:
    """Receives a body that was read already, and then what comes after it."""
    bodies = [body]

    async def again() -> Message:
        if bodies:
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}
        return await receive()

    return again


def seconds_left(scope: Message, time_limit: float) -> float:
    """
    The rest of a request's time.

    >>> round(seconds_left({_ARRIVAL: time.monotonic() - 2}, 5), 1)
    3.0
    """
    return max(0.0, scope[_ARRIVAL] + time_limit - time.monotonic())
