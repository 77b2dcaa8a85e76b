import torch
from allennlp.common import Params
from allennlp.nn.initializers import Initializer

import lisa_allennlp.nn.initializers  # noqa: F401


def test_scale():
    torch.manual_seed(0)
    initializer = Initializer.from_params(Params({"type": "fan_in_gaussian", "scale": 0.2}))
    weight = torch.empty(500, 400)
    initializer(weight)
    assert abs(weight.std() - 0.2 / 20) < 1e-4
    assert abs(weight.mean()) < 1e-4
