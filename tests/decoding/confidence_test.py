import math
from typing import Any, Dict

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.confidence import Confidence


@pytest.mark.parametrize(
    "options, message",
    [
        ({"role_temperature": 0}, "role_temperature is 0; expected a number above 0"),
        ({"min_probability": math.nan}, "min_probability is nan; expected a number from 0 to 1"),
        ({"min_core_probability": "0.1"}, "min_core_probability is '0.1'; expected a number"),
        ({"min_probability": True}, "min_probability is True; expected a number"),
    ],
)
def test_bad_values(options: Dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Confidence(**options)
