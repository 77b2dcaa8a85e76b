"""Softmax of short rows against PyTorch's."""

import pytest
import torch

from lisa_allennlp.nn.cpu.softmax import VECTOR_SIZE, softmax


@pytest.mark.parametrize("length", [1, 2, VECTOR_SIZE - 1, VECTOR_SIZE, VECTOR_SIZE + 1, 40])
def test_is_pytorchs(length: int) -> None:
    torch.manual_seed(0)
    scores = torch.randn(3, 4, length) * 10
    scores[0, 0, 0] = torch.finfo(torch.float).min
    torch.testing.assert_close(softmax(scores), scores.softmax(-1))


@pytest.mark.parametrize("length", [3, 20])
def test_gradients_are_those_of_finite_differences(length: int) -> None:
    torch.manual_seed(0)
    scores = torch.randn(2, length, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(softmax, [scores])
