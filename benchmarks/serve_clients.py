"""
The clients of `benchmarks.serve`, in a process of their own, which imports little: each has one
connection and sends a request as soon as it has the answer to the one before.

    echo '["It rained."]' | python -m benchmarks.serve_clients PORT CLIENTS SECONDS

The output is JSON: the latency of each request, in seconds.
"""

import asyncio
import itertools
import json
import sys
import time
from typing import Any, Iterator, List, Sequence, Tuple

WARM_UP = 1.0
"""The seconds in which nothing is measured yet."""


class Client:
    """A connection that stays open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: Any = None
        self._writer: Any = None

    async def post(self, path: str, body: bytes) -> Tuple[int, bytes]:
        """Returns the status and the body of the answer."""
        if self._writer is None:
            streams = await asyncio.open_connection("127.0.0.1", self._port)
            self._reader, self._writer = streams
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        return await read_answer(self._reader)

    def close(self) -> None:
        """Closes the connection."""
        if self._writer is not None:
            self._writer.close()


async def read_answer(reader: asyncio.StreamReader) -> Tuple[int, bytes]:
    """Returns the status and the body of an answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    status, *headers = head.decode("latin-1").split("\r\n")
    named = dict(line.lower().split(": ", 1) for line in headers if line)
    return int(status.split(" ")[1]), await reader.readexactly(int(named["content-length"]))


async def measure(port: int, clients: int, seconds: float, bodies: Sequence[bytes]) -> List[float]:
    """Returns the latencies of all requests that were answered in this time, after a warm-up."""
    every = itertools.cycle(bodies)
    start = time.perf_counter() + WARM_UP
    latencies: List[float] = []
    of_clients = (_ask(Client(port), every, start, seconds, latencies) for _ in range(clients))
    await asyncio.gather(*of_clients)
    return latencies


async def _ask(
    client: Client, bodies: Iterator[bytes], start: float, seconds: float, latencies: List[float]
) -> None:
    while (asked := time.perf_counter()) < start + seconds:
        status, answer = await client.post("/label", next(bodies))
        if status != 200:
            raise RuntimeError(f"found {status} {answer!r}; expected 200")
        answered = time.perf_counter()
        if start <= answered < start + seconds:
            latencies.append(answered - asked)
    client.close()


def main() -> None:
    """Prints the latencies."""
    port, clients, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    bodies = [json.dumps(text).encode() for text in json.load(sys.stdin)]
    print(json.dumps(asyncio.run(measure(port, clients, seconds, bodies))))


if __name__ == "__main__":
    main()
