"""Word vectors of 8 bits, for any values."""

import tempfile
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.model_files.weight_files import read_weights, write_weights

VALUES = st.floats(-1e4, 1e4, width=32)


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=5))
def test_errors_are_at_most_half_a_step(rows: list) -> None:
    vectors = torch.tensor(rows)
    with tempfile.TemporaryDirectory() as folder:
        write_weights({"v": vectors}, Path(folder), vectors=["v"])
        restored = read_weights(folder)["v"]
    step = vectors.abs().amax(dim=1, keepdim=True) / 127
    assert ((restored - vectors).abs() <= 0.501 * step + 1e-30).all()
    assert torch.equal(restored[(vectors == 0).all(1)], vectors[(vectors == 0).all(1)])


@pytest.mark.parametrize("value", [1e6, 2.0**40])
def test_what_half_precision_cannot_hold_stays_as_it_is(tmp_path: Path, value: float) -> None:
    weights = {"w": torch.tensor([1.0, value]), "n": torch.tensor([2**40]), "f": torch.ones(1) / 3}
    write_weights(weights, tmp_path, "float16")
    found = read_weights(tmp_path)
    assert torch.equal(found["w"], weights["w"]) and torch.equal(found["n"], weights["n"])
    assert found["f"].dtype == torch.half


def test_weights_that_share_memory(tmp_path: Path) -> None:
    shared = torch.randn(3, 2)
    write_weights({"a": shared, "b": shared, "c": shared.t()}, tmp_path)
    found = read_weights(tmp_path)
    assert torch.equal(found["a"], shared) and torch.equal(found["c"], shared.t())
