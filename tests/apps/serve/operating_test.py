"""What operators of a service need: a log, IDs of requests, readiness, an application, no pages."""

import json
import logging
import multiprocessing
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
import uvicorn

from lisa_allennlp.apps.serve import DEFAULTS, app, logs
from lisa_allennlp.apps.serve.app import make_app
from lisa_allennlp.apps.serve.running import open_socket, started
from lisa_allennlp.labelling.labeller import Labeller
from tests.apps.serve.services import Running, running, wait_for


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    caplog.handler.setFormatter(logs.Formatter(as_json=True))
    caplog.set_level(logging.INFO)
    yield caplog
    caplog.handler.setFormatter(None)


def lines_of(log: pytest.LogCaptureFixture) -> List[Dict[str, Any]]:
    lines = map(json.loads, log.text.splitlines())
    return [line for line in lines if line["logger"].startswith("lisa_allennlp")]


def test_a_request_has_one_id_in_its_answer_and_in_the_log(
    served: Running, monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
):
    monkeypatch.setattr(app, "draw", None)
    found = served.ask("POST", "/draw", {"answer": {"words": ["Go"]}}, X_Request_ID="own-7")
    assert (found.status, found.headers["x-request-id"]) == (500, "own-7")
    assert "own-7" in found.error
    served.ask("GET", "/no%0Aline", X_Request_ID="two words")
    served.ask("GET", "/health")
    wait_for(lambda: len(lines_of(log)) == 3)
    error, access, other = lines_of(log)
    assert error["request_id"] == access["request_id"] == "own-7"
    assert "not callable" in error["exception"]
    assert (access["method"], access["path"], access["status"]) == ("POST", "/draw", 500)
    assert (access["level"], other["level"], other["path"]) == ("warning", "info", "/no%0Aline")
    assert other["request_id"].isalnum()


def test_it_is_ready_between_loading_and_ending():
    listener = open_socket("127.0.0.1", 0)
    service = Running(listener.getsockname()[1])
    statuses = []

    def ask() -> None:
        statuses.extend(service.ask("GET", path).status for path in ("/health", "/ready"))

    early = threading.Thread(
        target=lambda: statuses.append(service.ask("GET", "/openapi.json").status)
    )
    with started(DEFAULTS, listener):
        ask()
        assert statuses == [200, 503]
        early.start()
    # It has failed to load, and who has waited is told so.
    early.join()
    assert statuses == [200, 503, 503]


def test_an_application_for_another_server(archives: Dict[str, Path]):
    made = make_app(str(archives["lisa"]), processes=1, hosts=["nlp.example"])
    before = set(multiprocessing.active_children())
    listener = open_socket("127.0.0.1", 0)
    service = Running(listener.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(made))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        answer = service.ask("POST", "/label", "It rained.", Host="nlp.example")
        assert answer.json["words"] == ["It", "rained", "."]
        assert service.ask("GET", "/ready").status == 200
    finally:
        server.should_exit = True
        thread.join()
    # The end of its lifespan has ended the process that labelled.
    assert len(before - set(multiprocessing.active_children())) == 1


def test_without_pages_there_is_only_the_api(tiny: Labeller):
    with running(tiny, page=False) as service:
        for path in ("/", "/find", "/docs", "/static/page.js", "/swagger/swagger-ui.css"):
            assert service.ask("GET", path).status == 404
        assert service.label("It rained.").status == 200
        assert service.ask("GET", "/openapi.json").status == 200
