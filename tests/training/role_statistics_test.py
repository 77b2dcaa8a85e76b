"""The counts of role labels after training, against counts of the corpus by brute force."""

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import Instance, Vocabulary

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.models.sentence_model import label_strings
from lisa_allennlp.modules.role_decoders import RoleDecoder, ViterbiRoleDecoder
from lisa_allennlp.training.role_statistics import count_roles
from tests import FIXTURES, ROOT
from tests.training.two_workers import run_on_two_workers

TRAIN = FIXTURES / "sample/train.gold_conll"
NUM_SENTENCES = 24
SMALL = {
    "dataset_reader.max_instances": NUM_SENTENCES,
    "data_loader": {"batch_size": 5, "shuffle": True},
    "validation_data_loader": {"batch_size": 24},
    "model.encoder.num_layers": 5,
    "model.encoder.num_heads": 2,
    "model.encoder.head_dim": 4,
    "model.encoder.feedforward_hidden_dim": 8,
    "trainer.num_epochs": 3,
}


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


@pytest.mark.medium
@pytest.mark.parametrize("loader", [{}, {"num_workers": 2}, {"max_instances_in_memory": 7}])
def test_each_sentence_counts_once_after_three_epochs(
    tmp_path: Path, loader: Dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    overrides = {**SMALL, "data_loader": {"batch_size": 5, **loader}}
    params = Params.from_file("training_configs/lisa_glove.jsonnet", json.dumps(overrides))
    model: Any = train_model(params, tmp_path / "run", return_model=True)
    # The model after three epochs, which need not be the best one.
    model.load_state_dict(torch.load(tmp_path / "run/model_state_e3_b0.th"))
    assert counted(model._role_decoder, model.vocab) == brute_force()


def indexed_sample() -> Tuple[List[Instance], Vocabulary]:
    instances = list(Conll12SrlReader(max_instances=NUM_SENTENCES).read(TRAIN))
    vocab = Vocabulary.from_instances(instances)
    for instance in instances:
        instance.index_fields(vocab)
    return instances, vocab


def make_decoder(vocab: Vocabulary) -> ViterbiRoleDecoder:
    return ViterbiRoleDecoder(RoleConstraints(label_strings(vocab, "role_labels")))


def test_counts_of_other_data_are_replaced() -> None:
    instances, vocab = indexed_sample()
    decoder = make_decoder(vocab)
    count_roles(instances[:3] * 1000, decoder)
    assert decoder.start_counts.sum() > 2000
    count_roles(instances, decoder)
    assert counted(decoder, vocab) == brute_force()
    count_roles([Instance({})], decoder)
    assert decoder.transition_counts.sum() == 0


def count_share(
    rank: int, world_size: int, _: Any, instances: Any, vocab: Any, expected: Any
) -> None:
    decoder = make_decoder(vocab)
    count_roles(instances[rank::world_size], decoder)
    assert counted(decoder, vocab) == expected


@pytest.mark.medium
def test_counts_of_all_workers_are_added_up() -> None:
    run_on_two_workers(count_share, *indexed_sample(), brute_force())
