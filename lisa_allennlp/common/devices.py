"""
Checks the numbers of GPUs.

    >>> check_device("device", -1)
"""

import torch

from lisa_allennlp.common.errors import ConfigurationError


def check_device(place: str, device: int) -> None:
    """
    # Parameters

    place : `str`
        The option or the key of a config that names the device.
    device : `int`
        The number of a GPU; -1 is the CPU.

    # Raises

    `ConfigurationError`
        If this machine has no such GPU.
    """
    number = torch.cuda.device_count()
    if device >= number:
        gpus = f"GPUs 0 to {number - 1}" if number else "no GPU"
        raise ConfigurationError(
            f"{place}: found {device}, but this machine has {gpus}; expected "
            f"{'one of these, or ' if number else ''}-1 for the CPU"
        )
