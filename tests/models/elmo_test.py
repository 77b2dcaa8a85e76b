"""Answers of models with ELMo, which depend on nothing but the sentence."""

from pathlib import Path
from typing import Any, Dict, List

import pytest

import lisa_allennlp
from tests import FIXTURES
from tests.archives import make_archives

pytestmark = pytest.mark.medium

ELMO = {
    "type": "elmo_token_embedder",
    "options_file": str(FIXTURES / "elmo/options.json"),
    "weight_file": str(FIXTURES / "elmo/weights.hdf5"),
    "dropout": 0.0,
}
WORDS = ["She left .", "Stop", "The dog that she saw chased him , did n't it ?", "She left ."]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    """Untrained models by type. Their configs and weights are those of AllenNLP's own embedder."""
    indexers = {"elmo": {"type": "elmo_characters"}}
    return make_archives(tmp_path_factory, {"elmo": ELMO}, 96, indexers)


def test_answers_do_not_depend_on_earlier_sentences(archives: Dict[str, Path]) -> None:
    contents: List[Dict[str, Any]] = [{"tokens": words.split()} for words in WORDS]
    labeller = lisa_allennlp.load(archives["lisa"])
    alone = [labeller(content) for content in contents]
    assert alone[0] == alone[3]
    assert [labeller(content) for content in contents[::-1]] == alone[::-1]
