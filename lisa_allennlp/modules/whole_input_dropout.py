"""Dropout of whole words and whole tags."""

from typing import Sequence

import torch


class WholeInputDropout(torch.nn.Module):
    """
    Drops whole inputs of a token, such as its word vector or its tag vector, independently of each
    other, and scales the others to compensate: where one of two is dropped the other is doubled,
    where both are dropped the token has zeros (Dozat & Manning 2017, section 4.2.4). Where tokens
    have one input only, nothing is scaled.

    # Parameters

    dims : `Sequence[int]`
        The sizes of the inputs, which are concatenated in this order.
    dropouts : `Sequence[float]`
        The probability to drop each of them.
    """

    def __init__(self, dims: Sequence[int], dropouts: Sequence[float]) -> None:
        super().__init__()
        self._dims = list(dims)
        self._dropouts = list(dropouts)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, sum(dims))`.

        # Returns

        `torch.Tensor`
            Of the same shape; in evaluation the inputs themselves.
        """
        if not self.training or not any(self._dropouts):
            return inputs
        probabilities = 1 - inputs.new_tensor(self._dropouts)
        kept = torch.bernoulli(probabilities.expand(*inputs.shape[:-1], -1))
        scaled = kept * len(self._dims) / kept.sum(dim=-1, keepdim=True).clamp(min=1)
        parts = inputs.split(self._dims, dim=-1)
        factors = scaled.split(1, dim=-1)
        return torch.cat([part * factor for part, factor in zip(parts, factors, strict=True)], -1)
