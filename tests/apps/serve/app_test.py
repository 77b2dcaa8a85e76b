"""The service as its clients see it, over real connections."""

import gzip
import hashlib
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List

import pytest

from lisa_allennlp.apps.serve import Limits
from lisa_allennlp.apps.serve.app import PAGE
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.sentence.sentence import ANSWER_KEYS
from tests.apps.serve.services import TEXT, Running, assert_close, request_bytes, running, wait_for


def test_labels(served: Running, tiny: Any):
    found = served.label(TEXT)
    assert (found.status, found.headers["content-type"]) == (200, "application/json")
    assert_close(found.json, tiny(TEXT).to_dict())
    document = {"text": "It rained. It snowed.", "id": 3}
    assert_close(served.label(document).json, tiny.document(document).to_dict())
    given = {"tokens": ["She", "left"], "head_indices": [2, 0], "predicates": [1]}
    assert_close(served.label([given, TEXT]).json, [s.to_dict() for s in tiny.pipe([given, TEXT])])
    known = {"tokens": ["She", "left"], "given_roles": [{"index": 1, "spans": [["ARG1", 0, 0]]}]}
    found = served.label(known, "?probabilities=true").json
    assert (
        found["verbs"][-1]["spans"] == [["ARG1", 0, 0], ["V", 1, 1]] and "given_roles" not in found
    )


def test_variants(served: Running, tiny: Any):
    plain = set(served.label(TEXT).json)
    attention = served.label(TEXT, "?attention=1&probabilities=false").json
    assert set(attention) - plain == {"attention"}
    assert [sum(row) for row in attention["attention"]] == pytest.approx([1] * 6, abs=1e-3)
    document = {"text": f"{TEXT} It rained.", "id": 3}
    given = {"tokens": ["She", "left"], "predicates": [1]}
    found = served.label([given, document], "?events=true").json
    expected = [tiny(given), tiny.document(document)]
    assert_close(found, [answer.to_dict(events=True) for answer in expected])
    assert [event["predicate"] for event in found[0]["events"]] == [1]
    bare = served.label("She was being seen.", "?auxiliaries=false").json
    assert_close(bare, tiny("She was being seen.", auxiliaries=False).to_dict())


def test_describes_the_model(served: Running, archives: Dict[str, Path]):
    # The sentences that are labelled are counted.
    before = served.metric("lisa_sentences_total")
    served.label([TEXT, {"text": "Rain. Snow."}])
    assert served.metric("lisa_sentences_total") == before + 3
    info = served.ask("GET", "/info").json
    assert info["model"] == archives["lisa"].parent.name and "root" in info["head_tags"]
    assert info["model_version"] is None
    assert info["model_sha256"] == hashlib.sha256(archives["lisa"].read_bytes()).hexdigest()
    assert info["has_parse"] and info["has_attention"] and info["has_probabilities"]
    assert (info["max_words"], info["max_bytes"]) == (40, 20_000)
    assert served.ask("GET", "/health").json == {"status": "ok"}
    with running(load_labeller(archives["ccg_supertagger"])) as served:
        info = served.ask("GET", "/info").json
        assert not (info["has_parse"] or info["head_tags"])
        assert not info["has_attention"] and not info["has_probabilities"]
        refused = served.label(TEXT, "?attention=true")
        assert refused.status == 422 and "attention=true" in refused.error


ERRORS: List[Any] = [
    ("POST", "/label", b'{"a"', {}, 400, "JSON"),
    ("POST", "/label", {"id": 3}, {}, 422, "`tokens`"),
    ("POST", "/label", {"tokens": ["a"] * 41}, {}, 422, "41 words"),
    ("POST", "/label", {"text": "Rain. " * 51}, {}, 413, "51 sentences"),
    ("POST", "/label", b"x" * 20_001, {}, 413, "20,001 bytes"),
    ("POST", "/label?probabilities=maybe", "a", {}, 422, "`probabilities`"),
    ("POST", "/label?probabilites=true", "a", {}, 422, "'probabilities'?"),
    ("POST", "/label", "a", {"Content_Type": "text/plain"}, 415, "text/plain"),
    ("GET", "/label", None, {}, 405, "GET"),
    ("GET", "/nowhere", None, {}, 404, "/nowhere"),
    ("GET", "/static/%2e%2e%2fapp.py", None, {}, 404, "path"),
    ("GET", "/docs/..%2f..%2fversion.py", None, {}, 404, "path"),
]


@pytest.mark.parametrize("method, path, body, headers, status, message", ERRORS)
def test_errors_are_one_line(
    served: Running, method: str, path: str, body: Any, headers: Any, status: int, message: str
):
    found = served.ask(method, path, body, **headers)
    assert found.status == status
    assert message in found.error


def test_a_body_in_chunks_is_limited_too(served: Running):
    chunks = (b"1000\r\n" + b"x" * 0x1000 + b"\r\n") * 8 + b"0\r\n\r\n"
    with served.connect() as connection:
        connection.sendall(request_bytes(chunks, served.port, "Transfer-Encoding: chunked"))
        assert connection.makefile("rb").readline().startswith(b"HTTP/1.1 413")


