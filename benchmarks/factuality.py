"""
Whether events happened, against people's answers: the probabilities of a model (`happened`), and
the rules, by which what is asserted, attributed or asked has happened. Without a model, the rules
read the gold labels.

    python -m benchmarks.factuality --gold ewt-dev.conllu --answers dev.tsv [--archive MODEL]
        [--json FILE] [--check]

`experiments.english.factuality` made the corpus from the table of answers. Agreement is with the
verbs on which two people agree. The correlation r with values, the calibration error in ten bins of
equal size and the best temperature, by which the model's own is multiplied, are those of all verbs
that have an event.
"""

import csv
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import numpy

import lisa_allennlp
from benchmarks.common import Report, make_parser
from lisa_allennlp.sentence.document import ID
from lisa_allennlp.sentence.event import ASKED, ASSERTED, ATTRIBUTED

BINS = 10
TEMPERATURES = [round(0.5 + 0.05 * step, 2) for step in range(60)]
_LEAST = 5e-5
"""Reported probabilities are rounded."""

Answers = Tuple[float, float, bool]
"""The share of people who say that it happened, the value, and whether two people agree."""


def read_answers(path: Path) -> Dict[Tuple[str, int], Answers]:
    """Reads the answers about each verb, by its sentence and its position from 0."""
    found = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            answers = row["happened"].split(",")
            share = answers.count("1") / len(answers)
            agreed = len(answers) == 2 and share in (0, 1)
            place = row["sent_id"], int(row["token"]) - 1
            found[place] = share, float(row["factuality"]), agreed
    return found


def figures(verbs: numpy.ndarray, agreed: int) -> Dict[str, float]:
    """
    Returns the figures of verbs with an event: rows of the probability, the `Answers`, and whether
    it is negated. People agree on so many verbs, with or without an event.
    """
    expected, shares, values, is_agreed, negated = verbs.T
    right = (expected > 0.5) == (shares > 0.5)
    of = {"agreement": negated >= 0, "negated": negated > 0, "others": negated == 0}
    bins = numpy.array_split(expected.argsort(kind="stable"), BINS)
    errors = [len(own) * abs((expected - shares)[own].mean()) for own in bins if len(own)]
    clipped = expected.clip(_LEAST, 1 - _LEAST)
    scaled = numpy.log(clipped / (1 - clipped)) / numpy.array(TEMPERATURES)[:, None]
    losses = (numpy.logaddexp(0, scaled) - shares * scaled).mean(1)
    return {
        "agreed": agreed,
        "with an event": 100 * is_agreed.sum() / agreed,
        **{name: 100 * right[own & (is_agreed > 0)].mean() for name, own in of.items()},
        "r": numpy.corrcoef(expected, values)[0, 1],
        "r of others": numpy.corrcoef(expected[negated == 0], values[negated == 0])[0, 1],
        "calibration error": 100 * sum(errors) / len(verbs),
        "temperature": TEMPERATURES[losses.argmin()],
    }


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--gold", type=Path, required=True, help="CoNLL-U with sent_id")
    parser.add_argument("--answers", type=Path, required=True, help="the table of answers")
    parser.add_argument("--archive", help="a trained LISA")
    args = parser.parse_args()
    answers = read_answers(args.answers)
    sentences = gold = lisa_allennlp.read(args.gold)
    if args.archive is not None:
        sentences = [*lisa_allennlp.load(args.archive).pipe(one.words for one in gold)]
    rows: Dict[str, List[Tuple[float, ...]]] = {"happened": [], "rules": []}
    for sentence, wanted in zip(sentences, gold, strict=True):
        for event in sentence.events:
            known = answers.get((wanted.extra[ID], event.predicate))
            by_rules = float(event.factuality in (ASSERTED, ATTRIBUTED, ASKED))
            for name, expected in (("happened", event.happened), ("rules", by_rules)):
                if known is not None and expected is not None:
                    rows[name].append((expected, *known, event.negated))
    agreed = sum(agreed for _, _, agreed in answers.values())
    report = Report("factuality", args, data=f"{len(answers)} verbs")
    found = {n: figures(numpy.array(verbs), agreed) for n, verbs in rows.items() if verbs}
    for name, row in found.items():
        report.table(["", *row], [[name, *(round(float(value), 3) for value in row.values())]])
    first = next(iter(found.values()))
    for name, bar in {"with an event": 91.8, "agreement": 90.0, "r": 0.8}.items():
        report.at_least(name, float(first[name]), bar)
    report.at_most("calibration error", float(first["calibration error"]), 3.0)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
