"""Command-line options whose values are JSON."""

import json
from typing import Any, Callable, Dict

from allennlp.common.checks import ConfigurationError


def json_object(option: str, text: str, parse: Callable[[str], Any] = json.loads) -> Dict[str, Any]:
    """
    # Parameters

    option : `str`
        The name of the option, for messages.
    text : `str`
        Its value.
    parse : `Callable[[str], Any]`, optional (default = `json.loads`)
        What reads it.

    # Returns

    `Dict[str, Any]`

    # Raises

    `ConfigurationError`
        If it is not JSON, or not an object.
    """
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
