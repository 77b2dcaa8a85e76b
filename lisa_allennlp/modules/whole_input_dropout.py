"""Dropout of whole words and whole tags."""

from typing import Sequence

import torch


class WholeInputDropout(torch.nn.Module):
    """
    Drops whole inputs of a token, such as its word vector or its tag vector, and scales the others
    to compensate (Dozat & Manning 2017, section 4.2.4). Inputs are dropped independently. If one of
    two is dropped, the other is doubled; if both are dropped, the token is all zeros. A single
    input is never scaled.

    >>> dropout = WholeInputDropout(dims=[2, 1], dropouts=[1.0, 0.0])
    >>> dropout(torch.ones(1, 1, 3))
    tensor([[[0., 0., 2.]]])

    # Parameters

    dims : `Sequence[int]`
        The sizes of the inputs, in the order of their concatenation.
    dropouts : `Sequence[float]`
        The probability of dropping each input.
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
            The same shape. In evaluation, the inputs themselves.
        """
        if not self.training or not any(self._dropouts):
            return inputs
        probabilities = 1 - inputs.new_tensor(self._dropouts)
        kept = torch.bernoulli(probabilities.expand(*inputs.shape[:-1], -1))
        scaled = kept * len(self._dims) / kept.sum(dim=-1, keepdim=True).clamp(min=1)
        parts = inputs.split(self._dims, dim=-1)
        factors = scaled.split(1, dim=-1)
        return torch.cat([part * factor for part, factor in zip(parts, factors, strict=True)], -1)
