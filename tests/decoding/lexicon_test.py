"""What the package knows of English."""

from typing import Any, Dict

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.lexicon import open_lexicon, with_lexicon


def test_other_lexicons() -> None:
    assert open_lexicon(None) is None
    with pytest.raises(ConfigurationError, match="lexicon: found 'german'; expected 'english'"):
        open_lexicon("german")


@pytest.mark.parametrize(
    "older, expected",
    [
        ({"sense_inventory": "propbank", "role_context": "ewt"}, {"lexicon": "english"}),
        ({"well_formed_frames": True, "token_context": None}, {"well_formed_frames": True}),
        ({"sense_context": "ewt", "lexicon": None}, {"lexicon": None}),
    ],
)
def test_older_keys(older: Dict[str, Any], expected: Dict[str, Any]) -> None:
    assert with_lexicon(older) == expected
