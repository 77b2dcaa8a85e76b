"""Part-of-speech tagging."""

from operator import eq
from typing import Dict

from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics.sentence_metric import SentenceMetric, per_token


@Metric.register("pos_accuracy")
class PosAccuracy(SentenceMetric):
    """
    The share of tokens whose part-of-speech tag is right, `pos_accuracy`. Tokens of sentences
    whose gold `pos` is `None` do not count, and without any token nothing is reported.
    """

    COUNTS = ("tokens", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.pos is None:
            return
        found = per_token(predicted.pos, "POS tags", gold)
        wanted = per_token(gold.pos, "POS tags", gold)
        self._counts["tokens"] += len(wanted)
        self._counts["correct"] += sum(map(eq, found, wanted))

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        if not counts["tokens"]:
            return {}
        return {"pos_accuracy": 100 * counts["correct"] / counts["tokens"]}
