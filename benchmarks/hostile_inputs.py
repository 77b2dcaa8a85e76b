"""
Bad lines, odd lines and good lines in random order, through `lisa predict --skip-bad-lines` in one
process and in two: whether each line has its answer or its error, and the peak memory.

    python -m benchmarks.hostile_inputs [--archive MODEL] [--lines N] [--seed N] [--json FILE]

First a single line shows how much address space the model needs. The runs get 128 MB more, in which
`english` cannot label a sentence of 2,000 words: its allocations fail.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from benchmarks.common import Report, make_parser, read_dev

PROCESSES = (1, 2)

MORE_SPACE = 128 * 2**20
"""The address space, in bytes, that a run has in addition to that of a single line."""

CHILD = """
import resource, sys
from lisa_allennlp.__main__ import main
limit = int(sys.argv[1])
if limit:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
status = main(sys.argv[2:])
memory = max(resource.getrusage(who).ru_maxrss for who in (0, resource.RUSAGE_CHILDREN))
space = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmPeak"))
print("PEAKS", 1024 * memory, 1024 * int(space), file=sys.stderr)
sys.exit(status)
"""

SHOWN = 5
"""The number of lost lines to show."""

Make = Callable[[random.Random], bytes]


class Line(NamedTuple):
    """
    # Parameters

    kind : `str`
        `good` has to be answered, `bad` has to be an error, `odd` may be either.
    """

    kind: str
    content: bytes


class Run(NamedTuple):
    """
    A run of the command.

    # Parameters

    memory : `int`
        The peak memory of its largest process, in bytes.
    address_space : `int`
        The peak of its first process, in bytes.
    """

    records: List[bytes]
    messages: str
    memory: int
    address_space: int


def line_of(value: Any) -> bytes:
    """A value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def nested(levels: int) -> bytes:
    """A line with a key of nested lists."""
    return b'{"sentence": "Go.", "id": %s%s}' % (b"[" * levels, b"]" * levels)


BAD: Dict[str, Make] = {
    "surrogate in a sentence": lambda _: b'{"sentence": "a \\ud800 saw"}',
    "surrogate in tokens": lambda _: b'{"tokens": ["a \\udc00", "saw"]}',
    "surrogate in a text": lambda _: b'{"text": "a \\ud800 saw"}',
    "surrogate in an id": lambda _: b'{"sentence": "Go.", "id": "\\ud800"}',
    "surrogate in a key": lambda _: b'{"sentence": "Go.", "\\ud800": 1}',
    "NaN": lambda _: b'{"sentence": "Go.", "id": NaN}',
    "infinity": lambda _: b'{"sentence": "Go.", "id": [-Infinity]}',
    "large exponent": lambda _: b'{"sentence": "Go.", "id": 1e999}',
    "5,000 digits": lambda _: b'{"sentence": "Go.", "id": %s}' % (b"9" * 5000),
    "a key twice": lambda _: b'{"sentence": "Go.", "id": 1, "id": 2}',
    "nested lists": lambda r: nested(r.choice((101, 900, 975, 980, 985, 990, 1000, 100_000))),
    "nested sentence": lambda r: b'{"sentence": %s%s}' % ((b"[" * 980), b"]" * 980),
    "no UTF-8": lambda r: b'{"sentence": "\xff%d"}' % r.randrange(9),
    "UTF-8 of a surrogate": lambda _: b'{"sentence": "\xed\xa0\x80"}',
    "zero byte": lambda _: b'\x00{"sentence": "Go."}',
    "two byte order marks": lambda _: b'\xef\xbb\xbf\xef\xbb\xbf{"sentence": "Go."}',
    "other JSON": lambda r: r.choice((b"3", b"null", b"{}", b"true", b"[[]]", b'{"tokens": null}')),
    "cut JSON": lambda r: b'{"sentence": "She left."}'[: r.randrange(1, 24)],
    "2,001 words": lambda _: line_of({"tokens": ["w"] * 2001}),
    "10,000 words": lambda _: line_of({"sentence": "word " * 10_000}),
    "100,000 words": lambda _: line_of({"tokens": ["w"] * 100_000}),
    "large text": lambda _: line_of({"text": "word " * 1_000_001}),
}
"""Lines that cannot be labelled, for any model."""

BAD_FOR_LISA: Dict[str, Make] = {
    "cycle": lambda _: line_of({"tokens": ["a", "b", "c"], "head_indices": [2, 3, 2]}),
    "its own head": lambda _: line_of({"tokens": ["a", "b"], "head_indices": [0, 2]}),
    "large head": lambda _: line_of({"tokens": ["a", "b"], "head_indices": [0, 10**30]}),
    "large predicate": lambda _: line_of({"tokens": ["a"], "predicates": [10**400]}),
}
"""Lines that cannot be labelled with LISA."""

ODD: Dict[str, Make] = {
    "2,000 words": lambda _: line_of({"tokens": ["word"] * 2000}),
    "word of 1 MB": lambda _: line_of({"tokens": ["a" * 1_000_000]}),
    "text of 1 MB without space": lambda _: line_of({"sentence": "a" * 1_000_000}),
    "a document of long words": lambda _: line_of({"text": "a" * 20_000}),
    "4,000 digits": lambda _: b'{"sentence": "Go.", "id": %s}' % (b"9" * 4000),
    "100 levels": lambda _: nested(100),
    "separators": lambda _: line_of({"sentence": "Go\u2028on\x85.", "id": "\u2029\x00"}),
    "byte order mark": lambda _: b'\xef\xbb\xbf{"sentence": "Go."}\r',
    "white space": lambda r: line_of({"tokens": [r.choice(" \t\n\u200b\u00a0\x00")]}),
    "nothing": lambda r: r.choice((b"[]", b'""', b'{"tokens": []}', b'{"text": ""}')),
    "any characters": lambda r: line_of(
        {"sentence": "".join(chr(r.randrange(0x11000)) for _ in range(50)), "id": r.random()}
    ),
}
"""Lines that may be labelled or refused."""


