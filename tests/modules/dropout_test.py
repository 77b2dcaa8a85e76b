"""Dropout against what dropout is: its rate, its scale, the independence of its elements."""

import math

import pytest
import torch

from lisa_allennlp.modules.dropout import Dropout, ScaledDropout, WholeInputDropout

SIZE = 400_000


def within(value: float, expected: float, deviation: float) -> bool:
    """Within five standard deviations, which chance exceeds once in two million times."""
    return abs(value - expected) < 5 * deviation


def drops(p: float, size: int = SIZE) -> torch.Tensor:
    return (Dropout(p)(torch.ones(size)) == 0).double()


@pytest.mark.parametrize("p", [0.1, 0.0007])
def test_rate_and_scale(p: float) -> None:
    torch.manual_seed(1)
    output = Dropout(p)(torch.full((SIZE,), 2.0))
    kept = output[output != 0]
    assert within(1 - len(kept) / SIZE, p, math.sqrt(p * (1 - p) / SIZE))
    # The rate is rounded to a multiple of 1 / 65536, and the scale fits the rounded rate.
    rounded = round(65536 * p) / 65536
    torch.testing.assert_close(kept, torch.full_like(kept, 2 / (1 - rounded)), rtol=1e-6, atol=0)


def test_elements_are_dropped_independently() -> None:
    """Also those that one random number decides."""
    torch.manual_seed(2)
    dropped = drops(0.3).view(-1, 4)
    correlations = torch.corrcoef(torch.cat([dropped, dropped.roll(1, 0)], dim=1).T)
    assert (correlations - torch.eye(8)).abs().max() < 5 / math.sqrt(SIZE / 4)


def test_torchs_seed_decides() -> None:
    torch.manual_seed(5)
    first, different = drops(0.5, 100), drops(0.5, 100)
    torch.manual_seed(5)
    assert torch.equal(first, drops(0.5, 100))
    assert not torch.equal(first, different)


def test_what_drops_nothing_or_everything() -> None:
    inputs = torch.randn(50)
    assert torch.equal(Dropout(0.5).eval()(inputs), inputs)
    assert torch.equal(Dropout(0.0)(inputs), inputs)
    assert torch.equal(Dropout(1.0)(inputs), torch.zeros(50))
    dropped = Dropout(0.5)(torch.ones((3, 0, 2), dtype=torch.bfloat16))
    assert (dropped.shape, dropped.dtype) == ((3, 0, 2), torch.bfloat16)
    # Other devices take PyTorch's own: the meta device has shapes without values.
    assert Dropout(0.5)(torch.empty(3, 4, device="meta")).shape == (3, 4)


def test_scaled_dropout_scales_in_prediction() -> None:
    torch.manual_seed(0)
    layer = ScaledDropout(0.3)
    output = layer(torch.full((100_000,), 2.0))
    assert set(output.tolist()) == {0.0, 2.0}
    assert abs((output == 0).float().mean() - 0.3) < 0.01
    torch.testing.assert_close(layer.eval()(torch.full((3,), 2.0)), torch.full((3,), 1.4))
    inputs = torch.randn(5)
    assert torch.equal(ScaledDropout(0.0)(inputs), inputs)


def test_of_two_inputs_the_survivor_is_doubled() -> None:
    torch.manual_seed(1)
    rates = 0.33, 0.2
    inputs = torch.rand(20, 50, 5) + 1
    factors = WholeInputDropout([3, 2], rates)(inputs) / inputs
    # Whole words and whole tags.
    word, tag = factors[..., 0], factors[..., 3]
    torch.testing.assert_close(factors[..., :3], word.unsqueeze(-1).expand(-1, -1, 3))
    torch.testing.assert_close(factors[..., 3:], tag.unsqueeze(-1).expand(-1, -1, 2))
    pairs = torch.stack([word.flatten(), tag.flatten()], -1).round().int().tolist()
    # Independently of each other, and at each token anew.
    of_word, of_tag = rates
    expected = {
        (1, 1): (1 - of_word) * (1 - of_tag),
        (2, 0): (1 - of_word) * of_tag,
        (0, 2): of_word * (1 - of_tag),
        (0, 0): of_word * of_tag,
    }
    for pair, probability in expected.items():
        assert pairs.count(list(pair)) / len(pairs) == pytest.approx(probability, abs=0.05)


def test_an_only_input_is_dropped_without_scaling_and_none_in_evaluation() -> None:
    torch.manual_seed(1)
    outputs = WholeInputDropout([4], [0.33])(torch.ones(5, 30, 4))
    assert set(outputs.flatten().tolist()) == {0.0, 1.0}
    inputs = torch.rand(2, 3, 4)
    assert torch.equal(WholeInputDropout([3, 1], [0.3, 0.3]).eval()(inputs), inputs)
    assert torch.equal(WholeInputDropout([3, 1], [0.0, 0.0])(inputs), inputs)
