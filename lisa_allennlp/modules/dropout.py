"""
Dropout of single elements, of whole inputs, and with its scale at test time.

On a CPU, PyTorch draws one Bernoulli variable after another, which takes as long as the preceding
matrix product. Here a compiled loop compares 16 random bits per element with a threshold. The bits
come from SplitMix64 (Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom Number Generators",
figure 15). It computes each number from a counter, not from the previous number, so that vector
instructions can compute several at a time.
"""

import functools
import logging
from typing import Any, Callable, Optional, Sequence

import numpy
import torch
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder
from lisa_allennlp.nn.token_layout import TokenLayout

logger = logging.getLogger(__name__)

RESOLUTION = 1 << 16
"""The number of values of 16 random bits."""

GAMMA = numpy.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = numpy.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = numpy.uint64(0x94D049BB133111EB)
SHIFTS = (numpy.uint64(30), numpy.uint64(27), numpy.uint64(31))
SIXTEEN_BITS = numpy.uint64(0xFFFF)


class Dropout(torch.nn.Dropout):
    """
    `torch.nn.Dropout`, faster on a CPU. There the probability is rounded to a multiple of
    1 / 65536, and the scale fits the rounded probability. `torch.manual_seed` repeats the masks.

    >>> _ = torch.manual_seed(0)
    >>> Dropout(0.75)(torch.ones(100)).unique()
    tensor([0., 4.])
    """

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Maps a tensor of any shape to one of the same shape."""
        threshold = round(self.p * RESOLUTION)
        if not self.training or not input.is_cpu or not 0 < threshold < RESOLUTION:
            return super().forward(input)
        fill = compiled_mask()
        if fill is None:
            return super().forward(input)
        size = input.numel()
        mask = numpy.empty(-(-size // 4) * 4, numpy.float32)
        seed = numpy.uint64(int(torch.randint(1 << 62, ())))
        scale = numpy.float32(RESOLUTION / (RESOLUTION - threshold))
        fill(mask, seed, numpy.uint64(threshold), scale)
        return input * torch.from_numpy(mask)[:size].view(input.shape).to(input.dtype)


def fill_mask(
    mask: numpy.ndarray, seed: numpy.uint64, threshold: numpy.uint64, scale: numpy.float32
) -> None:
    """
    Fills a mask, whose size is a multiple of four, with 0, with probability `threshold / 65536`,
    and with `scale` otherwise. Plain Python, which Numba compiles.
    """
    quarter = mask.shape[0] // 4
    for i in range(quarter):
        bits = seed + numpy.uint64(i + 1) * GAMMA
        bits = (bits ^ (bits >> SHIFTS[0])) * FIRST_FACTOR
        bits = (bits ^ (bits >> SHIFTS[1])) * SECOND_FACTOR
        bits = bits ^ (bits >> SHIFTS[2])
        # One number decides four elements, a quarter of the mask apart, so that each quarter is
        # written in order.
        for part in range(4):
            is_kept = (bits >> numpy.uint64(16 * part)) & SIXTEEN_BITS >= threshold
            mask[part * quarter + i] = scale if is_kept else 0.0


@functools.cache
def compiled_mask() -> Optional[Callable[..., Any]]:
    """
    `fill_mask` compiled by Numba; `None`, with a warning, without a Numba that fits NumPy. The
    machine code is kept on disk: compiling takes a second, once per machine.
    """
    try:
        import numba
    except ImportError as error:
        logger.warning("Without Numba, dropout is several times slower: %s", error)
        return None
    try:
        return numba.njit(cache=True)(fill_mask)
    except RuntimeError:
        # Neither the package's folder nor the user's cache is writable.
        return numba.njit(fill_mask)


class StateDropout(torch.nn.Module):
    """
    Dropout of states that a `TokenLayout` has packed. If it is `variational`, all tokens of a
    sentence share a mask (Gal & Ghahramani 2016), as in LISA-v1, where `MLP` and the bilinear
    classifiers of `nn.py` drop so.
    """

    def __init__(self, p: float, variational: bool = False) -> None:
        super().__init__()
        self._dropout = Dropout(p)
        self._variational = variational

    def forward(
        self, states: torch.Tensor, layout: TokenLayout, sentences: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        """
        Maps `(num_rows, dim)` to the same shape. `sentences`, `(num_rows,)`, has the batch index of
        each row's sentence, if the rows are not those of all tokens.
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
        """Maps a tensor of any shape to one of the same shape."""
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
        """Maps a tensor of any shape to one of the same shape. `compose` passes the mask."""
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
        """Maps `(batch_size, length, sum(dims))` to the same shape."""
        if not self.training or not any(self._dropouts):
            return inputs
        probabilities = 1 - inputs.new_tensor(self._dropouts)
        kept = torch.bernoulli(probabilities.expand(*inputs.shape[:-1], -1))
        scaled = kept * len(self._dims) / kept.sum(dim=-1, keepdim=True).clamp(min=1)
        parts = inputs.split(self._dims, dim=-1)
        factors = scaled.split(1, dim=-1)
        return torch.cat([part * factor for part, factor in zip(parts, factors, strict=True)], -1)
