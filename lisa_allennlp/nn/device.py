"""The device of a tensor."""

import torch


def is_on_cpu(tensor: torch.Tensor) -> bool:
    """
    Whether functions of `lisa_allennlp.nn` call their forms in `lisa_allennlp.nn.cpu` for a tensor.

    >>> is_on_cpu(torch.zeros(3))
    True
    """
    return tensor.device.type == "cpu"
