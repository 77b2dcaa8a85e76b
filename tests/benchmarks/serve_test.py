"""The clients of the benchmark measure the service."""

from typing import Any

import pytest

from benchmarks.serve import latencies
from tests.service.services import running, tiny  # noqa: F401

TEXTS = ["She sold him the car.", "It rained."]


def test_clients_measure_every_request(tiny: Any):  # noqa: F811
    with running(tiny) as service:
        found = latencies(service.port, 3, 1.3, TEXTS)
        assert 0 < len(found) <= service.metric("lisa_sentences_total")
        assert all(0 < latency < 1.3 for latency in found)
        with pytest.raises(RuntimeError, match="found 422"):
            latencies(service.port, 1, 1, [3])  # type: ignore[list-item]
