"""Checks the numbers of GPUs."""

import torch

from lisa_allennlp.common.errors import ConfigurationError


def check_device(place: str, device: int) -> None:
    """
    Checks that this machine has a GPU of this number; -1 is the CPU. `place` is the option or the
    key of a config that names it.
    """
    number = torch.cuda.device_count()
    if device >= number:
        gpus = f"GPUs 0 to {number - 1}" if number else "no GPU"
        raise ConfigurationError(
            f"{place}: found {device}, but this machine has {gpus}; expected "
            f"{'one of these, or ' if number else ''}-1 for the CPU"
        )
