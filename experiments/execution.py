"""Runs jobs one by one, each in its own process."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Dict, Sequence

from experiments.jobs import Job

SECONDS_TO_STOP = 60
"""Seconds that a terminated job may take before it is killed."""


class Execution:
    """
    Runs the jobs that are not done, with their output in log files.

    # Parameters

    logs : `Path`
        The folder of the logs.
    """

    def __init__(self, logs: Path) -> None:
        self.failures: Dict[str, str] = {}
        """The failed jobs, and why."""
        self._logs = logs

    def run(self, jobs: Sequence[Job], after_each: Callable[[], None] = lambda: None) -> None:
        """
        Failed jobs, and the jobs that need them, are recorded in `failures`; all other jobs run.
        """
        for number, job in enumerate(jobs, start=1):
            place = f"[{number}/{len(jobs)}]"
            failed = next((need.name for need in job.needs if need.name in self.failures), None)
            if failed is not None:
                self.failures[job.name] = self.failures[failed]
                _say(f"{place} {job.name}: skipped, since {failed} failed")
            elif job.is_done():
                _say(f"{place} {job.name}: already done, {job.output}")
            else:
                self._run(job, place)
            after_each()

    def _run(self, job: Job, place: str) -> None:
        log = self._logs / f"{job.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        arguments = job.arguments()
        continues = " continues" if "--recover" in arguments else ""
        _say(f"{place} {job.name}{continues}: log in {log}")
        job.prepare()
        started = time.monotonic()
        status = run_module(job.module, arguments, job.environment, log)
        seconds = time.monotonic() - started
        if status:
            self.failures[job.name] = f"{job.name} failed: {_last_words(log)} (log: {log})"
            _say(f"{place} {self.failures[job.name]}")
            return
        job.finish()
        _say(f"{place} {job.name}: {seconds:.0f} s")


def run_module(module: str, arguments: Sequence[str], environment: object, log: Path) -> int:
    """
    Runs a module in another process, to free its memory afterwards, and returns its exit status.
    An interrupt of this process also ends the other.
    """
    variables = {**os.environ, **environment}  # type: ignore[dict-item]
    with open(log, "a", encoding="utf-8") as file:
        command = [sys.executable, "-m", module, *arguments]
        process = subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=file, stderr=file
        )
        try:
            return process.wait()
        except BaseException:
            _stop(process)
            raise


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Terminates a process, with time for a training to save the model of its best epoch."""
    process.terminate()
    try:
        process.wait(SECONDS_TO_STOP)
    except BaseException:
        # Out of time, or interrupted once more.
        process.kill()
        process.wait()


def _last_words(log: Path) -> str:
    """The last line of a log, which has the error message."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    if not lines:
        return "no message"
    return (
        lines[-1].removeprefix("lisa: error: ").removesuffix(" (lisa --debug shows the traceback)")
    )


def _say(line: str) -> None:
    print(line, flush=True)
