"""
Derivatives against autograd's, and reduced precision against single precision. The encoder's tests
write the cells' equations out.
"""

from typing import List

import pytest
import torch

from lisa_allennlp.nn.recurrence import CELLS, bidirectional_recurrence, recurrence_by_autograd

DIM, LENGTHS = 3, [4, 2]


def make_inputs(cell: str, dtype: torch.dtype, dim: int = DIM) -> List[torch.Tensor]:
    torch.manual_seed(5)
    gates = CELLS[cell].num_gates * dim
    shapes = [(2, max(LENGTHS), len(LENGTHS), gates), (2, dim, gates), (2, 1, gates)]
    inputs = [torch.randn(shape, dtype=dtype).requires_grad_() for shape in shapes]
    dropout_mask = torch.rand(2, len(LENGTHS), dim).gt(0.33).to(dtype) / 0.67
    assert (dropout_mask == 0).any()
    token_mask = torch.arange(max(LENGTHS)).unsqueeze(1) < torch.tensor(LENGTHS)
    return [*inputs, dropout_mask, token_mask]


def test_the_derivatives_of_the_lstm_are_autograds() -> None:
    results = []
    for recurrence in (bidirectional_recurrence, recurrence_by_autograd):
        inputs = make_inputs("lstm", torch.float64)
        states = recurrence(*inputs, "lstm")
        states.sin().sum().backward()
        results.append([states, *(tensor.grad for tensor in inputs[:3])])
    torch.testing.assert_close(*results)


@pytest.mark.parametrize("cell", CELLS)
def test_reduced_precision_is_close(cell: str) -> None:
    """States and gradients: 8 bits of each factor, no more lost along the sentence."""
    results = []
    for reduced in (False, True):
        inputs = make_inputs(cell, torch.float32, dim=32)
        inputs[1].data /= 6
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=reduced):
            states = bidirectional_recurrence(*inputs, cell)
        assert states.dtype == torch.float32
        (states**2).sum().backward()
        results.append([states.detach(), *(tensor.grad for tensor in inputs[:3])])
    for exact, reduced_result in zip(*results, strict=True):
        error = (exact - reduced_result).norm() / exact.norm()
        assert 0 < error < 0.02
