"""Our dropout against what dropout is: its rate, its scale, the independence of its elements."""

import math

import pytest
import torch

from lisa_allennlp.nn.dropout import dropout

SIZE = 400_000


def within(value: float, expected: float, deviation: float) -> bool:
    """Within five standard deviations, which chance exceeds once in two million times."""
    return abs(value - expected) < 5 * deviation


def drops(p: float, size: int = SIZE) -> torch.Tensor:
    return (dropout(torch.ones(size), p) == 0).double()


@pytest.mark.parametrize("p", [0.1, 0.2, 0.3, 0.5, 0.9, 0.0007])
def test_rate_and_scale(p: float) -> None:
    torch.manual_seed(1)
    output = dropout(torch.full((SIZE,), 2.0), p)
    kept = output[output != 0]
    assert within(1 - len(kept) / SIZE, p, math.sqrt(p * (1 - p) / SIZE))
    torch.testing.assert_close(kept, torch.full_like(kept, 2 / (1 - p)), rtol=1e-4, atol=0)


def test_the_mean_stays_exactly_for_a_rounded_rate() -> None:
    # 1 / 65536 is what the rate is rounded to: here to twice as much as was asked for.
    scaled = dropout(torch.ones(SIZE), 1.6 / 65536).max()
    assert float(scaled) == pytest.approx(65536 / (65536 - 2), abs=1e-7)


@pytest.mark.parametrize("distance", [1, 2, 3, 4, 5, 8, 200, 800, SIZE // 4, SIZE // 2])
def test_neighbours_are_independent(distance: int) -> None:
    torch.manual_seed(2)
    dropped = drops(0.3) - 0.3
    covariance = (dropped[:-distance] * dropped[distance:]).mean() / (0.3 * 0.7)
    assert within(float(covariance), 0.0, 1 / math.sqrt(SIZE - distance))


def test_calls_are_independent() -> None:
    torch.manual_seed(3)
    first, second = drops(0.3) - 0.3, drops(0.3) - 0.3
    assert within(float((first * second).mean()) / (0.3 * 0.7), 0.0, 1 / math.sqrt(SIZE))


def test_each_of_the_four_elements_of_a_draw_has_the_rate() -> None:
    torch.manual_seed(4)
    rates = drops(0.1).view(4, -1).mean(1).tolist()
    assert all(within(rate, 0.1, math.sqrt(0.09 * 4 / SIZE)) for rate in rates)


def test_torchs_seed_decides() -> None:
    torch.manual_seed(5)
    first = drops(0.5, 100)
    different = drops(0.5, 100)
    torch.manual_seed(5)
    assert torch.equal(first, drops(0.5, 100))
    assert not torch.equal(first, different)


def test_the_gradient_passes_where_the_value_does() -> None:
    inputs = torch.randn(7, 11, 13, requires_grad=True)
    output = dropout(inputs, 0.4)
    output.sum().backward()
    torch.testing.assert_close(inputs.grad * inputs, output)


@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (), (1,), (5, 3)])
def test_shapes(shape) -> None:
    assert dropout(torch.ones(shape), 0.5).shape == shape


def test_dtype_stays() -> None:
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        assert dropout(torch.ones(9, dtype=dtype), 0.5).dtype == dtype


def test_rates_0_and_1() -> None:
    inputs = torch.randn(50)
    assert torch.equal(dropout(inputs, 0.0), inputs)
    assert torch.equal(dropout(inputs, 1.0), torch.zeros(50))


def test_nothing_is_dropped_outside_training() -> None:
    inputs = torch.randn(50)
    assert torch.equal(dropout(inputs, 0.5, training=False), inputs)


def test_other_devices_take_torchs_own() -> None:
    # The meta device has shapes without values.
    assert dropout(torch.empty(3, 4, device="meta"), 0.5).shape == (3, 4)
