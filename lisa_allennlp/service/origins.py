"""
Where requests may come from. A page of another origin can make a browser send requests to the
service; the browser then names the page's origin. By DNS rebinding, a page can make the service its
own origin; the browser then names the page's host as the service's.

    >>> origins = Origins(8000, allowed=["nlp.example.org"])
    >>> origins.check("localhost:8000", None)
    >>> origins.check("nlp.example.org", "https://nlp.example.org")
    >>> try:
    ...     origins.check("127.0.0.1:8000", "https://evil.example")
    ... except RequestError as refusal:
    ...     print(refusal.message)
    found the Origin https://evil.example; expected this service's own page (or --allow-host NAME)
"""

import re
from typing import Iterable, Optional, Tuple

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.service.errors import RequestError

MOST_PORT = 65_535
"""The greatest port."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine for itself."""

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(?P<port>[0-9]{1,5}))?")
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>.+)")
_STANDARD_PORTS = {"http": 80, "https": 443}


class Origins:
    """
    # Parameters

    port : `int`
        The port on which the service listens.
    host : `str`, optional (default = `"127.0.0.1"`)
        The address on which the service listens.
    allowed : `Iterable[str]`, optional
        Other names of the service, such as that of a reverse proxy: `NAME` with any port, or
        `NAME:PORT`.

    # Raises

    `ConfigurationError`
        If a name is none that browsers send, such as an address with a path.
    """

    def __init__(self, port: int, host: str = "127.0.0.1", allowed: Iterable[str] = ()) -> None:
        own = host.lower()
        self._own = {*LOOPBACK, f"[{own}]" if ":" in own else own}
        self._port = port
        self._allowed = {_checked(name) for name in allowed}

    def check(self, host: Optional[str], origin: Optional[str]) -> None:
        """
        # Parameters

        host, origin : `str`, optional
            The headers `Host` and `Origin`.

        # Raises

        `RequestError`
            If one of them is another service's.
        """
        if host is None or not self._is_ours(host, 80):
            expected = f"{self._example} (or --allow-host {_named(host)})"
            raise RequestError(403, f"found the Host {_shown(host)}; expected {expected}")
        if origin is not None and not self._is_our_origin(origin):
            expected = "this service's own page (or --allow-host NAME)"
            raise RequestError(403, f"found the Origin {_shown(origin)}; expected {expected}")

    @property
    def _example(self) -> str:
        return f"localhost:{self._port}"

    def _is_our_origin(self, origin: str) -> bool:
        match = _ORIGIN.fullmatch(origin.lower())
        return match is not None and self._is_ours(match["host"], _STANDARD_PORTS[match["scheme"]])

    def _is_ours(self, host: str, standard_port: int) -> bool:
        split = split_host(host)
        if split is None:
            return False
        name, port = split
        if name in self._allowed or f"{name}:{port or standard_port}" in self._allowed:
            return True
        return name in self._own and (port or standard_port) == self._port


def split_host(host: str) -> Optional[Tuple[str, Optional[int]]]:
    """
    The name and the port of a host; `None` if it is malformed.

    >>> split_host("[::1]:8000"), split_host("Example.org"), split_host("a b")
    (('[::1]', 8000), ('example.org', None), None)
    """
    match = _HOST.fullmatch(host.lower())
    if match is None:
        return None
    return match["name"], int(match["port"]) if match["port"] else None


def _checked(name: str) -> str:
    split = split_host(name)
    if split is None or (split[1] or 0) > MOST_PORT:
        expected = "NAME or NAME:PORT, such as nlp.example.org"
        raise ConfigurationError(f"--allow-host is {_shown(name)}; expected {expected}")
    return name.lower()


def _named(host: Optional[str]) -> str:
    split = split_host(host or "")
    return "NAME" if split is None else split[0]


def _shown(value: Optional[str]) -> str:
    return "(none)" if not value else value[:100]
