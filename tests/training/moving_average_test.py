import torch
from allennlp.training.moving_average import MovingAverage

from lisa_allennlp.training.moving_average import ExponentialInPlace


def test_equals_allennlps_average():
    torch.manual_seed(0)
    parameters = [("weight", torch.nn.Parameter(torch.randn(5, 3)))]
    averages = [
        MovingAverage.by_name(name)(parameters, decay=0.9)
        for name in ("exponential_in_place", "exponential")
    ]
    for step in range(30):
        parameters[0][1].data += torch.randn(5, 3)
        for average in averages:
            # The first updates weigh more; without a number, all weigh the same.
            average.apply(step if step < 20 else None)
    own, theirs = (average._shadows["weight"] for average in averages)
    torch.testing.assert_close(own, theirs)
    assert isinstance(averages[0], ExponentialInPlace)
