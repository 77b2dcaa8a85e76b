"""
`lisa serve` under load: sentences per second and latencies with 1, 8 and 64 clients, which send one
sentence after the other, against one call of the model after the other in Python. The clients
share the machine with the service.

    python -m benchmarks.serve [--corpus DIR] [--seconds N] [--json FILE] [--check]
"""

import contextlib
import http.client
import itertools
import json
import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Sequence

import lisa_allennlp
from benchmarks.common import Report, make_parser, read_sentences
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.labelling.labeller import Labeller
from tests.apps.serve.process import Service, running

CLIENTS = (1, 8, 64)
HEADERS = {"Content-Type": "application/json"}
WARM_UP = 1.0
"""The seconds in which nothing is measured yet."""

RATIO_BAR = 4.0
"""How many times the rate of calls one after the other 64 clients should reach."""


def latencies(port: int, clients: int, seconds: float, texts: Sequence[str]) -> List[float]:
    """
    Returns the latencies of the requests that were answered in some seconds, after a warm-up. Each
    client has one connection, and sends a request as soon as it has the answer to the one before.
    """
    bodies = itertools.cycle([json.dumps(text) for text in texts])
    start = time.perf_counter() + WARM_UP
    found: List[float] = []

    def ask() -> None:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            while (asked := time.perf_counter()) < start + seconds:
                connection.request("POST", "/label", next(bodies), HEADERS)
                response = connection.getresponse()
                answer = response.read()
                if response.status != 200:
                    raise RuntimeError(f"found {response.status} {answer!r}; expected 200")
                answered = time.perf_counter()
                if start <= answered < start + seconds:
                    found.append(answered - asked)

    with ThreadPoolExecutor(clients) as pool:
        for client in [pool.submit(ask) for _ in range(clients)]:
            client.result()
    return found


def calls_per_second(labeller: Labeller, texts: Sequence[str], seconds: float) -> float:
    for text in texts[:10]:
        labeller(text)
    start, number = time.perf_counter(), 0
    while time.perf_counter() < start + seconds:
        json.dumps(labeller(texts[number % len(texts)]).to_dict())
        number += 1
    return number / (time.perf_counter() - start)


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measure(report: Report, model: str, texts: Sequence[str], seconds: float, runs: int) -> None:
    """Measures rates and latencies in turns, so that changes of the machine affect all."""
    labeller = lisa_allennlp.load(model)
    of_calls: List[float] = []
    measured: Dict[int, List[List[float]]] = {clients: [] for clients in CLIENTS}
    with running(Service(model)) as service:
        for _ in range(runs):
            of_calls.append(calls_per_second(labeller, texts, seconds))
            for clients, found in measured.items():
                found.append(latencies(service.port, clients, seconds, texts))
    rows: List[List] = [
        ["calls in Python", statistics.median(of_calls), *_of([1 / r for r in of_calls])]
    ]
    for clients, runs_of in measured.items():
        rate = statistics.median(len(found) / seconds for found in runs_of)
        every = [latency for found in runs_of for latency in found]
        rows.append([f"{clients} client{'s' * (clients > 1)}", rate, *_of(every)])
    report.table(["one request after the other", "sentences/s", "p50, ms", "p99, ms"], rows)
    ratios = [
        len(found) / seconds / rate
        for found, rate in zip(measured[CLIENTS[-1]], of_calls, strict=True)
    ]
    report.at_least("64 clients, times the rate of calls in Python", ratios, RATIO_BAR)
    ratios = [
        len(many) / len(one) for many, one in zip(measured[CLIENTS[-1]], measured[1], strict=True)
    ]
    report.at_least("64 clients, times the rate of one", ratios, RATIO_BAR)


def _of(found: Sequence[float]) -> List[float]:
    return [1000 * quantile(found, share) for share in (0.5, 0.99)]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--model", default="english", help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=5, help="per measurement (default: 5)")
    # As many as the service has.
    parser.set_defaults(processes=available_cores())
    args = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(args.threads))
    texts = [" ".join(s.words) for s in read_sentences(args.corpus, args.sentences)]
    report = Report("serve", args)
    measure(report, args.model, texts, args.seconds, args.runs)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
