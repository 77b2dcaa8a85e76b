"""Metrics registered as AllenNLP's `Metric`: scores that match the official scorers."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Type

import torch
from allennlp.common.util import is_distributed
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from lisa_allennlp.scoring import measures
from lisa_allennlp.sentence.sentence import Sentence


class SentenceMetric(Metric):
    supports_distributed = True

    measure: Type[measures.Measure]

    def __init__(self) -> None:
        self.reset()

    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Sentence], gold: Sequence[Sentence]
    ) -> None:
        self._measure(predicted, gold)

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        counts = self._measure.counts
        sums = dist_reduce_sum(torch.tensor(list(counts.values()), dtype=torch.long))
        if reset:
            self.reset()
        return self._measure.scores_of(dict(zip(counts, sums.tolist(), strict=True)))

    def reset(self) -> None:
        self._measure = self.measure()


@Metric.register("pos_accuracy")
class PosAccuracy(SentenceMetric):
    measure = measures.PosAccuracy


@Metric.register("dependency_score")
class DependencyScore(SentenceMetric):
    measure = measures.DependencyScore


@Metric.register("predicate_score")
class PredicateScore(SentenceMetric):
    measure = measures.PredicateScore


@Metric.register("srl_score")
class SrlScore(SentenceMetric):
    measure = measures.SrlScore


@Metric.register("sense_accuracy")
class SenseAccuracy(SentenceMetric):
    measure = measures.SenseAccuracy


class FactualityCorrelation(Metric):
    """
    Pearson's correlation of expected and annotated values; 0 if either does not vary. Unlike
    AllenNLP's, it takes batches of fewer than two values.
    """

    def __init__(self) -> None:
        self.reset()

    def __call__(self, expected: torch.Tensor, annotated: torch.Tensor) -> None:  # type: ignore[override]
        self._pairs.append(torch.stack([*self.detach_tensors(expected, annotated)]).double().cpu())

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        pairs = torch.cat([torch.zeros(2, 0), *self._pairs], dim=1)
        if reset:
            self.reset()
        if pairs.size(1) < 2:
            return {}
        return {"factuality_r": float(torch.corrcoef(pairs)[0, 1].nan_to_num())}

    def reset(self) -> None:
        self._pairs: List[torch.Tensor] = []


@Metric.register("supertag_accuracy")
class SupertagAccuracy(Metric):
    """
    The percentage of tokens with the right supertag. `accuracy` counts all tokens;
    `top<k>_accuracy` counts a token as right if the gold supertag is among the k best;
    `unseen_word_accuracy` counts words that are not in the training data; and
    `rare_supertag_accuracy` counts tokens whose gold supertag is rare in the training data.
    Accuracies over no tokens are not reported. A gold supertag missing from the model's vocabulary
    counts as wrong, as in the paper (Wu, Zhang and Zong 2016). Counts are summed over the workers
    of distributed training.
    """

    supports_distributed = True

    def __init__(self, top_k: int = 5) -> None:
        others = ("unseen_word_accuracy", "rare_supertag_accuracy")
        self._names = ("accuracy", f"top{top_k}_accuracy", *others)
        self.top_k = top_k
        self.reset()

    def __call__(
        self,
        ranked: torch.Tensor,
        gold: torch.Tensor,
        is_unseen_word: Optional[torch.Tensor] = None,
        is_rare_supertag: Optional[torch.Tensor] = None,
    ) -> None:
        """
        Counts tokens. `ranked`, shape `(num_tokens, k)`, has their labels from the best to the k-th
        best, `gold`, shape `(num_tokens,)`, a negative number for labels missing from the model's
        vocabulary. The masks have the shape of `gold`.
        """
        hits = (ranked == gold.unsqueeze(-1)) & (gold >= 0).unsqueeze(-1)
        is_right = hits[:, 0]
        parts = [is_right, hits.any(-1)]
        for mask in (is_unseen_word, is_rare_supertag):
            parts.append(is_right[:0] if mask is None else is_right[mask])
        for i, part in enumerate(parts):
            self._right[i] += int(part.sum())
            self._all[i] += part.numel()

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        sums = dist_reduce_sum(torch.tensor([self._right, self._all], dtype=torch.long)).tolist()
        if reset:
            self.reset()
        scores: Dict[str, float] = {}
        for name, right, total in zip(self._names, *sums, strict=True):
            scores.update(measures.share(name, right, total))
        return scores

    def reset(self) -> None:
        self._right = [0] * len(self._names)
        self._all = [0] * len(self._names)


@Metric.register("mean_losses")
class MeanLosses(Metric):
    """
    The mean of the losses of all batches, for each task. AllenNLP's `average` copies every loss to
    the host, and the training step waits for it. This metric sums losses on their device.
    """

    supports_distributed = True

    def __init__(self) -> None:
        self._totals: Dict[str, torch.Tensor] = {}
        self._counts: Dict[str, int] = {}

    def __call__(self, losses: Mapping[str, torch.Tensor]) -> None:  # type: ignore[override]
        for name, loss in losses.items():
            is_first = self._counts.get(name, 0) == 0
            self._totals[name] = loss.detach() if is_first else self._totals[name] + loss.detach()
            self._counts[name] = self._counts.get(name, 0) + 1

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """Returns the means over all workers since the last reset; 0 if there are none."""
        sums = {n: (float(self._totals.get(n, 0)), k) for n, k in self._counts.items()}
        workers: List[Any] = [sums]
        if is_distributed():
            workers = [None] * torch.distributed.get_world_size()
            torch.distributed.all_gather_object(workers, sums)
        means = {}
        for name in dict.fromkeys(name for sums in workers for name in sums):
            totals, counts = zip(*(sums[name] for sums in workers if name in sums), strict=True)
            means[name] = sum(totals) / sum(counts) if any(counts) else 0.0
        if reset:
            self.reset()
        return means

    def reset(self) -> None:
        self._totals = {}
        self._counts = dict.fromkeys(self._counts, 0)
