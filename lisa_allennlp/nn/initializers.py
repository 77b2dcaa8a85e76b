"""Initializers registered as AllenNLP's `Initializer`."""

import torch
from allennlp.nn.initializers import Initializer


@Initializer.register("fan_in_gaussian")
class FanInGaussianInitializer(Initializer):
    """
    Draws from a Gaussian whose standard deviation is `scale` over the square root of the number of
    inputs (dynamic window, section 4.2). The inputs are a parameter's last dimension.

    # Parameters

    scale : `float`, optional (default = `0.1`)
    """

    def __init__(self, scale: float = 0.1) -> None:
        self._scale = scale

    def __call__(self, tensor: torch.Tensor, **kwargs: object) -> None:
        torch.nn.init.normal_(tensor, std=self._scale * tensor.size(-1) ** -0.5)
