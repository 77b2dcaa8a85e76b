"""Command-line options whose values are JSON."""

import json
from typing import Any, Callable, Dict

from lisa_allennlp.common.errors import ConfigurationError


def json_object(option: str, text: str, parse: Callable[[str], Any] = json.loads) -> Dict[str, Any]:
    """Parses the value of an option, which has to be a JSON object."""
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
