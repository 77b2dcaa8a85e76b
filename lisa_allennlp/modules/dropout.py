"""Dropout of single elements, of whole inputs, and with its scale at test time."""

from typing import Optional, Sequence

import torch
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder
from lisa_allennlp.nn.token_layout import TokenLayout

RESOLUTION = 1 << 16


class Dropout(torch.nn.Dropout):
    """
    `torch.nn.Dropout`, faster on a CPU, where PyTorch draws one random number per element. Here one
    number of 64 bits decides on four elements, so the probability is rounded to a multiple of
    1 / 65536. The scale fits the rounded probability.

    >>> _ = torch.manual_seed(0)
    >>> Dropout(0.75)(torch.ones(100)).unique()
    tensor([0., 4.])
    """

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        threshold = round(self.p * RESOLUTION)
        if not self.training or not input.is_cpu or not 0 < threshold < RESOLUTION:
            return super().forward(input)
        size = input.numel()
        numbers = torch.randint(-(1 << 63), (1 << 63) - 1, (-(-size // 4),))
        bits = numbers.view(torch.int16)[:size].view(input.shape)
        is_kept = bits >= threshold - RESOLUTION // 2
        return input * (is_kept * (RESOLUTION / (RESOLUTION - threshold))).to(input.dtype)


class StateDropout(torch.nn.Module):
    """
    Dropout of states that a `TokenLayout` has packed. If it is `variational`, all tokens of a
    sentence share a mask (Gal & Ghahramani 2016), as in `MLP` and the bilinear classifiers of
    LISA-v1's `nn.py`.
    """

    def __init__(self, p: float, variational: bool = False) -> None:
        super().__init__()
        self._dropout = Dropout(p)
        self._variational = variational

    def forward(
        self, states: torch.Tensor, layout: TokenLayout, sentences: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        """
        Maps `(num_rows, dim)` to the same shape. `sentences`, `(num_rows,)`, are the rows' batch
        indices, unless the rows are those of all tokens.
        """
        if not self._variational or not self.training:
            return self._dropout(states)
        masks = self._dropout(states.new_ones(layout.batch_size, states.size(-1)))
        return states * masks.index_select(0, layout.sentences if sentences is None else sentences)


class ScaledDropout(torch.nn.Dropout):
    """
    Dropout as first described (Srivastava et al. 2014; dynamic window, equations 10 and 11):
    training keeps or zeroes values, and evaluation multiplies them by the probability of being
    kept. PyTorch's dropout scales in training instead.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        if self.p == 0:
            return inputs
        if not self.training:
            return inputs * (1 - self.p)
        return inputs * torch.empty_like(inputs).bernoulli_(1 - self.p)


@Seq2SeqEncoder.register("scaled_dropout")
class ScaledDropoutEncoder(SizedEncoder):
    """
    `ScaledDropout` as a layer that `compose` can put after an encoder.

    # Parameters

    bidirectional : `bool`, optional (default = `False`)
        The value of `is_bidirectional()`. `compose` requires the same value from all its encoders.
    """

    def __init__(self, input_dim: int, dropout: float = 0.5, bidirectional: bool = False) -> None:
        super().__init__(input_dim, input_dim, bidirectional)
        self._dropout = ScaledDropout(dropout)

    def forward(
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """Maps a tensor to the same shape. `compose` passes the mask."""
        return self._dropout(inputs)


class WholeInputDropout(torch.nn.Module):
    """
    Drops whole inputs of a token, such as its word vector or its tag vector, and scales the others
    to compensate (Dozat & Manning 2017, section 4.2.4). Inputs are dropped independently. If one of
    two is dropped, the other is doubled; if both are dropped, the token is all zeros. A single
    input is never scaled.

    >>> dropout = WholeInputDropout(dims=[2, 1], dropouts=[1.0, 0.0])
    >>> dropout(torch.ones(1, 1, 3))
    tensor([[[0., 0., 2.]]])
    """

    def __init__(self, dims: Sequence[int], dropouts: Sequence[float]) -> None:
        super().__init__()
        self._dims = list(dims)
        self._dropouts = list(dropouts)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        if not self.training or not any(self._dropouts):
            return inputs
        probabilities = 1 - inputs.new_tensor(self._dropouts)
        kept = torch.bernoulli(probabilities.expand(*inputs.shape[:-1], -1))
        scaled = kept * len(self._dims) / kept.sum(dim=-1, keepdim=True).clamp(min=1)
        parts = inputs.split(self._dims, dim=-1)
        factors = scaled.split(1, dim=-1)
        return torch.cat([part * factor for part, factor in zip(parts, factors, strict=True)], -1)
