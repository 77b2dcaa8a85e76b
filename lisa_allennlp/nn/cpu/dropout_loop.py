"""
Dropout on a CPU. PyTorch draws one Bernoulli variable after another, which takes as long as the
preceding matrix product. Here a compiled loop compares 16 random bits per element with a threshold.

The bits come from SplitMix64 (Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom Number
Generators", figure 15). It computes each number from a counter, not from the previous number, so
that vector instructions can compute several at a time.
"""

import numpy as np
import torch

from lisa_allennlp.nn.cpu.compiled_loops import can_compile, compiled

RESOLUTION = 1 << 16
"""The number of values of 16 random bits."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
SIXTEEN_BITS = np.uint64(0xFFFF)


def dropout(inputs: torch.Tensor, p: float) -> torch.Tensor:
    """
    `lisa_allennlp.nn.dropout.dropout` in training. The masks depend on PyTorch's generator, so that
    `torch.manual_seed` repeats them.

    >>> _ = torch.manual_seed(0)
    >>> first = dropout(torch.ones(1000), p=0.5)
    >>> _ = torch.manual_seed(0)
    >>> torch.equal(dropout(torch.ones(1000), p=0.5), first)
    True
    """
    threshold = round(p * RESOLUTION)
    if not 0 < threshold < RESOLUTION or not can_compile():
        return torch.nn.functional.dropout(inputs, p)
    size = inputs.numel()
    mask = np.empty(-(-size // 4) * 4, np.float32)
    seed = np.uint64(int(torch.randint(1 << 62, ())))
    scale = np.float32(RESOLUTION / (RESOLUTION - threshold))
    compiled(dropout_mask)(mask, seed, np.uint64(threshold), scale)
    return inputs * torch.from_numpy(mask)[:size].view(inputs.shape).to(inputs.dtype)


def dropout_mask(
    mask: np.ndarray, seed: np.uint64, threshold: np.uint64, scale: np.float32
) -> None:
    """
    Plain Python on an array, which Numba compiles.

    # Parameters

    mask : `np.ndarray`
        One-dimensional; its size is a multiple of four. It is overwritten with zeros, with
        probability `threshold / 65536`, and `scale` otherwise.
    """
    quarter = mask.shape[0] // 4
    for i in range(quarter):
        bits = seed + np.uint64(i + 1) * GAMMA
        bits = (bits ^ (bits >> SHIFTS[0])) * FIRST_FACTOR
        bits = (bits ^ (bits >> SHIFTS[1])) * SECOND_FACTOR
        bits = bits ^ (bits >> SHIFTS[2])
        # One number decides four elements, a quarter of the mask apart, so that each quarter is
        # written in order.
        for part in range(4):
            is_kept = (bits >> np.uint64(16 * part)) & SIXTEEN_BITS >= threshold
            mask[part * quarter + i] = scale if is_kept else 0.0
