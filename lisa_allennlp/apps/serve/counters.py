"""Counts for Prometheus what the service does."""

from functools import partial
from typing import Any, Tuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SENTENCES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        kinds: Tuple[Any, ...] = (Counter, Gauge, Histogram)
        counter, gauge, histogram = (partial(kind, registry=self.registry) for kind in kinds)
        self._requests = counter("lisa_requests", "Answered requests.", ["path", "status"])
        duration = "Seconds from the arrival of a request to the end of its answer."
        self._seconds = histogram("lisa_request_seconds", duration, ["path"], buckets=_SECONDS)
        self._sentences = counter("lisa_sentences", "Labelled sentences.")
        self._tokens = counter("lisa_tokens", "Labelled tokens.")
        self._errors = counter("lisa_errors", "Inputs that could not be labelled.")
        died = "Processes that died and were replaced."
        self.replaced_workers = counter("lisa_replaced_workers", died)
        together = "Sentences that were labelled together."
        self._batches = histogram("lisa_batch_sentences", together, buckets=_SENTENCES)
        self.waiting = gauge("lisa_queue_sentences", "Sentences that wait to be labelled.")
        self.open_requests = gauge("lisa_open_requests", "Requests that are not answered yet.")

    def answered(self, path: str, status: int, seconds: float) -> None:
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def labelled(self, sentences: int, tokens: int, errors: int) -> None:
        self._batches.observe(sentences)
        self._sentences.inc(sentences - errors)
        self._tokens.inc(tokens)
        self._errors.inc(errors)

    def failed(self, inputs: int) -> None:
        self._errors.inc(inputs)

    def text(self) -> bytes:
        return generate_latest(self.registry)
