"""The batches of two workers with different numbers of sentences."""

from typing import Any, List

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.fields import MetadataField

from lisa_allennlp.training.equal_batches import EqualBatches, num_workers
from tests.training.metrics.two_workers import run_on_two_workers


def loader(names: List[str]) -> SimpleDataLoader:
    return SimpleDataLoader([Instance({"name": MetadataField(name)}) for name in names], 2)


def read(batches: EqualBatches) -> List[Any]:
    return [(batch.get("name"), batch.weight) for batch in batches]  # type: ignore[attr-defined]


SHARES = (list("abcde"), list("fg"))


def assert_batches(rank: int, world_size: int, device: Any, is_training: bool) -> None:
    batches = EqualBatches(loader(SHARES[rank]), "my data", is_training)
    last = ["f", "g"] if is_training else None
    first = [(["a", "b"], 1.0), (["c", "d"], 2.0), (["e"], 2.0)]
    second = [(["f", "g"], 1.0), (last, 0.0), (last, 0.0)]
    for _ in range(2):
        assert read(batches) == (first, second)[rank]
        assert len(batches) == 3
    assert [i["name"].metadata for i in batches.iter_instances()] == SHARES[rank]  # type: ignore


@pytest.mark.parametrize("is_training", [False, True])
def test_a_worker_without_a_batch_has_the_weight_0(is_training: bool) -> None:
    run_on_two_workers(assert_batches, is_training)


def assert_no_batch(rank: int, world_size: int, device: Any) -> None:
    own = loader(["a"] * (1 - rank))
    assert read(EqualBatches(own, "my data")) == [[(["a"], 2.0)], [(None, 0.0)]][rank]
    with pytest.raises(ConfigurationError, match="my data: found fewer sentences than processes"):
        EqualBatches(own, "my data", is_training=True)


def test_a_worker_without_any_sentence() -> None:
    run_on_two_workers(assert_no_batch)


def test_one_process() -> None:
    assert num_workers() == 1
    assert read(EqualBatches(loader(["a", "b", "c"]), "my data", True)) == [
        (["a", "b"], 1.0),
        (["c"], 1.0),
    ]
