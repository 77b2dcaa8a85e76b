"""ELMo without state, against AllenNLP's ELMo before it has seen anything."""

import copy
import pickle
from typing import List

import pytest
import torch
from allennlp.modules.elmo import batch_to_ids
from allennlp.modules.token_embedders import ElmoTokenEmbedder

from lisa_allennlp.modules.stateless_elmo import make_elmo_stateless
from tests import FIXTURES

SENTENCES = [
    "the senator saw the man with the telescope .".split(),
    ["stop"],
    "she left .".split(),
    "the dog that she saw chased him yesterday".split(),
]


@pytest.fixture(scope="module")
def fresh() -> ElmoTokenEmbedder:
    """AllenNLP's own, of which every test takes a copy."""
    folder = FIXTURES / "elmo"
    options, weights = str(folder / "options.json"), str(folder / "weights.hdf5")
    return ElmoTokenEmbedder(options, weights, dropout=0.0).eval()


@torch.no_grad()
def embed(embedder: ElmoTokenEmbedder, sentences: List[List[str]]) -> List[torch.Tensor]:
    vectors = embedder(batch_to_ids(sentences))
    return [row[: len(words)] for row, words in zip(vectors, sentences, strict=True)]


def test_every_batch_is_embedded_as_the_first_one_of_allennlp(fresh: ElmoTokenEmbedder) -> None:
    stateless = make_elmo_stateless(copy.deepcopy(fresh))
    # A larger batch after a smaller one, and the other way round.
    for batch in (SENTENCES[:1], SENTENCES, SENTENCES[::-1], SENTENCES[1:3], SENTENCES):
        expected = embed(copy.deepcopy(fresh), batch)
        for ours, theirs in zip(embed(stateless, batch), expected, strict=True):
            assert torch.equal(ours, theirs)


def test_weights_keep_their_names_and_modules_can_be_copied(fresh: ElmoTokenEmbedder) -> None:
    stateless = make_elmo_stateless(copy.deepcopy(fresh))
    stateless.load_state_dict(fresh.state_dict())
    assert list(stateless.state_dict()) == list(fresh.state_dict())
    expected = embed(stateless, SENTENCES)
    for other in (copy.deepcopy(stateless), pickle.loads(pickle.dumps(stateless))):
        for _ in range(2):
            assert all(map(torch.equal, embed(other, SENTENCES), expected))
