"""The counts of role labels after training, against counts of the corpus by brute force."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any, List, Tuple

import pytest
import torch
from allennlp.data import Instance, Vocabulary

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.models.sentence_model import label_strings
from lisa_allennlp.modules.role_decoders import RoleDecoder, ViterbiRoleDecoder
from lisa_allennlp.training.callbacks import count_roles
from tests.training.trainings import LISA, SAMPLE, train
from tests.training.two_workers import run_on_two_workers

TRAIN = SAMPLE / "train.gold_conll"
NUM_SENTENCES = LISA["dataset_reader"]["max_instances"]


def brute_force() -> Tuple[Counter, Counter]:
    """The numbers of pairs of neighbouring labels, and of first labels."""
    sentences = itertools.islice(Conll12SrlReader().read_sentences(TRAIN), NUM_SENTENCES)
    tags = [frame.tags for sentence in sentences for frame in sentence.frames]
    pairs = Counter(pair for labels in tags for pair in itertools.pairwise(labels))
    return pairs, Counter(labels[0] for labels in tags)


def counted(decoder: RoleDecoder, vocab: Vocabulary) -> Tuple[Counter, Counter]:
    """The same, as a role decoder has them."""
    names = vocab.get_index_to_token_vocabulary("role_labels")
    places = decoder.transition_counts.nonzero().tolist()
    pairs = {(names[i], names[j]): int(decoder.transition_counts[i, j]) for i, j in places}
    starts = {names[i]: n for i, n in enumerate(decoder.start_counts.tolist()) if n}
    return Counter(pairs), Counter(starts)


def make_decoder(vocab: Vocabulary) -> ViterbiRoleDecoder:
    return ViterbiRoleDecoder(RoleConstraints(label_strings(vocab, "role_labels")))


@pytest.mark.medium
def test_each_sentence_counts_once_after_three_epochs(tmp_path: Path) -> None:
    lazy = {"batch_size": 5, "max_instances_in_memory": 7}
    train(tmp_path / "run", data_loader=lazy, trainer__learning_rate_scheduler=None)
    vocab = Vocabulary.from_files(tmp_path / "run/vocabulary")
    decoder, weights = make_decoder(vocab), torch.load(tmp_path / "run/model_state_e3_b0.th")
    for name, count in decoder.named_buffers():
        count.copy_(weights[f"_role_decoder.{name}"])
    assert counted(decoder, vocab) == brute_force()


def indexed_sample() -> Tuple[List[Instance], Vocabulary]:
    instances = list(Conll12SrlReader(max_instances=NUM_SENTENCES).read(TRAIN))
    vocab = Vocabulary.from_instances(instances)
    for instance in instances:
        instance.index_fields(vocab)
    return instances, vocab


def count_share(
    rank: int, world_size: int, _: Any, instances: Any, vocab: Any, expected: Any
) -> None:
    decoder = make_decoder(vocab)
    count_roles(instances[rank::world_size], decoder)
    assert counted(decoder, vocab) == expected


@pytest.mark.medium
def test_counts_of_all_workers_are_added_up() -> None:
    run_on_two_workers(count_share, *indexed_sample(), brute_force())
