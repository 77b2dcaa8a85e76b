"""
`lisa annotate` on raw text: its speed in one process, in two processes and on two Ray workers, and
whether runs that are killed with -9 and continued write exactly what an uninterrupted run writes.

    python -m benchmarks.annotate --corpus FILE --archive english-fast [--ray] [--kills 20]
        [--json FILE]

FILE is plain text, or `.gz` of it, with a document per line. Each kill ends a worker, whose shard
is tried again, or the whole command, which is then started again. The moments are drawn at random,
by `--seed`.
"""

import argparse
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, Optional, Tuple, cast

from allennlp.common.file_utils import open_compressed

from benchmarks.common import Report, make_parser

ENGINES: Dict[str, List[str]] = {
    "one process": ["--processes", "1"],
    "two processes": ["--processes", "2"],
    "two Ray workers": ["--processes", "2", "--address", "local"],
}
"""The options of each engine."""

LONGEST_WAIT = 15.0
"""In seconds: from the start of the command, or from the last kill, to the next one."""


def write_documents(source: Path, target: Path, number: int) -> None:
    """The first lines of a file as JSON lines with ids."""
    with open_compressed(source, "rt") as lines, target.open("w") as output:
        texts = (line.strip() for line in lines if line.strip())
        for position, text in enumerate(itertools.islice(texts, number)):
            output.write(json.dumps({"id": position, "text": text}) + "\n")


