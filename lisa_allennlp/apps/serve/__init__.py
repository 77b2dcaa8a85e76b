"""
The HTTP service of `lisa serve` (docs/serving.md). Its modules need FastAPI, uvicorn and what else
the extra `serve` has.

- `running` opens the socket and runs uvicorn, `middleware` wraps all paths, `app` has the paths,
  `schemas` the bodies.
- `labelling` reads and labels inputs, `batching` decides what is labelled next, `workers` label it.
- `logs` formats the log, which `lisa serve --log-format` and `--log-level` choose.
- `find` asks a labelled corpus, and `inception` suggests annotations to INCEpTION.
- `corpus` has the sentences that people correct, and `counters` counts.

The limits are here, so that `lisa serve --help` imports nothing else.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of the service, as `lisa serve --help` describes them."""

    max_bytes: int = 1_000_000
    """The largest body of a request."""
    max_words: int = 256
    """The longest sentence. Time and memory grow with the square of its length."""
    max_sentences: int = 1_000
    """The most sentences of a request."""
    max_queue: int = 1_000
    """The number of sentences that wait before a request at which it is refused."""
    time_limit: float = 60.0
    """The seconds in which a request must be answered, from the end of its body."""
    max_connections: int = 1_000
    """The number of open connections at which further ones are refused."""


ANY_HOST = "*"
"""The `--allow-host` that allows every name."""

DEFAULTS = Limits()
