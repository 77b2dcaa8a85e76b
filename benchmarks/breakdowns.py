"""
Where a model errs on the development part: F1 by part of speech of the predicate, by how often the
training part has its roleset, by length of the sentence and by role; and faulty frames. The model
gets the tokens and finds the predicates. These are the tables of `lisa analyze --train`. Another
one has the rolesets that are right, by how often the training part has the gold one, and those with
a particle, in gold and predicted.

    python -m benchmarks.breakdowns [--archive MODEL] [--corpus DIR] [--json FILE] [--check]
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Dict, List, Mapping, Sequence, Tuple

from benchmarks.common import Cell, Report, make_parser, read_dev, read_train
from lisa_allennlp.apps.analyze import analyze
from lisa_allennlp.apps.analyze.breakdowns import FREQUENCY_BINS, bin_of
from lisa_allennlp.apps.analyze.report import tables
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.sentence import Sentence


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--archive", default=pretrained.DEFAULT, help="a trained LISA or SA")
    args = parser.parse_args()
    gold, train = read_dev(args.corpus), read_train(args.corpus)
    senses = Counter(frame.sense for sentence in train for frame in sentence.frames or [])
    report = Report("breakdowns", args, data=f"{len(gold)} sentences of dev")
    predicted = list(load_labeller(args.archive).pipe({"tokens": item.words} for item in gold))
    analysis = analyze(gold, {Path(args.archive).name: predicted}, frequencies=senses)
    for table in tables(analysis):
        title, *columns = table.headings
        # Names are unique in the record: `words 1-10`, `ARG0`.
        prefix = "" if title == "role" else title
        named = [[f"{prefix} {name}".strip(), *map(_rounded, cells)] for name, *cells in table.rows]
        report.table([title, *columns], named)
    columns = ["rolesets", "predicates", "found by both", "right", "% of both"]
    report.table(columns, sense_rows(gold, predicted, senses))
    return report.finish()


def sense_rows(
    gold: Sequence[Sentence], predicted: Sequence[Sentence], frequencies: Mapping[str, int]
) -> List[List[Cell]]:
    """
    The number of predicates with rolesets of a kind, of those that both sides have, and of those
    with the same roleset, also in percent.
    """
    pairs: List[Tuple[str, str]] = []
    for sides in zip(gold, predicted, strict=True):
        own, other = ({f.predicate: f.sense or "" for f in s.frames or []} for s in sides)
        pairs += [(own.get(place, ""), other.get(place, "")) for place in {*own, *other}]
    kinds: Dict[str, List[Tuple[str, str]]] = {
        f"rolesets in train {range_.label}": [
            (sense, found)
            for sense, found in pairs
            if sense and bin_of(frequencies.get(sense, 0), FREQUENCY_BINS) is range_
        ]
        for range_ in FREQUENCY_BINS
    }
    kinds["with a particle"] = [pair for pair in pairs if "_" in pair[0]]
    kinds["predicted with one"] = [pair for pair in pairs if "_" in pair[1]]
    rows: List[List[Cell]] = []
    for kind, chosen in kinds.items():
        both = [sense == found for sense, found in chosen if sense and found]
        share = 100 * sum(both) / max(len(both), 1)
        rows.append([kind, len(chosen), len(both), sum(both), round(share, 2)])
    return rows


def _rounded(cell: Cell) -> Cell:
    return round(cell, 2) if isinstance(cell, float) else cell


if __name__ == "__main__":
    sys.exit(main())
