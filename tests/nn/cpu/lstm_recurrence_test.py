"""The recurrence against the equations written out, and its derivatives against differences."""

import pytest
import torch

from lisa_allennlp.nn.cpu.lstm_recurrence import lstm_recurrence

LENGTH, BATCH_SIZE, HIDDEN_SIZE = 4, 2, 3


def random_inputs():
    gates = torch.randn(LENGTH, BATCH_SIZE, 4 * HIDDEN_SIZE, dtype=torch.double)
    weight = torch.randn(4 * HIDDEN_SIZE, HIDDEN_SIZE, dtype=torch.double)
    return gates, weight


def written_out(gates: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Equations 4 to 6, one number after the other."""
    states = torch.zeros(LENGTH, BATCH_SIZE, HIDDEN_SIZE, dtype=torch.double)
    for b in range(BATCH_SIZE):
        h = [0.0] * HIDDEN_SIZE
        c = [0.0] * HIDDEN_SIZE
        for t in range(LENGTH):
            total = [
                float(gates[t, b, k]) + sum(float(weight[k, j]) * h[j] for j in range(HIDDEN_SIZE))
                for k in range(4 * HIDDEN_SIZE)
            ]
            total_of = [total[n * HIDDEN_SIZE : (n + 1) * HIDDEN_SIZE] for n in range(4)]
            for k, (i, f, g, o) in enumerate(zip(*total_of, strict=True)):
                c[k] = logistic(f) * c[k] + logistic(i) * hyperbolic_tangent(g)
                h[k] = logistic(o) * hyperbolic_tangent(c[k])
            states[t, b] = torch.tensor(h, dtype=torch.double)
    return states


def logistic(x: float) -> float:
    return 1 / (1 + 2.718281828459045**-x)


def hyperbolic_tangent(x: float) -> float:
    return 2 * logistic(2 * x) - 1


def test_it_is_the_equations() -> None:
    gates, weight = random_inputs()
    expected = written_out(gates, weight)
    torch.testing.assert_close(lstm_recurrence(gates, weight, reverse=False), expected)
    backwards = lstm_recurrence(gates.flip(0), weight, reverse=True)
    torch.testing.assert_close(backwards, expected.flip(0))


@pytest.mark.parametrize("reverse", [False, True])
def test_derivatives(reverse: bool) -> None:
    inputs = [tensor.requires_grad_() for tensor in random_inputs()]
    assert torch.autograd.gradcheck(lambda g, w: lstm_recurrence(g, w, reverse), inputs)