def test_other_hosts_are_turned_away(served: Running, caplog: pytest.LogCaptureFixture):
    assert served.ask("GET", "/info", Host=f"localhost:{served.port}").status == 200
    refused = served.ask("GET", "/info", Host="evil.example:8000")
    assert refused.status == 400 and "--allow-host" in refused.error
    assert '"evil.example:8000"' in caplog.text
    for path in ("/health", "/metrics"):
        assert served.ask("GET", path, Host="pod.example").status == 200
    # No page of another site has an address for its name.
    for address in ("10.0.0.7:8000", "[fe80::1]:8000", "[::1]"):
        assert served.ask("GET", "/info", Host=address).status == 200


def test_head_is_get_without_a_body(served: Running):
    for path in ("/", "/info", "/health", "/static/page.js"):
        get, head = served.ask("GET", path), served.ask("HEAD", path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == str(len(get.body))


class TestPages:
    def test_the_page_and_its_files(self, served: Running):
        page = served.ask("GET", "/")
        assert page.body == (PAGE / "index.html").read_bytes()
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; img-src 'self' data:;")
        assert "frame-ancestors 'none'" in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "no-referrer"
        for path in PAGE.iterdir():
            assert served.ask("GET", f"/static/{path.name}").body == path.read_bytes()

    def test_the_description_of_the_api_needs_no_network(self, served: Running):
        page = served.ask("GET", "/docs").body.decode()
        loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert len(loaded) >= 3
        assert "<script>" not in page and "<style" not in page
        for address in loaded:
            if not address.startswith("data:"):
                assert re.fullmatch(r"/(docs|swagger)/[a-z-]+\.(js|css)", address)
                assert served.ask("GET", address).status == 200

    def test_the_examples_work(self, served: Running):
        described = served.ask("GET", "/openapi.json").json
        sentence = described["components"]["schemas"]["SentenceAnswer"]
        assert ANSWER_KEYS == set(sentence["properties"]) and sentence["required"] == ["words"]
        tried = 0
        for path, methods in described["paths"].items():
            if "requestBody" in methods.get("post", {}):
                content = methods["post"]["requestBody"]["content"]["application/json"]
                for example in content.get("examples", {}).values():
                    assert served.ask("POST", path, example["value"]).status == 200
                    tried += 1
        assert tried >= 6


def test_a_notice_of_unknown_words():
    text = {"text": "Sie hat ihm gestern das Auto verkauft."}
    with running(load_labeller("english-fast")) as served:
        assert "notice" not in served.label(text).json
        assert "3 of 5 words" in served.label(text, "?notice=true").json["notice"]
        assert "notice" not in served.label(TEXT, "?notice=true").json


class Slow:
    def __init__(self, labeller: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_label = threading.Event()
        self.may_label.set()
        self.batches: List[int] = []
        label = labeller.label

        def wait_and_label(requests: Any, details: bool = False) -> Any:
            self.batches.append(len(requests))
            assert self.may_label.wait(30)
            return label(requests, details)

        monkeypatch.setattr(labeller, "label", wait_and_label)

    def hold(self) -> None:
        self.batches.clear()
        self.may_label.clear()


@pytest.fixture
def slow(tiny: Labeller, monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(tiny, monkeypatch)


def test_a_full_queue(tiny: Labeller, slow: Slow):
    with running(tiny, Limits(max_queue=3)) as service, ThreadPoolExecutor(8) as clients:
        slow.hold()
        first = clients.submit(service.label, "Rain.")
        wait_for(lambda: slow.batches)
        waiting = clients.submit(service.label, ["Snow.", "Ice.", "Hail."])
        wait_for(lambda: service.metric("lisa_queue_sentences") == 3)
        refused = service.label(["Fog."] * 200)
        assert (refused.status, refused.headers["retry-after"]) == (429, "1")
        assert "3 sentences waiting" in refused.error
        assert service.ask("GET", "/health").status == 200
        slow.may_label.set()
        assert [first.result().status, waiting.result().status] == [200, 200]
        assert slow.batches == [1, 3]


def test_the_time_limit(tiny: Labeller, slow: Slow):
    limits = Limits(time_limit=0.3)
    with running(tiny, limits) as service, ThreadPoolExecutor(8) as clients:
        slow.hold()
        answers = list(clients.map(service.label, ["Rain.", "Snow.", "Ice."]))
        assert {answer.status for answer in answers} == {504}
        assert "--time-limit" in answers[0].error
        slow.may_label.set()
        assert service.label("Fog.").status == 200
        # What was too late is not labelled any more.
        assert slow.batches == [1, 1]


def test_a_client_that_goes_is_not_waited_for(tiny: Labeller, slow: Slow):
    with running(tiny) as service, ThreadPoolExecutor(8) as clients:
        slow.hold()
        first = clients.submit(service.label, "Rain.")
        wait_for(lambda: slow.batches)
        with service.connect() as gone:
            gone.sendall(request_bytes(b'"Snow."', service.port))
            wait_for(lambda: service.metric("lisa_queue_sentences") == 1)
        wait_for(lambda: service.metric("lisa_open_requests") == 2)
        slow.may_label.set()
        assert first.result().status == 200
        assert slow.batches == [1]


def test_files_of_the_page_are_compressed_and_kept(served: Running):
    found = served.ask("GET", "/static/editor.js", accept_encoding="gzip")
    source = (PAGE / "editor.js").read_bytes()
    assert found.headers["content-encoding"] == "gzip" and len(found.body) < len(source) / 2
    assert gzip.decompress(found.body) == source
    again = served.ask("GET", "/static/editor.js", if_none_match=found.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert served.ask("GET", "/info").headers["cache-control"] == "no-store"
