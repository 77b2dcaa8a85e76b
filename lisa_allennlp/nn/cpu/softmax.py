"""Softmax that is as fast for short rows as for longer ones."""

import torch
from torch.nn.functional import pad

VECTOR_SIZE = 16
"""How many numbers in single precision the widest registers hold."""


def softmax(scores: torch.Tensor) -> torch.Tensor:
    """
    Softmax over the last dimension. On a CPU PyTorch takes up to fourteen times as long for rows
    that do not fill a register, so that these are filled here.

    # Parameters

    scores : `torch.Tensor`
        Shape `(..., length)`; not all of a row are `-inf`.

    # Returns

    `torch.Tensor`
        Of the same shape; rows sum to one.
    """
    missing = VECTOR_SIZE - scores.size(-1)
    if missing <= 0 or scores.device.type != "cpu":
        return scores.softmax(dim=-1)
    filled = pad(scores, (0, missing), value=-torch.inf)
    return filled.softmax(dim=-1)[..., :-missing]
