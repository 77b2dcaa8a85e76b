"""Predicate detection."""

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
    Precision, recall and F1 of predicates: `predicate_precision`, `predicate_recall` and
    `predicate_f1`. A predicate is right if a gold frame has the same position; lemmas and senses
    do not count. Once a sentence with gold frames was seen all three are reported, and 0 where
    there was nothing to divide; sentences whose `frames` are `None` do not count.
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
