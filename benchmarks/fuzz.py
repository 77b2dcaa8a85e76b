"""
Damages real files at random and gives them to every reader, to the functions behind `lisa score`,
`compare`, `convert`, `analyze`, `show` and `prepare`, and to the reader of inputs to label. Each
must answer, or refuse the file with an error of the project that names file and line.

    python -m benchmarks.fuzz [--corpus DIR] [--mutations N | --seconds N] [--seed S] [--json FILE]

These count as faults: any other exception, an error without file or line, a message of more than
2,000 characters, more than 10 seconds of CPU time, more than 1 GB of memory, a process that dies,
and an accepted file of which the reader yields other numbers of sentences and tokens than an
independent count of its lines. Damaged files that led to faults are written to --faults; --case
repeats one of them:

    python -m benchmarks.fuzz --seed S --case N
"""

import argparse
import contextlib
import itertools
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from allennlp.common.checks import ConfigurationError

from benchmarks.common import Report, make_parser
from benchmarks.fuzz_commands import Call
from benchmarks.fuzz_counts import Size, plain
from benchmarks.fuzz_seeds import ENDINGS, Seed, corpus_parts
from benchmarks.fuzz_targets import Format, all_formats
from benchmarks.mutations import damage

CPU_SECONDS = 10
WALL_SECONDS = 120
MEMORY = 1 << 30
LONGEST_MESSAGE = 2000
SHOWN_FAULTS = 2

ANSWERED, REFUSED, FAULT = "answered", "refused", "faults"

# What an error may say of a file as a whole.
_WHOLE_FILE = re.compile(
    r"no sentences|only \d+ sentences|found \d+ sentences|no such file|one sentence; expected two"
    r"|no known ending|found no lemmas|Is a directory|No such file or directory|in the format "
    r"|expected an annotated file|Too many levels of symbolic links|found no \S* ?file"
    r"|found none of|on line no\. \d+|right at the beginning of the two files"
)


class TooSlow(BaseException):
    """Raised when a call takes more than `CPU_SECONDS`."""


class Outcome(NamedTuple):
    """
    What a call did.

    # Parameters

    kind : `str`
        `ANSWERED`, `REFUSED` or `FAULT`.
    what : `str`, optional
        The kind of the fault.
    detail : `str`, optional
        The error's message.
    """

    kind: str
    what: str = ""
    detail: str = ""


class CaseResult(NamedTuple):
    """The format, the mutations, and each call with its outcome."""

    format: str
    mutations: List[str]
    outcomes: List[Tuple[str, Outcome]]


class Fuzzer:
    """
    Runs cases. A case is determined by the seed, its number and the corpus.

    # Parameters

    formats : `Dict[str, Format]`
    seed : `int`
    """

    def __init__(self, formats: Dict[str, Format], seed: int) -> None:
        self.formats = formats
        self._seed = seed
        # More code reads the formats of annotated files than the others.
        annotated = [name for name in formats if name in ENDINGS]
        self._order = [*formats, *annotated, *annotated]

    def format_of(self, number: int) -> str:
        """The format of a case."""
        return self._order[number % len(self._order)]

    def run(self, number: int, faults: Optional[Path] = None) -> CaseResult:
        """
        # Parameters

        number : `int`
            The number of the case.
        faults : `Path`, optional
            Where to write the damaged file if there is a fault.
        """
        name = self.format_of(number)
        rng = random.Random(f"{self._seed} {number}")
        format = self.formats[name]
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            path, mutations = self._write(rng.choice(format.seeds), Path(folder), rng)
            outcomes = [
                (call.name, outcome_of(call, format, path, Path(folder)))
                for call in format.calls(path, rng)
            ]
            is_faulty = any(outcome.kind == FAULT for _, outcome in outcomes)
            if is_faulty and faults is not None and path.is_file():
                shutil.copyfile(path, faults / f"{number}-{path.name}")
        return CaseResult(name, mutations, outcomes)

    def _write(self, seed: Seed, folder: Path, rng: random.Random) -> Tuple[Path, List[str]]:
        """Writes the files of a seed, one of them damaged."""
        for name, data in seed.others.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        path = folder / seed.name
        path.parent.mkdir(parents=True, exist_ok=True)
        if rng.random() < 0.01:
            return path, [_no_file(path, rng)]
        data, mutations = damage(rng, seed.data)
        path.write_bytes(data)
        return path, mutations


def _no_file(path: Path, rng: random.Random) -> str:
    """Puts something that is no file in its place."""
    kind = rng.choice(("a folder", "a device", "a broken link", "a link to itself"))
    if kind == "a folder":
        path.mkdir()
    else:
        targets = {"a device": "/dev/null", "a broken link": "nowhere", "a link to itself": path}
        path.symlink_to(targets[kind])
    return kind


def outcome_of(call: Call, format: Format, path: Path, folder: Path) -> Outcome:
    """
    Runs a call.

    # Parameters

    path : `Path`
        The damaged file.
    folder : `Path`
        The folder of all files of the case.
    """
    try:
        with _limited_time():
            found = call.run()
        return _outcome_of_answer(found, format, path)
    except ConfigurationError as error:
        return outcome_of_message(error.message, folder, format.has_lines)
    except OSError as error:
        if error.filename is not None:
            return outcome_of_message(f"{error.filename}: {error.strerror}", folder)
        return _foreign(error)
    except TooSlow:
        return Outcome(FAULT, "too slow")
    except MemoryError:
        return Outcome(FAULT, "too much memory")
    except (Exception, SystemExit) as error:
        return _foreign(error)


