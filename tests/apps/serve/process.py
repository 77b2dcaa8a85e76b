"""A running `lisa serve`, for tests and benchmarks."""

import re
import subprocess
import sys
from contextlib import contextmanager
from typing import Iterator, Optional


class Service:
    """`lisa serve` on a free port, on which it can be started again."""

    def __init__(self, model: str, *options: str) -> None:
        self.port = 0
        """The port, after the first start."""
        self._command = [sys.executable, "-m", "lisa_allennlp", "serve", model, *options]
        self._process: Optional[subprocess.Popen[str]] = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def pid(self) -> int:
        """The number of the running process that speaks HTTP."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(
            [*self._command, "--port", str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        match = re.search(r":(\d+)/$", line.strip())
        if match is None:
            raise RuntimeError(f"found the line {line!r}; expected the address of the service")
        self.port = int(match[1])

    def stop(self) -> int:
        """Ends it as SIGTERM does. Returns its exit status, 0 if it was not running."""
        if self._process is None:
            return 0
        with self._process as process:
            process.terminate()
        self._process = None
        return process.returncode


@contextmanager
def running(service: Service) -> Iterator[Service]:
    try:
        service.start()
        yield service
    finally:
        service.stop()
