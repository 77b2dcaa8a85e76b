"""Sentences that several workers and processes share: each is read once."""

from collections import Counter
from typing import Any, Callable, Dict, Iterator, Optional

import pytest
import torch
from allennlp.data import DatasetReader
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.sentence.sentence import Parse, Sentence

READERS: Dict[str, Callable[..., Any]] = {
    "roles": Conll12SrlReader,
    "parses": ConlluParsesReader,
    "supertags": CcgbankReader,
}


def sentence(number: int) -> Sentence:
    return Sentence([f"w{number}"], ["NN"], parse=Parse([0], ["root"]), supertags=["N"])


def share(
    build: Callable[..., DatasetReader],
    sentences: int,
    worker: int,
    workers: int,
    process: int,
    processes: int,
    max_instances: Optional[int],
) -> Iterator[str]:
    """The words that a process reads for a worker of a distributed training."""
    with pytest.MonkeyPatch.context() as patch:
        if workers > 1:
            patch.setattr("allennlp.common.util.is_distributed", lambda: True)
            patch.setattr(torch.distributed, "get_world_size", lambda: workers)
            patch.setattr(torch.distributed, "get_rank", lambda: worker)
        reader: Any = build(max_instances=max_instances)
        reader.read_sentences = lambda path: map(sentence, range(sentences))
        if processes > 0:
            reader._set_worker_info(WorkerInfo(processes, process))
        for instance in reader.read("corpus"):
            yield instance["metadata"]["sentence"].words[0]


@pytest.mark.parametrize("name", READERS)
@given(
    sentences=st.integers(0, 30),
    workers=st.integers(1, 5),
    processes=st.integers(0, 4),
    max_instances=st.none() | st.integers(0, 40),
)
def test_each_sentence_is_read_once(
    name: str, sentences: int, workers: int, processes: int, max_instances: Optional[int]
) -> None:
    found = Counter(
        word
        for worker in range(workers)
        for process in range(max(1, processes))
        for word in share(
            READERS[name], sentences, worker, workers, process, processes, max_instances
        )
    )
    expected = sentences if max_instances is None else min(sentences, max_instances)
    assert found == Counter(f"w{number}" for number in range(expected))
