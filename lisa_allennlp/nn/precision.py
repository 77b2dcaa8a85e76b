"""Reduced precision of a network's matrix products."""

from contextlib import AbstractContextManager, nullcontext
from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError

PRECISIONS = ("float32", "bfloat16")
REDUCED_FROM_TOKENS = 256
"""Below, converting the weights takes a CPU longer than reduced precision saves."""


class Precision:
    """
    The precision of matrix products: `float32`, or `bfloat16`, which keeps weights and sums of
    residuals in single precision and multiplies in PyTorch's automatic mixed precision. It is
    several times as fast on processors with instructions for it (AMX or AVX512-BF16), and slower
    on others. Where automatic mixed precision is on already, `float32` leaves it on.

    # Parameters

    name : `str`
        `float32` or `bfloat16`.

    # Raises

    `ConfigurationError`
        If it is another.
    """

    def __init__(self, name: str) -> None:
        if name not in PRECISIONS:
            raise ConfigurationError(
                f"precision is '{name}'; expected one of {', '.join(PRECISIONS)}"
            )
        self._is_reduced = name == "bfloat16"

    def __call__(
        self, device: torch.device, num_tokens: Optional[int] = None
    ) -> AbstractContextManager:
        """
        A context in which products on this device have the precision; but on a CPU those of a
        batch of few tokens are left as they are.
        """
        is_small = num_tokens is not None and num_tokens < REDUCED_FROM_TOKENS
        if not self._is_reduced or (is_small and device.type == "cpu"):
            return nullcontext()
        return torch.autocast(device.type, dtype=torch.bfloat16)


def weights_converted_once(network: torch.nn.Module) -> AbstractContextManager:
    """
    A context for several forward passes of a network: its weights are converted to reduced
    precision in the first and kept for the others. They may not change meanwhile, and gradients
    must be off (by `torch.no_grad`: in `torch.inference_mode` nothing is kept). Whether automatic
    mixed precision is on stays as it is.
    """
    device = next(network.parameters()).device.type
    # PyTorch drops what it has converted when the outermost context ends.
    return torch.autocast(
        device,
        dtype=torch.get_autocast_dtype(device),
        enabled=torch.is_autocast_enabled(device),
    )


def in_product_precision(tensor: torch.Tensor) -> torch.Tensor:
    """What autocast, where it is on, makes of a tensor before it is multiplied."""
    device = tensor.device.type
    if not torch.is_autocast_enabled(device):
        return tensor
    return tensor.to(torch.get_autocast_dtype(device))
