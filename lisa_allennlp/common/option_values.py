"""Checks the values of options and config keys: JSON objects and the numbers of GPUs."""

import json
from typing import Any, Callable, Dict

from lisa_allennlp.common.errors import ConfigurationError


def json_object(option: str, text: str, parse: Callable[[str], Any] = json.loads) -> Dict[str, Any]:
    try:
        value = parse(text)
    except (json.JSONDecodeError, RuntimeError) as error:
        # Jsonnet's traceback follows its message.
        first_line = str(error).partition("\n")[0]
        raise ConfigurationError(
            f"{option}: found {text!r}; expected JSON ({first_line})"
        ) from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{option}: found {text!r}; expected a JSON object")
    return value


def check_device(place: str, device: int) -> None:
    """Checks that GPU `device` exists; -1 is the CPU. `place` is the option or key that says it."""
    import torch

    number = torch.cuda.device_count()
    if device >= number:
        gpus = f"GPUs 0 to {number - 1}" if number else "no GPU"
        raise ConfigurationError(
            f"{place}: found {device}, but this machine has {gpus}; expected "
            f"{'one of these, or ' if number else ''}-1 for the CPU"
        )