class Command:
    """
    The command for a corpus, a model and an engine.

    # Parameters

    rows_per_shard : `int`
    """

    def __init__(self, corpus: Path, archive: str, engine: str, rows_per_shard: int) -> None:
        self._words = [sys.executable, "-m", "lisa_allennlp", "annotate", str(corpus)]
        self._words += ["--model", archive, "--rows-per-shard", str(rows_per_shard)]
        self._words += ENGINES[engine]

    def start(self, output: Path) -> subprocess.Popen:
        """Starts the command."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen([*self._words, "--output", output], stdout=quiet, stderr=quiet)

    def run(self, output: Path) -> float:
        """Runs the command to its end, and returns the seconds."""
        began = time.perf_counter()
        if self.start(output).wait():
            raise RuntimeError("the command failed")
        return time.perf_counter() - began


class Killer:
    """
    Kills workers and drivers, and keeps the counts.

    # Parameters

    command : `Command`
    expected : `Dict[str, bytes]`
        The shards of an uninterrupted run, by name.
    seed : `int`
    """

    def __init__(self, command: Command, expected: Dict[str, bytes], seed: int) -> None:
        self._command = command
        self._expected = expected
        self._random = random.Random(seed)
        self.workers = self.drivers = self.runs = self.different = self.left_over = 0
        self.lost = self.doubled = 0

    def kill(self, times: int, folder: Path) -> None:
        """Kills until it has done so often enough; the last run ends undisturbed."""
        while self.workers + self.drivers < times:
            self.runs += 1
            output = folder / str(self.runs)
            while self._disturb(output, times):
                pass
            self._compare(output)

    def _disturb(self, output: Path, times: int) -> bool:
        """Starts the command and kills; returns whether it has to be started again."""
        driver = self._command.start(output)
        while self.workers + self.drivers < times:
            try:
                status = driver.wait(self._random.uniform(0, LONGEST_WAIT))
                return status != 0
            except subprocess.TimeoutExpired:
                pass
            workers = workers_of(output)
            # Most moments of the start are left alone, so that some runs get beyond it.
            if workers and self._random.random() < 0.6:
                self.workers += kill(self._random.choice(workers))
            elif workers or self._random.random() < 0.2:
                self._kill_driver(driver)
                return True
        return driver.wait() != 0

    def _kill_driver(self, driver: subprocess.Popen) -> None:
        others = descendants(driver.pid)
        driver.kill()
        driver.wait()
        self.drivers += 1
        deadline = time.monotonic() + 20
        while any(map(is_alive, others)) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.left_over += sum(kill(process) for process in others if is_alive(process))

    def _compare(self, output: Path) -> None:
        found = shards(output)
        self.different += found != self._expected
        ids = [row["id"] for row in rows(found)]
        wanted = [row["id"] for row in rows(self._expected)]
        self.lost += len({*wanted} - {*ids})
        self.doubled += len(ids) - len({*ids})


def shards(output: Path) -> Dict[str, bytes]:
    """The shards of an output folder, by name."""
    return {path.name: path.read_bytes() for path in sorted(output.glob("shard-*.jsonl"))}


def rows(found: Dict[str, bytes]) -> List[dict]:
    """The rows of all shards."""
    return [json.loads(line) for content in found.values() for line in content.splitlines()]


def number_of_words(found: Dict[str, bytes]) -> int:
    """The number of tokens of all shards."""
    return sum(len(s["words"]) for row in rows(found) for s in row["sentences"])


def workers_of(output: Path) -> List[int]:
    """The processes that are writing shards."""
    names = (path.name for path in output.glob("shard-*.partial"))
    return [int(name.rpartition("-")[2].partition(".")[0]) for name in names]


def descendants(process: int) -> List[int]:
    """The processes that a process has started, and those that they have started."""
    parents = {int(path.name): _parent(path) for path in Path("/proc").glob("[0-9]*")}
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def _parent(folder: Path) -> Optional[int]:
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    # A zombie has ended.
    return None if fields[0] == "Z" else int(fields[1])


def is_alive(process: int) -> bool:
    """Whether a process is running."""
    return _parent(Path("/proc") / str(process)) is not None


def kill(process: int) -> bool:
    """Kills a process with -9; `False` if it has ended before."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def measure(
    args: argparse.Namespace, engine: str, corpus: Path, output: Path
) -> Tuple[List[object], Dict[str, bytes]]:
    """A row of the table, and the shards."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = Command(corpus, args.archive, engine, args.rows_per_shard).run(output)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Ray's workers are no children of the command.
    cpu = float("nan")
    if "Ray" not in engine:
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = shards(output)
    documents, words = args.documents / seconds, number_of_words(found) / seconds
    return [engine, seconds, documents, words, cpu], found


def main() -> int:
    """Runs the benchmark and returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", default="english-fast", help="the model")
    parser.add_argument("--ray", action="store_true", help="measure two Ray workers, too")
    parser.add_argument("--kills", type=int, default=0, help="how often to kill each engine")
    parser.add_argument("--documents", type=int, default=20_000, help="0 to measure no speed")
    parser.add_argument("--killed-documents", type=int, default=2_000)
    parser.add_argument("--rows-per-shard", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: a file of plain text is needed")
    engines = [engine for engine in ENGINES if args.ray or "Ray" not in engine]
    # For the description of the setting.
    args.processes = 2
    report = Report("annotate", args, seed=str(args.seed), data=_data(args))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.documents:
            _report_speed(args, report, engines, folder)
        if args.kills:
            _report_kills(args, report, [e for e in engines if e != "one process"], folder)
    return report.finish()


def _report_speed(
    args: argparse.Namespace, report: Report, engines: List[str], folder: Path
) -> None:
    corpus = folder / "documents.jsonl"
    write_documents(args.corpus, corpus, args.documents)
    measured = [measure(args, engine, corpus, folder / engine) for engine in engines]
    header = ["engine", "seconds", "documents/s", "tokens/s", "CPU seconds"]
    report.table(header, cast(List[List[float]], [row for row, _ in measured]))
    same = all(found == measured[0][1] for _, found in measured)
    report.at_least("same bytes from all engines", int(same), 1)


def _report_kills(
    args: argparse.Namespace, report: Report, engines: List[str], folder: Path
) -> None:
    corpus = folder / "killed.jsonl"
    write_documents(args.corpus, corpus, args.killed_documents)
    size = max(1, args.killed_documents // 20)
    table: List[List[object]] = []
    for engine in engines:
        command = Command(corpus, args.archive, engine, size)
        command.run(folder / f"{engine} whole")
        killer = Killer(command, shards(folder / f"{engine} whole"), args.seed)
        (folder / f"{engine} killed").mkdir()
        killer.kill(args.kills, folder / f"{engine} killed")
        counts = [killer.workers, killer.drivers, killer.runs, killer.lost, killer.doubled]
        table.append([f"{engine}, killed", *counts, killer.left_over])
        report.at_most(f"{engine}: runs with other bytes", killer.different, 0)
        report.at_most(f"{engine}: rows lost or doubled", killer.lost + killer.doubled, 0)
    header = ["engine", "workers killed", "commands killed", "runs", "rows lost", "rows doubled"]
    report.table([*header, "processes left"], cast(List[List[float]], table))


def _data(args: argparse.Namespace) -> str:
    killed = f"; {args.killed_documents:,} for the kills" if args.kills else ""
    return f"{args.documents:,} paragraphs of raw text{killed}; {args.archive}"


if __name__ == "__main__":
    sys.exit(main())
