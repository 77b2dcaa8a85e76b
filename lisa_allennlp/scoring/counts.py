"""What all measures share: counts, the scores that follow from them, and `Evaluation`."""

from dataclasses import dataclass
from operator import iadd
from typing import Any, Dict, List, Tuple

from lisa_allennlp.common.tables import Cell, Table, write_table

Ratio = Tuple[float, float]
"""
The numerator and the denominator of a score. A corpus's score is the sum of the numerators, divided
by the sum of the denominators, in percent.
"""


COUNTS_HEADINGS = ("corr.", "excess", "missed", "prec.", "rec.", "F1")


class Summed:
    def add(self, other: Any) -> None:
        for name, value in vars(other).items():
            setattr(self, name, iadd(getattr(self, name), value))


@dataclass
class Counts(Summed):
    """
    The numbers of predictions in gold, of other predictions, and of missed gold items. Scores are
    in percent, and 0 for a zero denominator, as in srl-eval.pl.
    """

    correct: int = 0
    excess: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        found = self.correct + self.excess
        return 100 * self.correct / found if found else 0.0

    @property
    def recall(self) -> float:
        wanted = self.correct + self.missed
        return 100 * self.correct / wanted if wanted else 0.0

    @property
    def f1(self) -> float:
        # In the order of srl-eval.pl's operations, so that the last digit is the same.
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if self.correct else 0.0

    def to_dict(self) -> Dict[str, float]:
        return {
            "correct": self.correct,
            "excess": self.excess,
            "missed": self.missed,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }

    def cells(self) -> List[Cell]:
        numbers = self.correct, self.excess, self.missed
        return [*numbers, self.precision, self.recall, self.f1]

    def ratios(self, name: str) -> Dict[str, Ratio]:
        found, wanted = self.correct + self.excess, self.correct + self.missed
        return {
            f"{name} precision": (self.correct, found),
            f"{name} recall": (self.correct, wanted),
            f"{name} F1": (2 * self.correct, found + wanted),
        }


class Evaluation:
    def table(self, style: str = "text") -> str:
        """
        Returns the scores as the measure's original script prints them, or in another style of
        `lisa_allennlp.common.tables.STYLES`.
        """
        return "\n\n".join(write_table(table, style) for table in self.tables())

    def tables(self) -> List[Table]:
        raise NotImplementedError

    def to_dict(self) -> Dict[str, Any]:
        raise NotImplementedError

    def sentence_ratios(self) -> List[Dict[str, Ratio]]:
        """The names of scores are the same for all sentences."""
        raise NotImplementedError

    def notes(self) -> List[str]:
        """Returns sentences on what the scores leave out or take for granted."""
        return []
