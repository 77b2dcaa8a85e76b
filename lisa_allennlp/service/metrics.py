"""
What the service counts, for Prometheus.

    >>> metrics = Metrics()
    >>> metrics.answered("/label", 200, seconds=0.02)
    >>> b'lisa_requests_total{path="/label",status="200"} 1.0' in metrics.text()
    True
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SENTENCES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The counters of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "lisa_requests", "Answered requests.", ["path", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "lisa_request_seconds",
            "Seconds from the arrival of a request to the end of its answer.",
            ["path"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._sentences = Counter("lisa_sentences", "Labelled sentences.", registry=self.registry)
        self._tokens = Counter("lisa_tokens", "Labelled tokens.", registry=self.registry)
        self._errors = Counter(
            "lisa_errors", "Inputs that could not be labelled.", registry=self.registry
        )
        self._batches = Histogram(
            "lisa_batch_sentences",
            "Sentences that were labelled together.",
            buckets=_SENTENCES,
            registry=self.registry,
        )
        self.waiting = Gauge(
            "lisa_queue_sentences", "Sentences that wait to be labelled.", registry=self.registry
        )
        self.open_requests = Gauge(
            "lisa_open_requests", "Requests that are not answered yet.", registry=self.registry
        )

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Counts an answer."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def labelled(self, sentences: int, tokens: int, errors: int) -> None:
        """Counts a batch."""
        self._batches.observe(sentences)
        self._sentences.inc(sentences - errors)
        self._tokens.inc(tokens)
        self._errors.inc(errors)

    def failed(self, inputs: int) -> None:
        """Counts inputs that could not be read."""
        self._errors.inc(inputs)

    def text(self) -> bytes:
        """All counters, in Prometheus' text format."""
        return generate_latest(self.registry)
