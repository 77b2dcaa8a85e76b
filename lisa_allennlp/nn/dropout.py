"""Dropout of single elements."""

import torch

from lisa_allennlp.nn.cpu import dropout_loop
from lisa_allennlp.nn.device import is_on_cpu


def dropout(inputs: torch.Tensor, p: float, training: bool = True) -> torch.Tensor:
    """
    Zeroes each element with probability `p` and multiplies the others by `1 / (1 - p)`, so that the
    mean stays the same (Srivastava et al. 2014).

    >>> _ = torch.manual_seed(0)
    >>> dropout(torch.ones(100), p=0.75).unique()
    tensor([0., 4.])

    # Parameters

    p : `float`
        From 0 to 1. On a CPU it is rounded to a multiple of 1 / 65536, and the factor fits the
        rounded probability.
    training : `bool`, optional (default = `True`)
        If false, nothing is dropped.

    # Returns

    `torch.Tensor`
        The same shape as `inputs`.
    """
    if training and is_on_cpu(inputs):
        return dropout_loop.dropout(inputs, p)
    return torch.nn.functional.dropout(inputs, p, training)
