"""Dropout that does not take a tenth of a training step on a CPU."""

import numpy
import torch

RESOLUTION = 1 << 16
"""The number of different values of the random integers that decide what is dropped."""


class Dropout(torch.nn.Dropout):
    """
    `torch.nn.Dropout`, several times faster on a CPU: see `dropout`. It has no parameters, so that
    either can load what the other has saved.
    """

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Returns a tensor of the shape of the input."""
        return dropout(input, self.p, self.training)


def dropout(inputs: torch.Tensor, p: float, training: bool = True) -> torch.Tensor:
    """
    Zeroes each element with probability `p` and scales the others so that the mean stays.

    PyTorch draws a Bernoulli variable an element one after the other, which on a CPU takes as long
    as the matrix product before it. Here the elements are compared with integers of 16 bits, four
    of them from one draw of a faster generator. It is seeded by PyTorch's, so that
    `torch.manual_seed` decides here too. On a GPU this is PyTorch's own dropout.

    # Parameters

    inputs : `torch.Tensor`
    p : `float`
        From 0 to 1. It is rounded to a multiple of 1 / 65536, and the scale fits the rounded value.
    training : `bool`, optional (default = `True`)
        Outside training nothing is dropped.

    # Returns

    `torch.Tensor`
        Of the same shape.
    """
    threshold = round(p * RESOLUTION)
    if not training or inputs.device.type != "cpu" or not 0 < threshold < RESOLUTION:
        return torch.nn.functional.dropout(inputs, p, training)
    return inputs * _scaled_mask(inputs.shape, threshold).to(inputs.dtype)


def _scaled_mask(shape: torch.Size, threshold: int) -> torch.Tensor:
    """Zeros and, with probability 1 - threshold / 65536, the inverse of that probability."""
    size = shape.numel()
    seed = int(torch.randint(1 << 62, ()))
    bits = numpy.random.SFC64(seed).random_raw(-(-size // 4)).view(numpy.uint16)[:size]
    mask = (bits >= threshold).astype(numpy.float32)
    mask *= RESOLUTION / (RESOLUTION - threshold)
    return torch.from_numpy(mask).view(shape)
