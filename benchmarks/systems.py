"""
The compared systems: LISA and allennlp-models' `srl`, the peer, at published size, on trained word
vectors, ELMo or a Hugging Face encoder of word pieces.
"""

import copy
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import TensorDict
from allennlp.data.token_indexers import (
    ELMoTokenCharactersIndexer,
    SingleIdTokenIndexer,
    TokenIndexer,
)
from allennlp.data.tokenizers import Token
from allennlp.models import Model
from allennlp.nn.util import get_text_field_mask
from allennlp_models.structured_prediction.dataset_readers.srl import SrlReader

import lisa_allennlp.models.lisa
import lisa_allennlp.modules.token_embedders  # noqa: F401
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.token_indexers.pretrained_transformer_words import (
    PretrainedTransformerWordsIndexer,
)
from lisa_allennlp.inference.batches import batches_of_similar_length
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.models_on_disk.archives.storage import write_weights
from lisa_allennlp.models_on_disk.model_folder import BEST_NAME
from lisa_allennlp.models_on_disk.pretrained import CONFIG_NAME
from lisa_allennlp.sentence.sentence import Sentence


class Words(NamedTuple):
    name: str
    # Of the reader.
    indexers: Dict[str, TokenIndexer]
    # The config of the model's `text_field_embedder`.
    embedder: Dict[str, Any]


def elmo(start: str) -> Words:
    """
    Returns a fixed ELMo, as in `training_configs`. `start` is the common start of the names of its
    two files, `options.json` and `weights.hdf5`.
    """
    return _words(
        "ELMo",
        ELMoTokenCharactersIndexer(),
        type="elmo_token_embedder",
        options_file=f"{start}options.json",
        weight_file=f"{start}weights.hdf5",
        do_layer_norm=False,
        dropout=0.0,
    )


def transformer(name: str) -> Words:
    """Returns a Hugging Face encoder that is fine-tuned, as in `training_configs`."""
    return _words(
        "transformer",
        PretrainedTransformerWordsIndexer(name),
        type="pretrained_transformer_words",
        model_name=name,
    )


def _words(name: str, indexer: TokenIndexer, **embedder: Any) -> Words:
    return Words(name, {"tokens": indexer}, {"token_embedders": {"tokens": embedder}})


SPREAD = 0.005
"""
The standard deviation of the role scorer's weights, for which Viterbi extends 1.8 prefixes per
token; with the model `english` it extends 2.0.
"""

WORD_VECTORS = _words(
    "vectors",
    SingleIdTokenIndexer(lowercase_tokens=True),
    type="embedding",
    embedding_dim=100,
    trainable=True,
)
"""Trained vectors of 100 dimensions for lower-cased words."""


class System:
    def __init__(
        self, name: str, reader: DatasetReader, instances: Sequence[Instance], model_params: dict
    ) -> None:
        self.name = name
        self.reader = reader
        self.vocab = Vocabulary.from_instances(instances)
        for instance in instances:
            instance.index_fields(self.vocab)
        self.instances = instances
        self.model = Model.from_params(Params(copy.deepcopy(model_params)), vocab=self.vocab)

    def batches(self, max_tokens: int) -> List[TensorDict]:
        groups = group_by_length(self.instances, max_tokens)
        return [Batch(group).as_tensor_dict() for group in groups]

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.model.parameters())


def group_by_length(instances: Sequence[Instance], max_tokens: int) -> Iterator[List[Instance]]:
    """Batches of instances of similar length, with at most `max_tokens` tokens and padding."""
    for group in batches_of_similar_length([_length(i) for i in instances], max_tokens):
        yield [instances[position] for position in group]


def _length(instance: Instance) -> int:
    return len(instance["tokens"])  # type: ignore[arg-type]


def make_lisa(
    sentences: Sequence[Sentence],
    num_layers: int = 12,
    precision: str = "float32",
    words: Words = WORD_VECTORS,
) -> System:
    """
    LISA, with layers of 8 heads of 25 and feed-forwards of 800, which have two linear layers.
    """
    reader = Conll12SrlReader(token_indexers=words.indexers)
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    model = {
        "type": "lisa",
        "text_field_embedder": words.embedder,
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": num_layers,
            "parse_layer": min(5, num_layers),
        },
        "precision": precision,
    }
    return System(f"LISA, {num_layers} layers of 8 x 25", reader, instances, model)


def spread_role_scores(lisa: System) -> None:
    """
    Counts the transitions of the roles, and replaces the zeros with which the role scorer starts:
    if all roles score alike, Viterbi has to extend all prefixes.
    """
    model: Any = lisa.model
    for batch in lisa.batches(2000):
        frames = batch["frames"]
        mask = get_text_field_mask(batch["tokens"])[frames["sentence_indices"]]
        model._role_decoder.observe(frames["roles"], mask)
    torch.manual_seed(0)
    for weight in model._role_scorer._bilinear.parameters():
        torch.nn.init.normal_(weight, std=SPREAD)


def in_onnx(lisa: System, max_tokens: int) -> InferenceModel:
    """Opens a LISA in ONNX Runtime, by files as a training writes them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = {"model": {"type": "lisa"}, "dataset_reader": {}}
        Params(config).to_file(str(folder / CONFIG_NAME))
        lisa.vocab.save_to_files(str(folder / "vocabulary"))
        write_weights(lisa.model.state_dict(), folder / BEST_NAME)
        model: Any = lisa.model
        model.write_network(lisa.reader, folder)
        return InferenceModel.open(folder, max_tokens)


PEER = {
    "type": "srl",
    "text_field_embedder": WORD_VECTORS.embedder,
    "encoder": {
        "type": "alternating_lstm",
        "input_size": 200,
        "hidden_size": 300,
        "num_layers": 8,
        "recurrent_dropout_probability": 0.1,
        "use_highway": True,
    },
    "binary_feature_dim": 100,
    "ignore_span_metric": True,
}
"""allennlp-models' `srl`: 8 alternating LSTM layers of 300."""


def make_peer(sentences: Sequence[Sentence]) -> System:
    reader = SrlReader(token_indexers=WORD_VECTORS.indexers)
    instances = list(_peer_instances(reader, sentences))
    return System("allennlp-models srl, 8 x 300", reader, instances, PEER)


def _peer_instances(reader: SrlReader, sentences: Sequence[Sentence]) -> Iterator[Instance]:
    for sentence in sentences:
        for frame in sentence.frames or []:
            indicator = [int(t == frame.predicate) for t in range(len(sentence.words))]
            tokens = [Token(word) for word in sentence.words]
            yield reader.text_to_instance(tokens, indicator, frame.tags)
