"""Initializers registered as AllenNLP's `Initializer`."""

import torch
from allennlp.nn.initializers import Initializer


@Initializer.register("fan_in_gaussian")
class FanInGaussianInitializer(Initializer):
    """
    Draws from a Gaussian with a standard deviation of `scale / sqrt(fan_in)` (dynamic window,
    section 4.2), where `fan_in` is a parameter's last dimension.
    """

    def __init__(self, scale: float = 0.1) -> None:
        self._scale = scale

    def __call__(self, tensor: torch.Tensor, **kwargs: object) -> None:
        torch.nn.init.normal_(tensor, std=self._scale * tensor.size(-1) ** -0.5)
