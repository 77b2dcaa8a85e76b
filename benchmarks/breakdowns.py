"""
Where a model errs on the development part: F1 by part of speech of the predicate, by how often the
training part has its roleset, by length of the sentence and by role; and faulty frames. The model
gets the tokens and finds the predicates. These are the tables of `lisa analyze --train`.

    python -m benchmarks.breakdowns [--archive MODEL] [--corpus DIR] [--json FILE] [--check]
"""

import sys
from collections import Counter
from pathlib import Path

from benchmarks.common import Cell, Report, make_parser, read_dev, read_train
from lisa_allennlp import pretrained
from lisa_allennlp.analysis import analyze
from lisa_allennlp.analysis.report import tables
from lisa_allennlp.labelling.loading import load_labeller


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--archive", default=pretrained.DEFAULT, help="a trained LISA or SA")
    args = parser.parse_args()
    gold, train = read_dev(args.corpus), read_train(args.corpus)
    senses = Counter(frame.sense for sentence in train for frame in sentence.frames or [])
    report = Report("breakdowns", args, data=f"{len(gold)} sentences of dev")
    predicted = load_labeller(args.archive).pipe({"tokens": item.words} for item in gold)
    analysis = analyze(gold, {Path(args.archive).name: list(predicted)}, frequencies=senses)
    for table in tables(analysis):
        title, *columns = table.headings
        # Names are unique in the record: `words 1-10`, `ARG0`.
        prefix = "" if title == "role" else title
        named = [[f"{prefix} {name}".strip(), *map(_rounded, cells)] for name, *cells in table.rows]
        report.table([title, *columns], named)
    return report.finish()


def _rounded(cell: Cell) -> Cell:
    """Percentages have two decimals."""
    return round(cell, 2) if isinstance(cell, float) else cell


if __name__ == "__main__":
    sys.exit(main())
