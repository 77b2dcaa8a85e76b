"""Weights copied row by row, against loops over labels."""

from typing import Dict, List, Tuple

import pytest
import torch
from allennlp.data import Vocabulary
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models.sentence_model import SentenceModel, VocabularyAxes
from lisa_allennlp.training.continued_training import Options, copy_weights

NAMES = ["O", "B-A0", "I-A0", "B-A1", "B-V", "I-V"]
BLOCKS, WIDTH = 3, 2
OLD, NEW = Options("old", {}), Options("new.json", {})


class Labels(SentenceModel):
    """Weights with labels on the rows, on both axes, and in blocks on the columns."""

    def __init__(self, labels: List[str]) -> None:
        super().__init__(Vocabulary(tokens_to_add={"role_labels": labels}))
        n = len(labels)
        self.rows = torch.nn.Parameter(torch.randn(n, WIDTH))
        self.pairs = torch.nn.Parameter(torch.randn(n, n))
        self.blocks = torch.nn.Parameter(torch.randn(WIDTH, BLOCKS * n))
        self.other = torch.nn.Parameter(torch.randn(WIDTH, WIDTH))
        self.register_buffer("counts", torch.randn(n))

    def vocabulary_axes(self) -> VocabularyAxes:
        labels = "role_labels"
        return {"rows": (labels,), "pairs": (labels, labels), "blocks": (None, labels)}


@torch.no_grad()
def entries(model: Labels) -> Dict[Tuple, float]:
    """Each weight by the names of its labels."""
    labels = list(model.vocab.get_token_to_index_vocabulary("role_labels"))
    n = len(labels)
    found = {}
    for i, label in enumerate(labels):
        for column in range(WIDTH):
            found["rows", label, column] = float(model.rows[i, column])
        for j, other in enumerate(labels):
            found["pairs", label, other] = float(model.pairs[i, j])
        for row in range(WIDTH):
            for block in range(BLOCKS):
                found["blocks", row, block, label] = float(model.blocks[row, block * n + i])
    return found


@given(st.lists(st.sampled_from(NAMES), unique=True, min_size=1), st.permutations(NAMES))
def test_old_labels_keep_their_weights_and_new_ones_start_afresh(
    old_labels: List[str], new_labels: List[str]
) -> None:
    old, new = Labels(old_labels), Labels(new_labels)
    before, counts = entries(new), new.counts.clone()
    assert copy_weights(old, new, OLD, NEW) == []
    trained = entries(old)
    for key, weight in entries(new).items():
        assert weight == trained.get(key, before[key])
    assert torch.equal(new.other, old.other) and torch.equal(new.counts, counts)


def test_new_layers_are_named() -> None:
    old, new = Labels(NAMES[:2]), Labels(NAMES)
    new.sense = torch.nn.Linear(2, 2)
    assert copy_weights(old, new, OLD, NEW) == ["sense.weight", "sense.bias"]


def test_a_weight_without_a_place_is_an_error_that_names_the_options() -> None:
    old, new = Labels(NAMES), Labels(NAMES)
    old.extra = torch.nn.Parameter(torch.zeros(1))
    with pytest.raises(ConfigurationError) as error:
        copy_weights(
            old,
            new,
            Options("old", {"extra": {"dim": 1, "dropout": 0.5}, "type": "x"}),
            Options("new.json", {"extra": {"dropout": 0}, "type": "x"}),
        )
    assert error.value.message == (
        "new.json: found no place for the weight extra of old (no such weight); expected the same "
        "network. model.extra.dim is None here and 1 in the trained model"
    )


@pytest.mark.parametrize("name", ["rows", "other", "blocks"])
def test_another_shape_is_an_error(name: str) -> None:
    old, new = Labels(NAMES[:2]), Labels(NAMES)
    shape = [size + 1 for size in getattr(old, name).shape]
    setattr(old, name, torch.nn.Parameter(torch.zeros(shape)))
    with pytest.raises(ConfigurationError, match=f"for the weight {name} of old .its shape is"):
        copy_weights(old, new, OLD, NEW)
