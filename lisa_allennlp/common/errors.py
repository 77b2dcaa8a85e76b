"""The error for a wrong value of the user's."""

from typing import Iterable


class ConfigurationError(Exception):
    """
    Raised for a wrong value of the user's: an argument, a config key, a file or an input. The
    message is one line with the place, the value found and the value expected, which the `lisa`
    command prints instead of a traceback.

    AllenNLP raises an error of the same name, which is another class
    (`lisa_allennlp.models_on_disk.archives`).
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def did_you_mean(found: str, known: Iterable[str]) -> str:
    """
    Returns the known name that a wrong one is similar to, for a message, or nothing.

    >>> did_you_mean("head_index", ["pos", "head_indices"])
    " (did you mean 'head_indices'?)"
    """
    from difflib import get_close_matches

    similar = get_close_matches(found, known, n=1, cutoff=0.7)
    return f" (did you mean '{similar[0]}'?)" if similar else ""
