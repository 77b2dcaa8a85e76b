"""Takes the socket and the folder of the service, and runs it with uvicorn until it has to end."""

import asyncio
import os
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import uvicorn
from fastapi import FastAPI
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lisa_allennlp.apps.serve import Limits
from lisa_allennlp.common.errors import ConfigurationError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

KEEP_ALIVE_SECONDS = 30

MOST_HEADERS = 32_768

LOCK = ".lisa-serve.lock"


def open_socket(host: str, port: int) -> socket.socket:
    """
    Opens a socket at a host and a port (0 for a free one). It listens already, so that clients need
    not wait until the service is ready.
    """
    if not 0 <= port <= 65_535:
        raise ConfigurationError(f"--port is {port}; expected 1 to 65535, or 0 for a free port")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=1024)
        # Otherwise an answer waits 40 ms for the client's receipt of its headers.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"found --host {host} and --port {port} ({reason}); expected an address of this "
            "machine and a free port"
        ) from error


def hold_folder(folder: Path) -> None:
    """
    Makes the folder to save to, and locks a file in it until this process ends in any way. Raises a
    `ConfigurationError` if another process holds the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    file = os.open(folder / LOCK, flags, 0o666)
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            # Whoever may write to the folder may lock it, despite the umask of its first user.
            with suppress(PermissionError):
                os.fchmod(file, folder.stat().st_mode & 0o666)
            # Forked processes, which may outlive this one, do not inherit it as they do `flock`.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ConfigurationError(
            f"--save: found that {folder} cannot be locked ({error.strerror}); expected no other "
            "lisa serve that saves to it"
        ) from error


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def make_server(app: ASGIApp, limits: Limits) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.max_connections,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(limits.time_limit) + 1,
        h11_max_incomplete_event_size=MOST_HEADERS,
    )
    return uvicorn.Server(config)


class _Starting:
    """Answers probes at once, and all other requests once the application is there."""

    app: Optional[FastAPI] = None
    has_failed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        while not (self.app or self.has_failed or path in ("/health", "/ready")):
            await asyncio.sleep(0.02)
        if self.app is not None:
            await self.app(scope, receive, send)
            return
        answer = JSONResponse({"status": "ok"})
        if path != "/health":
            error = "found a service that still loads its model; expected a later request"
            answer = JSONResponse({"error": error}, 503, {"Retry-After": "1"})
        await answer(scope, receive, send)


@contextmanager
def started(limits: Limits, listener: socket.socket) -> Iterator[Callable[[FastAPI, float], None]]:
    """
    Answers probes while the application is made. Yields the function that runs it until SIGTERM or
    SIGINT, and finishes open requests. For some seconds after SIGTERM it takes new ones, too.
    """
    starting = _Starting()
    server = make_server(starting, limits)
    # The main thread gets the signals, which also end it while it makes the application.
    executor = ThreadPoolExecutor(1, "serve")

    def run(app: FastAPI, drain: float) -> None:
        def end(number: int, _: Any = None) -> None:
            if number == signal.SIGTERM and drain and not app.state.is_ending:
                app.state.is_ending = True
                timer = threading.Timer(drain, end, [signal.SIGTERM])
                timer.daemon = True
                timer.start()
            else:
                server.force_exit = server.should_exit and number == signal.SIGINT
                server.should_exit = True

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        starting.app = app
        # A signal that comes just before a wait does not interrupt it; its handler runs after it.
        while not wait([ended], timeout=0.5).done:
            pass
        ended.result()

    ended = executor.submit(server.run, [listener])
    try:
        yield run
    finally:
        starting.has_failed = starting.app is None
        server.should_exit = True
        executor.shutdown()
