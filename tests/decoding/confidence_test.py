import math
from typing import Any, Dict

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.confidence import Confidence, check_share


@pytest.mark.parametrize(
    "options, message",
    [
        ({"role_temperature": 0}, "role_temperature is 0; expected a number above 0"),
        ({"arc_temperature": math.inf}, "arc_temperature is inf; expected a number above 0"),
        ({"min_probability": 1.5}, "min_probability is 1.5; expected a number from 0 to 1"),
        ({"min_probability": math.nan}, "min_probability is nan; expected a number from 0 to 1"),
    ],
)
def test_bad_values(options: Dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Confidence(**options)


@pytest.mark.parametrize("beta", [1.5, "0.1", True, math.nan])
def test_impossible_beta(beta: Any) -> None:
    with pytest.raises(ConfigurationError, match="beta is .*; expected a number from 0 to 1"):
        check_share("beta", beta)
