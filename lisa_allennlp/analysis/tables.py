"""
The scores of an `Analysis` as tables.

    >>> from lisa_allennlp.analysis import analyze
    >>> from lisa_allennlp.common.tables import write_table
    >>> from lisa_allennlp.data.sentence import Frame, Sentence
    >>> words, tags = ["She", "sold", "cars"], ["PRP", "VBD", "NNS"]
    >>> gold = [Sentence(words, tags, [Frame(1, ["B-ARG0", "B-V", "B-ARG1"])])]
    >>> predicted = [Sentence(words, tags, [Frame(1, ["B-ARG0", "B-V", "O"])])]
    >>> print(write_table(list(tables(analyze(gold, {"LISA": predicted})))[1]))
    predicate  frames       P      R     F1
    verb            1  100.00  50.00  66.67
    noun            0    0.00   0.00   0.00
    adjective       0    0.00   0.00   0.00
    other           0    0.00   0.00   0.00
"""

from typing import Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from lisa_allennlp.analysis.analysis import Analysis
from lisa_allennlp.analysis.breakdowns import Bin, counts_of_role
from lisa_allennlp.analysis.intervals import Score
from lisa_allennlp.common.tables import Cell, Table
from lisa_allennlp.data.formats.roles import VERB
from lisa_allennlp.scoring.counts import Counts

Scores = Mapping[str, Union[Score, Counts]]


def tables(analysis: Analysis) -> Iterator[Table]:
    """
    Yields the scores of all arguments; those by part of speech of the predicate, by frequency of
    its roleset, by length of the sentence and by role, as far as they are known; and the faults.
    """
    overall = analysis.overall.items()
    yield Table(["", "P", "R", "F1"], [[name, *_percents({"": score})] for name, score in overall])
    one = len(analysis.systems) == 1
    systems = [h for name in analysis.systems for h in ("P" if one else f"{name} P", "R", "F1")]
    groups: List[Tuple[str, str, Optional[Sequence[Bin]]]] = [
        ("predicate", "frames", analysis.word_classes),
        ("roleset in train", "frames", analysis.roleset_frequencies),
        ("words", "sentences", analysis.sentence_lengths),
    ]
    for name, sizes, bins in groups:
        if bins is not None:
            rows = [[item.label, item.size, *_percents(item.scores)] for item in bins]
            yield Table([name, sizes, *systems], rows)
    roles = counts_of_role(analysis.roles).items()
    rows = [[r, _num_gold(counts), *_percents(counts)] for r, counts in roles if r != VERB]
    yield Table(["role", "arguments", *systems], rows)
    faults = {"gold": analysis.gold_faults, **analysis.faults}.items()
    headings = ["frames of", "frames", "repeated core role", "R-X or C-X without X", "either"]
    rows = [[name, f.frames, f.repeated, f.orphans, f.malformed] for name, f in faults]
    if analysis.gold_faults.objects is not None:
        headings += ["objects", "not covered", "%"]
        for row, (_, found) in zip(rows, faults, strict=True):
            total, bare = found.objects or 0, found.bare_objects or 0
            row += [total, bare, 100 * bare / max(total, 1)]
    yield Table(headings, rows)


def _percents(scores: Scores) -> List[Cell]:
    """Precision, recall and F1 of each system."""
    return [v for score in scores.values() for v in (score.precision, score.recall, score.f1)]


def _num_gold(scores: Mapping[str, Counts]) -> int:
    first = next(iter(scores.values()))
    return first.correct + first.missed
