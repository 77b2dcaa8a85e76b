"""The compared systems: LISA and allennlp-models' `srl`, the peer, at published size."""

import copy
from typing import Iterator, List, Sequence

from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import TensorDict
from allennlp.data.tokenizers import Token
from allennlp.models import Model
from allennlp_models.structured_prediction.dataset_readers.srl import SrlReader

import lisa_allennlp.models.lisa  # noqa: F401
from benchmarks.embedders import Words, word_vectors
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.inference.batches import batches_of_similar_length

WORD_VECTORS = word_vectors()


class System:
    """A model with its instances and vocabulary."""

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

    def with_instances(self, instances: Sequence[Instance]) -> "System":
        """Returns the same model and vocabulary with other instances, which are already indexed."""
        other = copy.copy(self)
        other.instances = instances
        return other

    def batches(self, max_tokens: int) -> List[TensorDict]:
        """Tensors of all instances, in the batches of `group_by_length`."""
        groups = group_by_length(self.instances, max_tokens)
        return [Batch(group).as_tensor_dict() for group in groups]

    @property
    def num_parameters(self) -> int:
        """The number of the model's parameters."""
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
    feedforward_num_layers: int = 2,
    precision: str = "float32",
    words: Words = WORD_VECTORS,
) -> System:
    """
    LISA, with layers of 8 heads of 25 and feed-forwards of 800, which have two linear layers as in
    the paper, or three as in the authors' code.
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
            "feedforward_num_layers": feedforward_num_layers,
            "parse_layer": min(5, num_layers),
        },
        "precision": precision,
    }
    return System(f"LISA, {num_layers} layers of 8 x 25", reader, instances, model)


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
    """allennlp-models' `srl`, given the gold predicates."""
    reader = make_peer_reader()
    instances = list(peer_instances(reader, sentences))
    return System("allennlp-models srl, 8 x 300", reader, instances, PEER)


def make_peer_reader() -> SrlReader:
    """Returns the peer's reader."""
    return SrlReader(token_indexers=WORD_VECTORS.indexers)


def peer_instances(
    reader: SrlReader, sentences: Sequence[Sentence], with_roles: bool = True
) -> Iterator[Instance]:
    """Yields one instance per gold predicate, in the order of the sentences and their frames."""
    for sentence in sentences:
        if sentence.frames is None:
            raise ConfigurationError(
                "found a sentence without annotated predicates; expected gold predicates"
            )
        for frame in sentence.frames:
            indicator = [int(t == frame.predicate) for t in range(len(sentence.words))]
            tokens = [Token(word) for word in sentence.words]
            roles = frame.tags if with_roles else None
            yield reader.text_to_instance(tokens, indicator, roles)
