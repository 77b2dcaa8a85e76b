"""
How quickly a large corpus answers: its index, the first question of a process, and the next ones,
of different kinds. The tables are those of `lisa annotate --table`; the index is made anew.

    python -m benchmarks.find --labelled LABELLED [--runs N] [--json FILE] [--check]

The first answer is a whole `lisa find`, from the start of Python, with its model. A next one is to
understand a question and find 20 hits and the number of all, or to count what fills its roles.
Times are CPU seconds of all threads.
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Tuple

import lisa_allennlp
from benchmarks.common import Report, clock, make_parser
from lisa_allennlp.apps.find import Corpus, Question, understand
from lisa_allennlp.apps.find.index import INDEX, table_files
from lisa_allennlp.labelling.labeller import Labeller

QUESTIONS: Dict[str, Dict[str, Any]] = {
    "WHO acquired WHAT": {},
    "WHO was arrested WHY": {},
    "SOMEBODY died WHERE": {},
    "WHEN was WHO born": {},
    "WHAT causes cancer": {},
    "Nobody believed WHAT": {},
    "WHO bought WHAT": {"like": True},
    "any sense of return": {"lemmas": ["return"]},
    "Google does something": {"roles": {"ARG0": "Google"}, "asked": ["ARG1"]},
    "a phrase": {"roles": {"ARG1": "the United States"}, "asked": ["ARG0"]},
}
"""By example, where there is a word in capitals; the others need no model."""

FIRST, NEXT = 1.0, 0.2
"""The longest that a person should wait, in seconds."""


def main() -> int:
    parser = make_parser(__doc__)
    text = "the folder of `lisa annotate --table`"
    parser.add_argument("--labelled", type=Path, required=True, help=text)
    args = parser.parse_args()
    files = table_files(str(args.labelled))
    index = args.labelled / INDEX
    index.unlink(missing_ok=True)
    start = clock()
    corpus = Corpus(args.labelled)
    seconds = clock() - start
    megabytes = [sum(file.stat().st_size for file in found) / 1e6 for found in (files, [index])]
    report = Report("find", args, data=f"{len(corpus):,} events")
    header = ["index", "events", "seconds", "MB of tables", "MB"]
    report.table(header, [["events.duckdb", len(corpus), seconds, *megabytes]])
    first = [_first_answer(args.labelled) for _ in range(args.runs)]
    lisa = lisa_allennlp.load()
    lisa("The first sentence takes longer.")
    rows, times = [], []
    for text, options in QUESTIONS.items():
        runs = [_next_answer(corpus, lisa, text, options) for _ in range(args.runs)]
        medians = [statistics.median(run) for run in zip(*runs, strict=True)]
        hits = corpus.number(_question(lisa, text, options))
        rows.append([text, hits, *(1000 * seconds for seconds in medians)])
        times += medians
    report.table(["question", "hits", "hits, ms", "counts, ms"], rows)
    report.at_most("first answer, s", first, FIRST)
    report.at_most("slowest next answer, s", max(times), NEXT)
    return report.finish()


def _question(lisa: Labeller, text: str, options: Dict[str, Any]) -> Question:
    has_capitals = any(len(word) > 1 and word.isupper() for word in text.split())
    example = understand(text, lisa) if has_capitals else Question()
    return example.changed(Question(**options))


def _next_answer(
    corpus: Corpus, lisa: Labeller, text: str, options: Dict[str, Any]
) -> Tuple[float, float]:
    start = clock()
    question = _question(lisa, text, options)
    corpus.find(question)
    corpus.number(question)
    found = clock()
    corpus.count(question, question.asked or ["ARG1"], 20)
    return found - start, clock() - found


def _first_answer(labelled: Path) -> float:
    command = [sys.executable, "-m", "lisa_allennlp", "find", str(labelled), "WHO acquired WHAT"]
    # An installed package has its bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
