"""
HTTP connections that end when their clients are too slow to send headers or to read an answer.
uvicorn itself waits for both without a limit.

    >>> error_bytes(408, "found no headers")
    b'HTTP/1.1 408 Request Timeout\\r\\ncontent-type: application/json\\r\\n...{"error": "found ...
"""

import asyncio
from http import HTTPStatus
from typing import Any, Optional, Type

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.limits import Limits

MOST_HEADERS = 32_768
"""The largest size of a request's headers, in bytes."""


def error_bytes(status: int, message: str) -> bytes:
    """A whole answer with an error, after which the connection is closed."""
    body = RequestError(status, message).body
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        "x-content-type-options: nosniff",
        "connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def protocol_class(limits: Limits) -> Type[H11Protocol]:
    """The class of the connections of a service with these limits."""
    return type("Connection", (_Connection,), {"limits": limits})


class _Connection(H11Protocol):
    """A connection of uvicorn's with time limits."""

    limits: Limits
    _of_headers: Optional[asyncio.TimerHandle] = None
    _of_reader: Optional[asyncio.TimerHandle] = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.limits.max_connections:
            transport.abort()
        else:
            self._expect_headers()

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._got_headers()
        self._reads_again()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_headers()
        else:
            self._got_headers()

    def pause_writing(self) -> None:
        """Called when the client does not read what is sent."""
        super().pause_writing()
        self._of_reader = self.loop.call_later(self.limits.sender_time, self.transport.abort)

    def resume_writing(self) -> None:
        """Called when the client reads again."""
        self._reads_again()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Called for what is no HTTP."""
        expected = f"one with headers of at most {MOST_HEADERS:,} bytes"
        self._end(400, f"found no valid HTTP request; expected {expected}")

    def _expect_headers(self) -> None:
        if self._of_headers is None:
            self._of_headers = self.loop.call_later(self.limits.sender_time, self._is_too_slow)

    def _got_headers(self) -> None:
        if self._of_headers is not None:
            self._of_headers.cancel()
            self._of_headers = None

    def _reads_again(self) -> None:
        if self._of_reader is not None:
            self._of_reader.cancel()
            self._of_reader = None

    def _is_too_slow(self) -> None:
        seconds = f"{self.limits.sender_time:g} seconds"
        self._end(408, f"found incomplete headers after {seconds}; expected all of them")

    def _end(self, status: int, message: str) -> None:
        if not self.transport.is_closing():
            self.transport.write(error_bytes(status, message))
            self.transport.close()
