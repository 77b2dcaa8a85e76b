"""Trees through the door."""

from pathlib import Path
from typing import Dict

import pytest

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError

TAGGED = {"tokens": ["She", "saw", "(", "him", ")"], "pos": ["PRP", "VBD", "(", "XX", ")"]}


def test_trees(archives: Dict[str, Path]) -> None:
    parser = lisa_allennlp.load(archives["deep_biaffine_parser"])
    empty, full = parser.pipe([{"tokens": []}, {**TAGGED, "id": 3}], details=True)
    assert (empty.words, empty.pos, empty.heads) == ([], [], [])
    assert full.words == TAGGED["tokens"] and full.pos == TAGGED["pos"]
    assert full.heads.count(0) == 1 and full.extra == {"id": 3}
    assert [tag == "root" for tag in full.head_tags] == [head == 0 for head in full.heads]
    assert full.arc_scores.shape == (5, 5) and full.attention is None
    assert full.frames is None and full.supertags is None
    with pytest.raises(ConfigurationError, match="expected also `pos`, one tag per word"):
        parser("She left .")
    with pytest.raises(ConfigurationError, match="expected `tokens` with `pos`"):
        parser.document("She left. He stayed.")
