"""The accuracy of rolesets."""

from typing import Dict

from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import UNKNOWN, Sentence
from lisa_allennlp.training.metrics.sentence_metric import SentenceMetric


@Metric.register("sense_accuracy")
class SenseAccuracy(SentenceMetric):
    """
    `sense_accuracy` is the percentage of the found predicates with the roleset of gold: of the gold
    frames whose roleset is known and whose predicate is predicted.

    >>> from lisa_allennlp.data.sentence import Frame
    >>> words, tags = ["Stop", "now"], ["B-V", "O"]
    >>> gold = Sentence(words, frames=[Frame(0, tags, "stop", "stop.01")])
    >>> predicted = Sentence(words, frames=[Frame(0, tags, "stop", "stop.02")])
    >>> metric = SenseAccuracy()
    >>> metric([predicted, gold], [gold, gold])
    >>> metric.get_metric()
    {'sense_accuracy': 50.0}
    """

    COUNTS = ("frames", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        found = {frame.predicate: frame.sense for frame in predicted.frames or []}
        for frame in gold.frames or []:
            if frame.sense != UNKNOWN and frame.predicate in found:
                self._counts["frames"] += 1
                self._counts["correct"] += found[frame.predicate] == frame.sense

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        if not counts["frames"]:
            return {}
        return {"sense_accuracy": 100 * counts["correct"] / counts["frames"]}
