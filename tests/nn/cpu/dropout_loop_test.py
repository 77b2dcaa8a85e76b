"""The random numbers against published ones, and the compiled loop against NumPy."""

import numpy as np
import pytest

from lisa_allennlp.nn.cpu.compiled_loops import compiled
from lisa_allennlp.nn.cpu.dropout_loop import dropout_mask, dropout_mask_by_numpy, split_mix


def test_the_numbers_are_those_published_for_split_mix_64():
    # The numbers that Rosetta Code's task "Pseudo-random numbers/Splitmix64" asks for.
    assert split_mix(np.uint64(1234567), 5).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("size", [0, 4, 36, 1000])
@pytest.mark.parametrize("seed", [0, 1, 1 << 61])
@pytest.mark.parametrize("threshold", [1, 6554, 65535])
def test_both_ways_give_the_same_mask(size, seed, threshold):
    fill = compiled(dropout_mask)
    assert fill is not None
    masks = []
    for function in (fill, dropout_mask_by_numpy):
        mask = np.full(size, np.nan, np.float32)
        function(mask, np.uint64(seed), np.uint64(threshold), np.float32(1.5))
        masks.append(mask)
    np.testing.assert_array_equal(*masks)


def test_elements_are_kept_by_their_sixteen_bits():
    mask = np.empty(20, np.float32)
    dropout_mask_by_numpy(mask, np.uint64(7), np.uint64(30000), np.float32(2.0))
    parts = [split_mix(np.uint64(7), 5) >> np.uint64(16 * k) for k in range(4)]
    expected = [2.0 * (int(bits) % 65536 >= 30000) for part in parts for bits in part]
    assert mask.tolist() == expected
