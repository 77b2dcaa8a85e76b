"""The compiled loop against published random numbers, and against NumPy."""

import sys

import numpy as np
import pytest
import torch

from lisa_allennlp.nn.cpu.compiled_loops import can_compile, compiled
from lisa_allennlp.nn.cpu.dropout_loop import (
    FIRST_FACTOR,
    GAMMA,
    SECOND_FACTOR,
    dropout,
    dropout_mask,
)


def split_mix(seed: int, size: int) -> np.ndarray:
    """The first numbers of SplitMix64, `(size,)` of 64 bits."""
    bits = np.arange(1, size + 1, dtype=np.uint64) * GAMMA + np.uint64(seed)
    bits = (bits ^ (bits >> np.uint64(30))) * FIRST_FACTOR
    bits = (bits ^ (bits >> np.uint64(27))) * SECOND_FACTOR
    return bits ^ (bits >> np.uint64(31))


def test_the_numbers_are_those_published_for_split_mix_64():
    # The numbers that Rosetta Code's task "Pseudo-random numbers/Splitmix64" asks for.
    assert split_mix(1234567, 5).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("size", [0, 4, 36, 1000])
@pytest.mark.parametrize("seed", [0, 1, 7, 1 << 61])
@pytest.mark.parametrize("threshold", [1, 6554, 30000, 65535])
def test_elements_are_kept_by_their_sixteen_bits(size, seed, threshold):
    mask = np.full(size, np.nan, np.float32)
    compiled(dropout_mask)(mask, np.uint64(seed), np.uint64(threshold), np.float32(1.5))
    parts = [split_mix(seed, size // 4) >> np.uint64(16 * k) for k in range(4)]
    expected = [1.5 * (int(bits) % 65536 >= threshold) for part in parts for bits in part]
    assert mask.tolist() == expected


def test_without_numba_it_is_torchs_own(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    can_compile.cache_clear()
    torch.manual_seed(0)
    ours = dropout(torch.ones(1000), 0.3)
    torch.manual_seed(0)
    assert torch.equal(ours, torch.nn.functional.dropout(torch.ones(1000), 0.3))
    can_compile.cache_clear()
