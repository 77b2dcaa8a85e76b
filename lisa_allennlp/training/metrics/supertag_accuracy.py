"""Supertagging."""

from typing import Dict, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


@Metric.register("supertag_accuracy")
class SupertagAccuracy(Metric):
    """
    The share of tokens whose supertag is right, in per cent: `accuracy`, of all tokens;
    `top<k>_accuracy`, where the gold one is among the k best; `unseen_word_accuracy`, of words that
    are not in the training data; `rare_supertag_accuracy`, of tokens whose gold supertag is rare
    there. A share of no tokens is not reported. A gold supertag that a model does not know counts
    as wrong, as in the paper. Counts are summed over the workers of distributed training.

    # Parameters

    top_k : `int`, optional (default = `5`)
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
            Shape `(num_tokens, k)`: the best labels, the first one being what was predicted. There
            may be fewer than `top_k` where there are fewer labels.
        gold : `torch.LongTensor`
            Shape `(num_tokens,)`; negative for a label that the model does not know.
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
            The shares, from 0 to 100.
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
        """Forgets all tokens."""
        self._right = [0] * len(self._names)
        self._all = [0] * len(self._names)
