"""Limits, headers, request IDs, counting and logging, for all paths of the service."""

import asyncio
import ipaddress
import logging
import re
import time
import uuid
from typing import Any, Awaitable, Collection
from urllib.parse import quote

from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lisa_allennlp.apps.serve import ANY_HOST
from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.apps.serve.logs import ACCESS, REQUEST_ID
from lisa_allennlp.common.json_values import shown

_LOGGER = logging.getLogger(__name__)

WATCHED = ("/health", "/ready", "/metrics")
"""Paths open to every host name, since they reveal no sentences."""

SAVING = ("/sentence", "/lesson")
"""Paths at which a POST changes saved data."""

REQUEST_ID_HEADER = "X-Request-ID"

_WELL_FORMED = re.compile(r"[\w.:=+/-]{1,128}", re.ASCII)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of all answers; files of the page may be kept."""


class Middleware:
    """
    Refuses hosts other than `hosts`, which stops DNS rebinding, and bodies that are too large or no
    JSON, which pages of other origins cannot send unasked. Answers HEAD as GET, and errors in one
    line. Adds `HEADERS` and the ID of the request, which is the client's if it is well-formed.
    Counts and logs; unnamed paths count together.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        metrics: Metrics,
        paths: Collection[str],
        hosts: Collection[str],
    ) -> None:
        self._app = app
        self._hosts = {"localhost", *map(str.lower, hosts)}
        self._max_bytes = max_bytes
        self._metrics = metrics
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, size = time.monotonic(), 499, 0
        headers = Headers(scope=scope)
        request_id = headers.get(REQUEST_ID_HEADER, "")
        if not _WELL_FORMED.fullmatch(request_id):
            request_id = uuid.uuid4().hex
        REQUEST_ID.set(request_id)

        async def counted_receive() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._max_bytes:
                raise HTTPException(413, self._too_large(size))
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = MutableHeaders(scope=message)
                answered.update({**HEADERS, REQUEST_ID_HEADER: request_id})
                if scope["path"].startswith("/static/"):
                    # Kept, and asked for again by its ETag.
                    answered["Cache-Control"] = "no-cache"
            await send(message)

        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        app: Any = self._wrong_host(headers, method, scope["path"])
        if app is None and method == "POST":
            app = self._refusal(headers)
        self._metrics.open_requests.inc()
        try:
            # uvicorn leaves out the body for the method in its own scope.
            inner = {**scope, "method": method}
            await (app or self._app)(inner, counted_receive, send_with_headers)
        except Exception:
            if status != 499:
                raise
            _LOGGER.exception("found an error in the service")
            error = f"found an error in the service; see request {request_id} in its log"
            await JSONResponse({"error": error}, 500)(inner, receive, send_with_headers)
        finally:
            seconds = time.monotonic() - start
            self._metrics.open_requests.dec()
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._metrics.answered(path, status, seconds)
            _log(scope, status, seconds)

    def _wrong_host(self, headers: Headers, method: str, path: str) -> "JSONResponse | None":
        """
        Refuses a request to another host name: a page of another site can only ask by a name of its
        own. Addresses are safe. If every host is allowed, such a page, whose browser sends an
        Origin with each POST, still cannot save.
        """
        found = headers.get("host", "")
        name = re.sub(r":\d*$", "", found).lower()
        saves = method == "POST" and path in SAVING and "origin" in headers
        if path in WATCHED or name in self._hosts or (ANY_HOST in self._hosts and not saves):
            return None
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            error = (
                f"found the Host {shown(found, 80)}; expected an address of this machine or a name "
                "of lisa serve --allow-host NAME"
            )
            _LOGGER.warning("%s: %s", path[:80], error)
            return JSONResponse({"error": error}, 400)
        return None

    def _refusal(self, headers: Headers) -> "JSONResponse | None":
        found = headers.get("content-type", "none").partition(";")[0].strip().lower()
        if found != "application/json":
            expected = "application/json"
            error = f"found the Content-Type {found[:100]}; expected {expected}"
            return JSONResponse({"error": error}, 415)
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length[:20]) > self._max_bytes:
            return JSONResponse({"error": self._too_large(int(length[:20]))}, 413)
        return None

    def _too_large(self, size: int) -> str:
        expected = f"at most {self._max_bytes:,} (lisa serve --max-bytes)"
        return f"found a body of {size:,} bytes or more; expected {expected}"


def _log(scope: Scope, status: int, seconds: float) -> None:
    access = {
        "method": scope["method"],
        "path": quote(scope["path"])[:200],
        "status": status,
        "seconds": round(seconds, 4),
        "client": (scope.get("client") or ("",))[0],
    }
    level = logging.WARNING if status >= 500 else logging.INFO
    if scope["path"] in WATCHED:
        level = logging.DEBUG
    # The query may have words of a corpus, so it is not logged.
    message = "%(method)s %(path)s %(status)d %(seconds).4f s %(client)s"
    ACCESS.log(level, message, access, extra={"access": access})


async def in_time(request: Request, answer: Awaitable[Any], seconds: float) -> Any:
    task = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(request.receive())
    try:
        done, _ = await asyncio.wait(
            (task, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        if task in done:
            return task.result()
        if gone in done:
            raise HTTPException(499, "found a client that has gone; expected it to wait")
        limit = f"{seconds:g} seconds (lisa serve --time-limit)"
        raise HTTPException(504, f"found no answer in {limit}; expected a shorter queue or input")
    finally:
        task.cancel()
        gone.cancel()
