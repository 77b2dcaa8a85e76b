"""Temperatures and thresholds of the probabilities that are reported."""

import math
from typing import Any, Optional, Tuple

from lisa_allennlp.common.errors import ConfigurationError


class Confidence:
    """
    Settings of the probabilities that a model reports. A temperature divides the scores of a task
    before they become probabilities: above 1, these are lower. It does not change the labels.
    `python -m benchmarks.calibration` fits temperatures.

    # Parameters

    role_temperature : `float`, optional (default = `1.0`)
        Of the role spans.
    arc_temperature : `float`, optional (default = `1.0`)
        Of the heads and their labels.
    sense_temperature : `float`, optional (default = `1.0`)
        Of the rolesets.
    factuality_temperature : `float`, optional (default = `1.0`)
        Of `happened`.
    min_probability : `float`, optional (default = `0.0`)
        `decoding.frames.leave_out` drops arguments with a lower probability. This trades recall for
        precision.
    min_core_probability : `float`, optional (default = `min_probability`)
        The same for core roles (`ARG0` to `ARG5`, `ARGA`), whose absence readers notice more.
    """

    def __init__(
        self,
        role_temperature: float = 1.0,
        arc_temperature: float = 1.0,
        min_probability: float = 0.0,
        min_core_probability: Optional[float] = None,
        sense_temperature: float = 1.0,
        factuality_temperature: float = 1.0,
    ) -> None:
        _check_temperature("role_temperature", role_temperature)
        _check_temperature("arc_temperature", arc_temperature)
        _check_temperature("sense_temperature", sense_temperature)
        _check_temperature("factuality_temperature", factuality_temperature)
        check_share("min_probability", min_probability)
        if min_core_probability is None:
            min_core_probability = min_probability
        check_share("min_core_probability", min_core_probability)
        self.role_temperature = role_temperature
        self.arc_temperature = arc_temperature
        self.sense_temperature = sense_temperature
        self.factuality_temperature = factuality_temperature
        self.min_probability = min_probability
        self.min_core_probability = min_core_probability

    def limits(self, min_probability: Optional[float] = None) -> Tuple[float, float]:
        """The least probabilities of arguments and of core ones; `min_probability` sets both."""
        if min_probability is not None:
            return min_probability, min_probability
        return self.min_probability, self.min_core_probability


def check_share(name: str, value: Any) -> float:
    """Returns a number from 0 to 1 as a float. Any other value is a `ConfigurationError`."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise ConfigurationError(f"{name} is {value!r}; expected a number from 0 to 1")
    return float(value)


def _check_temperature(name: str, value: Any) -> None:
    if not _is_number(value) or not 0 < float(value) < math.inf:
        raise ConfigurationError(f"{name} is {value!r}; expected a number above 0")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
