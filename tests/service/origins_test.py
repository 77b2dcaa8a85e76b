"""Which hosts and origins may use the service."""

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.origins import LOOPBACK, Origins

ORIGINS = Origins(8000, "192.168.1.5", ["nlp.example.org", "other.example.org:8443"])

OURS = [*(f"{name}:8000" for name in LOOPBACK), "192.168.1.5:8000", "LOCALHOST:8000"]
ALLOWED = ["nlp.example.org", "nlp.example.org:99", "other.example.org:8443"]
FOREIGN = [
    "",
    "localhost",
    "localhost:8001",
    "localhost:80000",
    "localhost.:8000",
    "evil.example:8000",
    "evil.example",
    "localhost:8000.evil.example",
    "localhost:8000@evil.example",
    "evil.example#localhost:8000",
    "other.example.org",
    "x.nlp.example.org",
    "127.0.0.1:8000, evil.example",
    "[::1:8000",
]


@pytest.mark.parametrize("host", OURS + ALLOWED)
def test_own_hosts_and_origins(host: str):
    ORIGINS.check(host, None)
    ORIGINS.check(host, f"http://{host}")


@pytest.mark.parametrize("host", FOREIGN)
def test_foreign_hosts_and_origins(host: str):
    with pytest.raises(RequestError, match="found the Host") as refused:
        ORIGINS.check(host, None)
    assert refused.value.status == 403
    for origin in (f"http://{host}", f"https://{host}"):
        # The standard port of https is another than that of the name.
        with pytest.raises(RequestError, match="found the Origin"):
            ORIGINS.check("localhost:8000", origin)


@pytest.mark.parametrize(
    "origin", ["null", "", "file://", "localhost:8000", "ftp://localhost:8000", "http://localhost"]
)
def test_what_is_no_origin_of_ours(origin: str):
    with pytest.raises(RequestError, match="found the Origin"):
        ORIGINS.check("localhost:8000", origin)


def test_no_host():
    with pytest.raises(RequestError, match=r"\(none\); expected localhost:8000"):
        ORIGINS.check(None, None)


def test_the_standard_port_may_be_left_out():
    Origins(80).check("localhost", "http://localhost")
    Origins(80).check("localhost:80", "http://localhost:80")
    with pytest.raises(RequestError):
        Origins(443).check("localhost", None)


@pytest.mark.parametrize(
    "name", ["", "https://a.example", "a.example/x", "*.example", "a.example:99999", "a b"]
)
def test_names_that_no_browser_sends_are_refused(name: str):
    with pytest.raises(ConfigurationError, match="--allow-host is .*; expected NAME or NAME:PORT"):
        Origins(8000, allowed=[name])


@given(st.text(max_size=30))
def test_only_names_of_ours_get_in(host: str):
    known = {*OURS, *ALLOWED}
    try:
        Origins(8000, "192.168.1.5").check(host, None)
    except RequestError as refused:
        assert "\n" not in refused.message
    else:
        assert host.lower() in {name.lower() for name in known}
