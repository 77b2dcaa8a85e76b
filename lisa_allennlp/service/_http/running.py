"""
Opens the socket of the service and runs it with uvicorn until it is told to end.

    >>> listener = open_socket("127.0.0.1", 0)
    >>> listener.getsockname()[0]
    '127.0.0.1'
    >>> try:
    ...     open_socket("127.0.0.1", listener.getsockname()[1])
    ... except ConfigurationError as error:
    ...     print(error.message.replace(str(listener.getsockname()[1]), "8000"))
    --port: found 8000 in use; expected a free port
    >>> listener.close()
"""

import errno
import os
import socket
from types import FrameType
from typing import Any, Callable, List, Optional

import uvicorn
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.service._http.protocol import MOST_HEADERS, protocol_class
from lisa_allennlp.service.door import Door
from lisa_allennlp.service.limits import Limits
from lisa_allennlp.service.origins import MOST_PORT

KEEP_ALIVE_SECONDS = 30
"""How long an idle connection stays open."""

BACKLOG = 1024


def open_socket(host: str, port: int) -> socket.socket:
    """
    # Parameters

    host : `str`
        A name or an address.
    port : `int`
        With 0, the system chooses one.

    # Returns

    `socket.socket`
        It listens already, since two sockets can be bound to one port until one of them listens.

    # Raises

    `ConfigurationError`
        If that is impossible.
    """
    if not 0 <= port <= MOST_PORT:
        raise ConfigurationError(
            f"--port is {port}; expected 1 to {MOST_PORT}, or 0 for a free port"
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        expected = "an address or a name of this machine"
        raise ConfigurationError(f"--host: found {host!r}; expected {expected}") from error
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigurationError(_reason(error, host, port)) from error
    return listener


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"--port: found {port} in use; expected a free port"
    if error.errno == errno.EACCES:
        return f"--port: found {port}, which this user may not open; expected 1024 or more"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host: found {host}; expected an address of this machine"
    return f"--host: found {host} and --port {port}; expected others ({error.strerror})"


def url_of(listener: socket.socket) -> str:
    """The address of a service for browsers on this machine."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Server(uvicorn.Server):
    """
    uvicorn's server, with another end: at the first SIGTERM or SIGINT it refuses new requests and
    ends when it has answered those that it took; at the second it ends at once.

    # Parameters

    door : `Door`
    limits : `Limits`
    on_ready : `Callable[[], Any]`
        Called when requests are answered.
    """

    def __init__(self, door: Door, limits: Limits, on_ready: Callable[[], Any]) -> None:
        config = uvicorn.Config(
            door,
            http=protocol_class(limits),
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            backlog=BACKLOG,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            h11_max_incomplete_event_size=MOST_HEADERS,
        )
        super().__init__(config)
        self._door = door
        self._on_ready = on_ready

    async def startup(self, sockets: Optional[List[socket.socket]] = None) -> None:
        """Called by uvicorn."""
        await super().startup(sockets)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Called by uvicorn ten times a second. Returns whether to end."""
        if self._door.is_stopping and self._door.is_idle:
            self.should_exit = True
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: Optional[FrameType]) -> None:
        """Called at SIGTERM and SIGINT."""
        if self._door.is_stopping:
            os._exit(128 + sig)
        self._door.stop()
