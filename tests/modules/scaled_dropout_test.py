import torch

from lisa_allennlp.modules.scaled_dropout import ScaledDropout


def test_training_drops_without_scaling():
    torch.manual_seed(0)
    output = ScaledDropout(0.3).train()(torch.full((100_000,), 2.0))
    assert set(output.tolist()) == {0.0, 2.0}
    assert abs((output == 0).float().mean() - 0.3) < 0.01


def test_prediction_scales():
    output = ScaledDropout(0.3).eval()(torch.full((3,), 2.0))
    torch.testing.assert_close(output, torch.full((3,), 1.4))


def test_expectations_are_the_same():
    torch.manual_seed(0)
    inputs = torch.randn(50)
    dropout = ScaledDropout(0.5).train()
    mean = torch.stack([dropout(inputs) for _ in range(20_000)]).mean(0)
    torch.testing.assert_close(mean, dropout.eval()(inputs), atol=0.05, rtol=0)


def test_nothing_is_dropped_at_rate_0():
    inputs = torch.randn(5)
    assert torch.equal(ScaledDropout(0.0).train()(inputs), inputs)
    assert torch.equal(ScaledDropout(0.0).eval()(inputs), inputs)
