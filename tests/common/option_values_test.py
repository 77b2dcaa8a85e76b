"""Values of options that should be JSON objects."""

import pytest
from allennlp.common.params import parse_overrides

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.option_values import json_object


@pytest.mark.parametrize("parse", [{}, {"parse": parse_overrides}])
def test_an_object_is_read_and_all_else_refused_by_name(parse):
    assert json_object("--o", '{"a": [1]}', **parse) == {"a": [1]}
    for text in ("[1]", "{1"):
        with pytest.raises(ConfigurationError, match="--o: found ") as error:
            json_object("--o", text, **parse)
        assert "\n" not in str(error.value)