def _foreign(error: BaseException) -> Outcome:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    return Outcome(FAULT, f"{type(error).__name__} at {place}", str(error))


def _outcome_of_answer(found: Optional[Size], format: Format, path: Path) -> Outcome:
    if found is None or format.count is None or not path.is_file():
        return Outcome(ANSWERED)
    expected = format.count(plain(path.read_bytes()))
    if found != expected:
        return Outcome(FAULT, "silent loss", f"found {found}; expected {expected}")
    return Outcome(ANSWERED)


def outcome_of_message(message: str, folder: Path, needs_line: bool = True) -> Outcome:
    """
    A refusal, or a fault if the message is too long or does not name a file of the folder and, if
    it needs to, a line.

    >>> outcome_of_message("corpus/dev.conllu: found 3; expected 4", Path("corpus"))
    Outcome(kind='faults', what='no line', detail='corpus/dev.conllu: found 3; expected 4')
    """
    if len(message) > LONGEST_MESSAGE:
        return Outcome(FAULT, "long message", f"{len(message)} characters: {message[:200]}")
    if str(folder) not in message:
        return Outcome(FAULT, "no file", message)
    if needs_line and not re.search(rf"{re.escape(str(folder))}[^:\n]*:\d+", message):
        if not _WHOLE_FILE.search(message):
            return Outcome(FAULT, "no line", message)
    return Outcome(REFUSED)


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Worker:
    """A process that runs cases, with little memory. If it hangs or dies, a new one follows."""

    def __init__(self, fuzzer: Fuzzer, faults: Path) -> None:
        self._fuzzer = fuzzer
        self._faults = faults
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        arguments = (self._fuzzer, self._faults, theirs)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def run(self, number: int) -> CaseResult:
        """Runs a case."""
        self._connection.send(number)
        what = f"no answer within {WALL_SECONDS} seconds"
        if self._connection.poll(WALL_SECONDS):
            try:
                return self._connection.recv()
            except EOFError:
                what = "the process died"
        self.stop()
        self._start()
        return CaseResult(self._fuzzer.format_of(number), [], [("", Outcome(FAULT, what))])

    def stop(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _serve(fuzzer: Fuzzer, faults: Path, connection: Connection) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    while True:
        connection.send(fuzzer.run(connection.recv(), faults))


class Tally:
    """Counts outcomes, and prints the first faults of each kind."""

    def __init__(self) -> None:
        self.files: Counter = Counter()
        self.calls: Counter = Counter()
        self._kinds: Counter = Counter()

    def add(self, number: int, result: CaseResult) -> None:
        """Counts the outcomes of a case."""
        self.files[result.format] += 1
        for call, outcome in result.outcomes:
            self.calls[result.format, outcome.kind] += 1
            if outcome.kind == FAULT:
                kind = result.format, outcome.what
                self._kinds[kind] += 1
                if self._kinds[kind] <= SHOWN_FAULTS:
                    by = f"{result.format}, {' and '.join(result.mutations)}"
                    detail = f"{outcome.what}: {outcome.detail[:300]!r}"
                    print(f"fault: case {number} ({by}): {call}: {detail}", flush=True)

    def rows(self, formats: Sequence[str]) -> List[List[Any]]:
        """The counts of each format, and of all."""
        rows = []
        for name in [*formats, None]:
            names = formats if name is None else [name]
            kinds = [
                sum(self.calls[each, kind] for each in names) for kind in (ANSWERED, REFUSED, FAULT)
            ]
            files = sum(self.files[each] for each in names)
            rows.append([name or "all", files, sum(kinds), *kinds])
        return rows


def parse_arguments() -> argparse.Namespace:
    """The options."""
    parser = make_parser(__doc__)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument(
        "--mutations", type=int, default=1000, help="the number of damaged files (default: 1000)"
    )
    amount.add_argument("--seconds", type=float, help="damage files for so long instead")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    parser.add_argument("--case", type=int, help="run one case here, with tracebacks")
    parser.add_argument(
        "--faults",
        type=Path,
        default=Path("fuzz-faults"),
        metavar="DIR",
        help="where to write files that led to faults (default: %(default)s)",
    )
    return parser.parse_args()


def run_cases(fuzzer: Fuzzer, args: argparse.Namespace) -> Tally:
    """Runs as many cases as the options say."""
    args.faults.mkdir(parents=True, exist_ok=True)
    tally, worker = Tally(), Worker(fuzzer, args.faults)
    end = time.monotonic() + args.seconds if args.seconds is not None else None
    try:
        for number in itertools.count():
            if number == args.mutations if end is None else time.monotonic() > end:
                return tally
            tally.add(number, worker.run(number))
    finally:
        worker.stop()
    raise AssertionError


def main() -> int:
    """Prints the table; returns the exit status."""
    args = parse_arguments()
    parts = corpus_parts(args.corpus, random.Random(args.seed))
    fuzzer = Fuzzer(all_formats(parts), args.seed)
    if args.case is not None:
        result = fuzzer.run(args.case)
        print(result.format, *result.mutations)
        for call, outcome in result.outcomes:
            print(call, *outcome)
        return 0
    source = "the sample" if args.corpus is None else "EWT dev"
    report = Report("fuzz", args, data=f"files of fixtures/, and parts of {source}")
    tally = run_cases(fuzzer, args)
    rows = tally.rows(list(fuzzer.formats))
    report.table(["format", "files", "calls", ANSWERED, REFUSED, FAULT], rows)
    report.at_most("faults", rows[-1][-1], 0)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
