"""What the metrics over labelled sentences have in common."""

from typing import Dict, Optional, Sequence, Tuple, TypeVar

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import Frame, Sentence

T = TypeVar("T")


class SentenceMetric(Metric):
    """
    A metric that compares predicted sentences with gold ones by counting. The counts are whole
    numbers, summed over sentences and over the workers of distributed training, so that scores
    depend neither on how sentences are batched nor on who counts them. Sentences without the gold
    annotation in question are left out, and a score of which nothing was counted is not reported:
    a 0 always is a measured 0.

    A subclass names its counts in `COUNTS`, counts a pair of sentences in `_count` and turns the
    sums into scores in `_scores`.
    """

    supports_distributed = True

    COUNTS: Tuple[str, ...] = ()

    def __init__(self) -> None:
        self._counts = dict.fromkeys(self.COUNTS, 0)

    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Sentence], gold: Sequence[Sentence]
    ) -> None:
        """
        # Parameters

        predicted : `Sequence[Sentence]`
        gold : `Sequence[Sentence]`
            The same sentences, in the same order.

        # Raises

        `ValueError`
            If they are not the same sentences, or a prediction lacks what the gold sentence has.
        """
        if len(predicted) != len(gold):
            raise ValueError(
                f"{len(predicted)} predicted sentences cannot be scored against {len(gold)} gold "
                "sentences: there must be one prediction for each"
            )
        for predicted_sentence, gold_sentence in zip(predicted, gold, strict=True):
            if len(predicted_sentence.words) != len(gold_sentence.words):
                raise ValueError(
                    f"a prediction of {len(predicted_sentence.words)} tokens cannot be scored "
                    f"against the {len(gold_sentence.words)} tokens of {quote(gold_sentence)}"
                )
            self._count(predicted_sentence, gold_sentence)

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            The scores, from 0 to 100, of all workers' sentences together.
        """
        sums = dist_reduce_sum(torch.tensor(list(self._counts.values()), dtype=torch.long))
        if reset:
            self.reset()
        return self._scores(dict(zip(self.COUNTS, sums.tolist(), strict=True)))

    def reset(self) -> None:
        """Forgets all sentences."""
        self._counts = dict.fromkeys(self.COUNTS, 0)

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        raise NotImplementedError

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        raise NotImplementedError


def precision_recall_f1(correct: int, excess: int, missed: int) -> Tuple[float, float, float]:
    """
    # Parameters

    correct : `int`
        How many were predicted rightly.
    excess : `int`
        How many were predicted that are not in gold.
    missed : `int`
        How many of gold were not predicted.

    # Returns

    `Tuple[float, float, float]`
        Percentages, and 0 where nothing could be divided, as srl-eval.pl has it.
    """
    precision = 100 * correct / (correct + excess) if correct + excess else 0.0
    recall = 100 * correct / (correct + missed) if correct + missed else 0.0
    f1 = 2 * precision * recall / (precision + recall) if correct else 0.0
    return precision, recall, f1


def required(annotation: Optional[T], name: str, gold: Sentence) -> T:
    """
    # Parameters

    annotation : `Optional[T]`
        What was predicted for a sentence.
    name : `str`
        What to call that in the message.
    gold : `Sentence`
        The sentence, which has that annotation.

    # Returns

    `T`
        The annotation.

    # Raises

    `ValueError`
        If it is `None`.
    """
    if annotation is None:
        raise ValueError(
            f"the gold sentence {quote(gold)} has {name}, but its prediction has none (None): "
            "leave the metric out for a model that does not predict them"
        )
    return annotation


def per_token(labels: Optional[Sequence[T]], name: str, gold: Sentence) -> Sequence[T]:
    """
    # Returns

    `Sequence[T]`
        The labels, of which there is one for every token.

    # Raises

    `ValueError`
        If there are none (see `required`) or not as many as tokens.
    """
    labels = required(labels, name, gold)
    if len(labels) != len(gold.words):
        raise ValueError(
            f"found {len(labels)} {name} for the {len(gold.words)} tokens of {quote(gold)}: "
            "expected one for each"
        )
    return labels


def frames_by_predicate(frames: Sequence[Frame], sentence: Sentence) -> Dict[int, Frame]:
    """
    # Returns

    `Dict[int, Frame]`
        The frames of a sentence under the positions of their predicates.

    # Raises

    `ValueError`
        If two have the same predicate: then no scorer knows which to compare.
    """
    found = {frame.predicate: frame for frame in frames}
    if len(found) != len(frames):
        positions = sorted(frame.predicate for frame in frames)
        raise ValueError(
            f"{quote(sentence)} has two frames for one predicate (0-based positions {positions}): "
            "only one frame a predicate can be scored"
        )
    return found


def quote(sentence: Sentence) -> str:
    """A sentence in quotes, for messages."""
    return '"' + " ".join(sentence.words) + '"'
