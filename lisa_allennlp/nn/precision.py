"""Reduced precision in a network's matrix products."""

from contextlib import AbstractContextManager, nullcontext
from typing import Optional

import torch

from lisa_allennlp.common.errors import ConfigurationError

PRECISIONS = ("float32", "bfloat16")
REDUCED_FROM_TOKENS = 256
"""
With fewer tokens, converting the weights takes a CPU longer than reduced precision saves, so
answers in reduced precision depend on the size of batches.
"""


def check_precision(name: str) -> None:
    if name not in PRECISIONS:
        raise ConfigurationError(f"precision is '{name}'; expected one of {', '.join(PRECISIONS)}")


class Precision:
    """
    The precision of matrix products: `float32`, or `bfloat16`, which is PyTorch's automatic mixed
    precision and keeps weights and sums of residuals in single precision. On processors with
    instructions for it (AMX or AVX512-BF16), `bfloat16` is several times as fast; on others it is
    slower. `float32` does not turn automatic mixed precision off if it is already on.
    """

    def __init__(self, name: str) -> None:
        check_precision(name)
        self._is_reduced = name == "bfloat16"

    def __call__(
        self, device: torch.device, num_tokens: Optional[int] = None
    ) -> AbstractContextManager:
        """
        A context that sets the precision of matrix products on `device`. On a CPU it changes
        nothing if `num_tokens`, the size of the batch, is below `REDUCED_FROM_TOKENS`.
        """
        is_small = num_tokens is not None and num_tokens < REDUCED_FROM_TOKENS
        if not self._is_reduced or (is_small and device.type == "cpu"):
            return nullcontext()
        return torch.autocast(device.type, dtype=torch.bfloat16)


def weights_converted_once(network: torch.nn.Module) -> AbstractContextManager:
    """
    A context for several forward passes of a network. The first pass converts the weights to
    reduced precision, and the others reuse them. Meanwhile the weights must not change, and
    gradients must be off by `torch.no_grad` (under `torch.inference_mode`, PyTorch keeps no
    converted weights). Automatic mixed precision stays on or off as it is.
    """
    device = next(network.parameters()).device.type
    # PyTorch drops the converted weights when the outermost context ends.
    return torch.autocast(
        device,
        dtype=torch.get_autocast_dtype(device),
        enabled=torch.is_autocast_enabled(device),
    )
