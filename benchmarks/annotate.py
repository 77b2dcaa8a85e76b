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
from typing import Dict, List, Tuple

from allennlp.common.file_utils import open_compressed

from benchmarks.common import Cell, Report, make_parser

ENGINES: Dict[str, List[str]] = {
    "one process": ["--processes", "1"],
    "two processes": ["--processes", "2"],
    "two Ray workers": ["--processes", "2", "--address", "local"],
}
"""The options of each engine."""


def write_documents(source: Path, target: Path, number: int) -> None:
    with open_compressed(source, "rt") as lines, target.open("w") as output:
        texts = (line.strip() for line in lines if line.strip())
        for position, text in enumerate(itertools.islice(texts, number)):
            output.write(json.dumps({"id": position, "text": text}) + "\n")


def measure(
    args: argparse.Namespace, engine: str, corpus: Path, output: Path
) -> Tuple[List[Cell], Dict[str, bytes]]:
    """Runs the command; returns a row of the table, and the shards by name."""
    command = [sys.executable, "-m", "lisa_allennlp", "annotate", str(corpus), *ENGINES[engine]]
    command += ["--model", args.archive, "--rows-per-shard", str(args.rows_per_shard)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([*command, "--output", output], check=True, capture_output=True)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    # Ray's workers are no children of the command.
    cpu = float("nan")
    if "Ray" not in engine:
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    shards = {path.name: path.read_bytes() for path in sorted(output.glob("shard-*.jsonl"))}
    rows = (json.loads(line) for content in shards.values() for line in content.splitlines())
    words = sum(len(sentence["words"]) for row in rows for sentence in row["sentences"])
    return [engine, seconds, args.documents / seconds, words / seconds, cpu], shards


def main() -> int:
    parser = make_parser(__doc__, needs_corpus=True)
    parser.add_argument("--archive", default="english-fast", help="the model")
    parser.add_argument("--ray", action="store_true", help="measure two Ray workers, too")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rows-per-shard", type=int, default=1_000)
    args = parser.parse_args()
    engines = [engine for engine in ENGINES if args.ray or "Ray" not in engine]
    # For the description of the setting.
    args.processes = 2
    report = Report(
        "annotate", args, data=f"{args.documents:,} paragraphs of raw text; {args.archive}"
    )
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "documents.jsonl"
        write_documents(args.corpus, corpus, args.documents)
        measured = [measure(args, engine, corpus, Path(name) / engine) for engine in engines]
    header = ["engine", "seconds", "documents/s", "tokens/s", "CPU seconds"]
    report.table(header, [row for row, _ in measured])
    same = all(shards == measured[0][1] for _, shards in measured)
    report.at_least("same bytes from all", int(same), 1)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
