"""Dropout of single elements."""

import torch

from lisa_allennlp.nn.cpu import dropout_loop
from lisa_allennlp.nn.device import is_on_cpu


def dropout(inputs: torch.Tensor, p: float, training: bool = True) -> torch.Tensor:
    """
    Zeroes each element with probability `p` and multiplies the others by `1 / (1 - p)`, so that the
    mean stays the same (Srivastava et al. 2014).

    # Parameters

    p : `float`
        From 0 to 1. On a CPU it is rounded to a multiple of 1 / 65536, and the factor fits the
        rounded probability.
    training : `bool`, optional (default = `True`)
        Outside training nothing is dropped.

    # Returns

    `torch.Tensor`
        Of the shape of `inputs`.
    """
    if training and is_on_cpu(inputs):
        return dropout_loop.dropout(inputs, p)
    return torch.nn.functional.dropout(inputs, p, training)
