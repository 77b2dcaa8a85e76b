"""Where a tensor is."""

import torch


def is_on_cpu(tensor: torch.Tensor) -> bool:
    """Whether the functions of `lisa_allennlp.nn` hand a tensor over to `lisa_allennlp.nn.cpu`."""
    return tensor.device.type == "cpu"
