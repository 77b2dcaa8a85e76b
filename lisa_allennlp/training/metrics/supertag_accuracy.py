"""The accuracy of supertags."""

from typing import Dict, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


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

    >>> metric = SupertagAccuracy(top_k=2)
    >>> metric(ranked=torch.tensor([[3, 1], [2, 0]]), gold=torch.tensor([3, 0]))
    >>> metric.get_metric()
    {'accuracy': 50.0, 'top2_accuracy': 100.0}
    """

    supports_distributed = True

    def __init__(self, top_k: int = 5) -> None:
        self._names = [
            "accuracy",
            f"top{top_k}_accuracy",
            "unseen_word_accuracy",
            "rare_supertag_accuracy",
        ]
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
        # Parameters

        ranked : `torch.LongTensor`
            Shape `(num_tokens, k)`: the labels from the best, which is the prediction, to the k-th
            best. k is below `top_k` if the model has fewer labels.
        gold : `torch.LongTensor`
            Shape `(num_tokens,)`; negative for labels missing from the model's vocabulary.
        is_unseen_word : `torch.BoolTensor`, optional
            Shape `(num_tokens,)`.
        is_rare_supertag : `torch.BoolTensor`, optional
            Shape `(num_tokens,)`.
        """
        hits = (ranked == gold.unsqueeze(-1)) & (gold >= 0).unsqueeze(-1)
        is_right = hits[:, 0]
        self._count(0, is_right)
        self._count(1, hits.any(-1))
        if is_unseen_word is not None:
            self._count(2, is_right[is_unseen_word])
        if is_rare_supertag is not None:
            self._count(3, is_right[is_rare_supertag])

    def _count(self, index: int, is_right: torch.Tensor) -> None:
        self._right[index] += int(is_right.sum())
        self._all[index] += is_right.numel()

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        # Returns

        `Dict[str, float]`
            Accuracies from 0 to 100.
        """
        sums = dist_reduce_sum(torch.tensor([self._right, self._all], dtype=torch.long)).tolist()
        if reset:
            self.reset()
        return {
            name: 100 * right / total
            for name, right, total in zip(self._names, *sums, strict=True)
            if total
        }

    def reset(self) -> None:
        """Discards all counts."""
        self._right = [0] * len(self._names)
        self._all = [0] * len(self._names)
