"""Answers of models with ELMo, which depend on nothing but the sentence."""

import copy
from pathlib import Path
from typing import Any, Dict, List, Sequence

import pytest
import torch

import lisa_allennlp
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES
from tests.archives import make_archives

pytestmark = pytest.mark.medium

ELMO = {
    "type": "elmo_token_embedder",
    "options_file": str(FIXTURES / "elmo/options.json"),
    "weight_file": str(FIXTURES / "elmo/weights.hdf5"),
    "dropout": 0.0,
}
WORDS = [
    "She left .".split(),
    "Stop".split(),
    "The dog that she saw chased him , did n't it ?".split(),
    "She left .".split(),
    "They ( all ) left the building with the telescope .".split(),
    "She left .".split(),
]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    """Untrained models by type. Their configs and weights are those of AllenNLP's own embedder."""
    indexers = {"elmo": {"type": "elmo_characters"}}
    return make_archives(tmp_path_factory, {"elmo": ELMO}, 96, indexers)


def assert_same(found: Sequence[Sentence], expected: Sequence[Sentence]) -> None:
    """The same labels, and the same probabilities and scores up to rounding."""
    for one, other in zip(found, expected, strict=True):
        assert one.words == other.words
        assert (one.pos, one.frames, one.parse) == (other.pos, other.frames, other.parse)
        for name in ("predicate_probabilities", "arc_scores"):
            mine, theirs = getattr(one, name), getattr(other, name)
            assert (mine is None) == (theirs is None)
            if mine is not None:
                mine, theirs = torch.as_tensor(mine), torch.as_tensor(theirs)
                # Arc scores of random weights are in the hundreds.
                scale = theirs[theirs.isfinite()].abs().max().clamp(min=1.0)
                torch.testing.assert_close(mine / scale, theirs / scale, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("name", ["lisa", "deep_biaffine_parser"])
def test_batches_order_history_and_processes_change_nothing(
    name: str, archives: Dict[str, Path]
) -> None:
    contents: List[Dict[str, Any]] = [{"tokens": words} for words in WORDS]
    if name == "deep_biaffine_parser":
        contents = [{**content, "pos": ["NN"] * len(content["tokens"])} for content in contents]
    labeller = lisa_allennlp.load(archives[name])
    alone = []
    for content in contents:
        # A copy that has seen nothing.
        fresh = copy.deepcopy(labeller)
        alone.append(fresh(content, details=True))
    for batch_size, processes in ((1, 1), (2, 1), (100, 1), (2, 2)):
        stream = labeller.pipe(contents, batch_size, details=True, processes=processes)
        assert_same(list(stream), alone)
    assert_same(list(labeller.pipe(contents[::-1], details=True)), alone[::-1])
