"""Precision, recall and F1 of predicate detection."""

from typing import Dict

from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics.sentence_metric import (
    SentenceMetric,
    frames_by_predicate,
    precision_recall_f1,
    required,
)


@Metric.register("predicate_score")
class PredicateScore(SentenceMetric):
    """
    Precision, recall and F1 of predicates, in percent: `predicate_precision`, `predicate_recall`
    and `predicate_f1`. A predicate is right if it has the position of a gold predicate; lemmas and
    senses are not compared. Sentences whose gold `frames` are `None` are skipped. After a sentence
    with gold frames, all three are reported; a score with a zero denominator is 0.

    >>> from lisa_allennlp.data.sentence import Frame
    >>> words = ["Stop", "talking"]
    >>> frames = [Frame(0, ["B-V", "B-ARG1"]), Frame(1, ["O", "B-V"])]
    >>> metric = PredicateScore()
    >>> metric([Sentence(words, frames=frames[:1])], [Sentence(words, frames=frames)])
    >>> {name: round(score, 1) for name, score in metric.get_metric().items()}
    {'predicate_precision': 100.0, 'predicate_recall': 50.0, 'predicate_f1': 66.7}
    """

    COUNTS = ("sentences", "correct", "excess", "missed")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.frames is None:
            return
        found = frames_by_predicate(required(predicted.frames, "frames", gold), gold).keys()
        wanted = frames_by_predicate(gold.frames, gold).keys()
        self._counts["sentences"] += 1
        self._counts["correct"] += len(found & wanted)
        self._counts["excess"] += len(found - wanted)
        self._counts["missed"] += len(wanted - found)

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        if not counts["sentences"]:
            return {}
        precision, recall, f1 = precision_recall_f1(
            counts["correct"], counts["excess"], counts["missed"]
        )
        return {
            "predicate_precision": precision,
            "predicate_recall": recall,
            "predicate_f1": f1,
        }
