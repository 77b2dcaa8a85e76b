"""What the export to ONNX reads of a model's config."""

from typing import Any, List, Mapping, NamedTuple, Sequence, Union

from lisa_allennlp.inference.config import CHARACTERS, EncoderSizes, token_indexers


class WordEmbedder(NamedTuple):
    """An AllenNLP `embedding` of a `single_id`. The name is the embedder's key in the config."""

    name: str
    namespace: str
    dim: int
    lowercase: bool

    @property
    def output_dim(self) -> int:
        return self.dim


class CharacterEmbedder(NamedTuple):
    """A `distinct_character_encoding` by a `cnn` with ReLUs of `distinct_characters`."""

    name: str
    namespace: str
    dim: int
    num_filters: int
    filter_sizes: Sequence[int]

    @property
    def output_dim(self) -> int:
        return self.num_filters * len(self.filter_sizes)


class NetworkConfig(NamedTuple):
    """
    What a config says of a `lisa` model, apart from its training.

    # Parameters

    embedders : `List[Union[WordEmbedder, CharacterEmbedder]]`
        In the order in which their vectors are concatenated.
    """

    embedders: List[Union[WordEmbedder, CharacterEmbedder]]
    encoder: EncoderSizes
    predicate_dim: int
    role_dim: int
    predicts_senses: bool


def read_network_config(config: Mapping[str, Any]) -> NetworkConfig:
    """Reads a config that the network in NumPy can run."""
    model, indexers = config["model"], token_indexers(config)
    embedders = model["text_field_embedder"]["token_embedders"]
    return NetworkConfig(
        [_embedder(name, embedders[name], indexers.get(name) or {}) for name in sorted(embedders)],
        EncoderSizes.of_config(model["encoder"]),
        model.get("predicate_dim", 200),
        model.get("role_dim", 200),
        model.get("sense_tagger") is not None,
    )


def _embedder(
    name: str, embedder: Mapping[str, Any], indexer: Mapping[str, Any]
) -> Union[WordEmbedder, CharacterEmbedder]:
    if embedder.get("type") != CHARACTERS:
        namespace = indexer.get("namespace", "tokens")
        lowercase = indexer.get("lowercase_tokens", False)
        return WordEmbedder(name, namespace, embedder["embedding_dim"], lowercase)
    cnn = embedder["encoder"]
    sizes = cnn.get("ngram_filter_sizes", (2, 3, 4, 5))
    namespace, dim = indexer.get("namespace", "token_characters"), embedder["embedding"]
    return CharacterEmbedder(name, namespace, dim["embedding_dim"], cnn["num_filters"], sizes)