def make_lines(number: int, seed: int, words: Sequence[List[str]], model: str) -> List[Line]:
    """Half of the lines are good; each other kind has at least one line if there is room."""
    from lisa_allennlp import load
    from lisa_allennlp.labelling.lisa_labeller import LisaLabeller

    labeller = load(model)
    pos = labeller.simplest_request().sentence.pos
    others = [("bad", make) for make in BAD.values()] + [("odd", make) for make in ODD.values()]
    if isinstance(labeller, LisaLabeller):
        others += [("bad", make) for make in BAD_FOR_LISA.values()]
    chance = random.Random(seed)
    lines = []
    for n in range(number // 2):
        tokens = words[n % len(words)]
        good = {"id": n, "tokens": tokens, **({} if pos is None else {"pos": pos * len(tokens)})}
        kind, make = others[n % len(others)]
        lines += [Line("good", line_of(good)), Line(kind, make(chance))]
    chance.shuffle(lines)
    return lines


def predict(model: str, lines: Sequence[Line], limit: int = 0, processes: int = 1) -> Run:
    """Runs the command on a file of lines, with a limit of its address space in bytes."""
    with TemporaryDirectory() as folder:
        source, output = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
        source.write_bytes(b"".join(line.content + b"\n" for line in lines))
        options = ["--skip-bad-lines", "--silent", "--processes", str(processes)]
        options += ["--predictor-args", '{"output_format": "json"}', "--output-file", str(output)]
        command = [sys.executable, "-c", CHILD, str(limit), "predict", model, str(source)]
        process = subprocess.run(
            [*command, *options],
            stderr=subprocess.PIPE,
            env={"OMP_NUM_THREADS": "1", **os.environ},
        )
        messages = process.stderr.decode()
        records = output.read_bytes().split(b"\n")[:-1] if output.exists() else []
    memory, address_space = map(int, messages.rpartition("PEAKS")[2].split())
    return Run(records, messages, memory, address_space)


def is_answered(line: Line, position: int, record: bytes) -> Tuple[bool, bool]:
    """Whether the record is the right one for the line, and whether it is an error."""
    try:
        found = json.loads(record.decode(), parse_constant=refuse)
    except ValueError:
        return False, False
    if not isinstance(found, dict):
        return False, False
    if "line" in found and "error" in found:
        return line.kind != "good" and found["line"] == position, True
    if line.kind == "bad":
        return False, False
    given = json.loads(line.content.decode("utf-8-sig"))
    if not isinstance(given, dict):
        return True, False
    copied = {key: value for key, value in given.items() if key in ("id", "text")}
    words = given.get("tokens", found.get("words"))
    return found.items() >= copied.items() and found.get("words") == words, False


def refuse(constant: str) -> None:
    """JSON has no NaN and no infinity."""
    raise ValueError(constant)


def counts(lines: Sequence[Line], run: Run) -> List[float]:
    """The figures of a run, as in `HEADER`."""
    records: List[Optional[bytes]] = [*run.records, *[None] * (len(lines) - len(run.records))]
    checked = [
        (False, False) if record is None else is_answered(line, position, record)
        for position, (line, record) in enumerate(zip(lines, records, strict=True), start=1)
    ]
    lost = [line for line, (is_right, _) in zip(lines, checked, strict=True) if not is_right]
    for line in lost[:SHOWN]:
        print("lost:", line.kind, line.content[:60])
    if lost:
        print(run.messages[-2000:])
    return [
        len(lines),
        sum(line.kind == "bad" for line in lines),
        sum(is_right and not is_error for is_right, is_error in checked),
        sum(is_right and is_error for is_right, is_error in checked),
        sum(b"allocate memory" in record or b"MemoryError" in record for record in run.records),
        len(lost),
        run.messages.count("Traceback"),
        run.memory / 1e6,
    ]


HEADER = [
    "run",
    "lines",
    "bad",
    "answers",
    "errors",
    "out of memory",
    "lost",
    "tracebacks",
    "peak memory, MB",
]


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", default="english", help="the model (default: english)")
    parser.add_argument("--lines", type=int, default=600, help="number of lines (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of the order (default: 1)")
    args = parser.parse_args()
    words = [sentence.words for sentence in read_dev(args.corpus)]
    lines = make_lines(args.lines, args.seed, words, args.archive)
    data = f"{len(lines)} lines, half of them sentences of {'EWT' if args.corpus else 'the sample'}"
    report = Report("hostile_inputs", args, needs_corpus=False, seed=str(args.seed), data=data)
    good = [line for line in lines if line.kind == "good"]
    needed = [predict(args.archive, good[:1], 0, number).address_space for number in PROCESSES]
    limit = max(needed) + MORE_SPACE
    rows: List[List[Any]] = []
    for processes in PROCESSES:
        run = predict(args.archive, lines, limit, processes)
        name = f"{processes} process{'es' * (processes > 1)}"
        rows.append([name, *counts(lines, run)])
        figures = dict(zip(HEADER, rows[-1], strict=True))
        report.at_most(f"lost lines, {name}", figures["lost"], 0)
        report.at_most(f"tracebacks, {name}", figures["tracebacks"], 0)
    report.table(HEADER, rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
