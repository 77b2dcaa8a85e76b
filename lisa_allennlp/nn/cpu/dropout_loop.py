"""
Masks for dropout from random integers, which a counter makes: SplitMix64 (Steele, Lea & Flood 2014,
"Fast Splittable Pseudorandom Number Generators", figure 15). Its numbers do not wait for each
other, so that vector instructions make several at once. One gives four elements 16 bits each.

The functions here give the same masks, the one as a loop for Numba, the other by NumPy.
"""

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
SIXTEEN_BITS = np.uint64(0xFFFF)


def dropout_mask(
    mask: np.ndarray, seed: np.uint64, threshold: np.uint64, scale: np.float32
) -> None:
    """
    # Parameters

    mask : `np.ndarray`
        Of one dimension, its size a multiple of four. Written to: zero with probability
        `threshold / 65536`, else the scale.
    seed : `np.uint64`
    threshold : `np.uint64`
    scale : `np.float32`
    """
    quarter = mask.shape[0] // 4
    for i in range(quarter):
        bits = seed + np.uint64(i + 1) * GAMMA
        bits = (bits ^ (bits >> SHIFTS[0])) * FIRST_FACTOR
        bits = (bits ^ (bits >> SHIFTS[1])) * SECOND_FACTOR
        bits = bits ^ (bits >> SHIFTS[2])
        # Elements of one number are far from each other, so that each part is written in order.
        for part in range(4):
            is_kept = (bits >> np.uint64(16 * part)) & SIXTEEN_BITS >= threshold
            mask[part * quarter + i] = scale if is_kept else 0.0


def dropout_mask_by_numpy(
    mask: np.ndarray, seed: np.uint64, threshold: np.uint64, scale: np.float32
) -> None:
    """The same without Numba: some ten times slower."""
    bits = split_mix(seed, mask.size // 4)
    for part, elements in enumerate(mask.reshape(4, -1)):
        elements[:] = (bits >> np.uint64(16 * part)) & SIXTEEN_BITS >= threshold
    mask *= scale


def split_mix(seed: np.uint64, size: int) -> np.ndarray:
    """The first numbers of SplitMix64, `(size,)` of 64 bits."""
    bits = np.arange(1, size + 1, dtype=np.uint64) * GAMMA + seed
    bits = (bits ^ (bits >> SHIFTS[0])) * FIRST_FACTOR
    bits = (bits ^ (bits >> SHIFTS[1])) * SECOND_FACTOR
    return bits ^ (bits >> SHIFTS[2])
