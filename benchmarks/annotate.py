"""
`lisa annotate` on raw text: its speed in one process, in two processes and on two Ray workers, all
of which have to write the same bytes.

    python -m benchmarks.annotate --corpus FILE --archive english-fast [--ray] [--json FILE]

FILE is plain text, or `.gz` of it, with a document per line.
"""

import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, List, Tuple, cast

from allennlp.common.file_utils import open_compressed

from benchmarks.common import Report, make_parser

ENGINES: Dict[str, List[str]] = {
    "one process": ["--processes", "1"],
    "two processes": ["--processes", "2"],
    "two Ray workers": ["--processes", "2", "--address", "local"],
}
"""The options of each engine."""


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


def shards(output: Path) -> Dict[str, bytes]:
    """The shards of an output folder, by name."""
    return {path.name: path.read_bytes() for path in sorted(output.glob("shard-*.jsonl"))}


def rows(found: Dict[str, bytes]) -> List[dict]:
    """The rows of all shards."""
    return [json.loads(line) for content in found.values() for line in content.splitlines()]


def number_of_words(found: Dict[str, bytes]) -> int:
    """The number of tokens of all shards."""
    return sum(len(s["words"]) for row in rows(found) for s in row["sentences"])


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
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rows-per-shard", type=int, default=1_000)
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: a file of plain text is needed")
    engines = [engine for engine in ENGINES if args.ray or "Ray" not in engine]
    # For the description of the setting.
    args.processes = 2
    report = Report(
        "annotate", args, data=f"{args.documents:,} paragraphs of raw text; {args.archive}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _report_speed(args, report, engines, folder)
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


if __name__ == "__main__":
    sys.exit(main())
