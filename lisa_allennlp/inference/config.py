"""Which of AllenNLP's configs the network in NumPy can run, and what it reads of them."""

from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

ENCODER = "syntactically_informed_self_attention"

CHARACTERS = "distinct_character_encoding"

_WEIGHTS_NAME = "_text_field_embedder.token_embedder_"
"""The beginning of the names of an embedder's weights."""


class EncoderSizes(NamedTuple):
    """The options and defaults of the encoder, without those of training."""

    num_layers: int = 12
    num_heads: int = 8
    head_dim: int = 25
    feedforward_hidden_dim: int = 800
    feedforward_num_layers: int = 2
    predicate_layer: int = 3
    parse_layer: Optional[int] = 5
    arc_dim: int = 500
    label_dim: int = 100

    @property
    def dim(self) -> int:
        """The size of the states."""
        return self.num_heads * self.head_dim


class WordEmbedder(NamedTuple):
    """
    An AllenNLP `embedding` of a `single_id`. The name is the embedder's key in the config,
    `namespace` that of its words in the vocabulary.
    """

    name: str
    namespace: str
    dim: int
    lowercase: bool

    @property
    def output_dim(self) -> int:
        return self.dim

    @property
    def weights_name(self) -> str:
        return _WEIGHTS_NAME + self.name


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

    @property
    def weights_name(self) -> str:
        return _WEIGHTS_NAME + self.name


Embedder = Union[WordEmbedder, CharacterEmbedder]


class NetworkConfig(NamedTuple):
    """
    What a config says of a `lisa` model, apart from its training. Vectors of words are concatenated
    in the order of `embedders`.
    """

    embedders: List[Embedder]
    encoder: EncoderSizes
    predicate_dim: int
    role_dim: int
    predicts_senses: bool


def read_network_config(config: Mapping[str, Any]) -> NetworkConfig:
    """Reads a config that is not `reason_unsupported`."""
    model, indexers = config["model"], _token_indexers(config)
    embedders, encoder = model["text_field_embedder"]["token_embedders"], model["encoder"]
    sizes = {key: encoder[key] for key in EncoderSizes._fields if key in encoder}
    return NetworkConfig(
        [_embedder(name, embedders[name], indexers.get(name) or {}) for name in sorted(embedders)],
        EncoderSizes(**sizes),
        model.get("predicate_dim", 200),
        model.get("role_dim", 200),
        model.get("sense_tagger") is not None,
    )


def _embedder(name: str, embedder: Mapping[str, Any], indexer: Mapping[str, Any]) -> Embedder:
    if embedder.get("type") != CHARACTERS:
        namespace = indexer.get("namespace", "tokens")
        lowercase = indexer.get("lowercase_tokens", False)
        return WordEmbedder(name, namespace, embedder["embedding_dim"], lowercase)
    cnn, namespace = embedder["encoder"], indexer.get("namespace", "token_characters")
    sizes = cnn.get("ngram_filter_sizes", (2, 3, 4, 5))
    dim = embedder["embedding"]["embedding_dim"]
    return CharacterEmbedder(name, namespace, dim, cnn["num_filters"], sizes)


_DEFAULTS = ("basic", "deep_biaffine", "embedding", "linear", "single_id")
"""The types that AllenNLP assumes where a section has none."""

_OPTIONS = {
    # The last three lines are of training and `forward`, and the precision, which is single here.
    "lisa": "text_field_embedder encoder role_decoder sense_tagger lexicon well_formed_frames "
    "predicate_dim role_dim predicate_threshold confidence role_dropout label_smoothing "
    "joint_tag_loss_weight arc_loss_weight head_tag_loss_weight sense_loss_weight parse_decoder "
    "force_verb report_mst precision regularizer initializer",
    ENCODER: " ".join(EncoderSizes._fields) + " input_dim input_dropout attention_dropout "
    "feedforward_dropout residual_dropout parse_dropout layer_style syntactic_head",
    "crf": "",
    "deep_biaffine": "",
    "linear": "dropout",
    "basic": "token_embedders",
    "embedding": "embedding_dim vocab_namespace trainable sparse pretrained_file",
    CHARACTERS: "embedding encoder dropout",
    "cnn": "embedding_dim num_filters ngram_filter_sizes conv_layer_activation",
    "single_id": "namespace lowercase_tokens",
    "distinct_characters": "namespace min_padding_length",
}
"""The options of each type that the network follows."""

_ONLY = {"layer_style": "pre_norm", "conv_layer_activation": "relu"}
"""Options with one value that the network follows."""


def reason_unsupported(config: Mapping[str, Any]) -> Optional[str]:
    """Says what of the config of a model the network in NumPy cannot run, if anything."""
    for place, section, expected in _sections(config):
        found = section.get("type", expected if expected in _DEFAULTS else None)
        if found != expected:
            return f"{place}.type: found {found!r}; expected {expected!r}"
        options = _OPTIONS[expected].split()
        for key, value in section.items():
            if key != "type" and key not in options:
                return f"{place}.{key}: found this key; expected {', '.join(options) or 'none'}"
            if key in _ONLY and value != _ONLY[key]:
                return f"{place}.{key}: found {value!r}; expected {_ONLY[key]!r}"
    tokens = {"padding_token", "oov_token"} & set(config.get("vocabulary") or {})
    return f"vocabulary: found the keys {', '.join(tokens)}; expected none" if tokens else None


def _sections(config: Mapping[str, Any]) -> Iterator[Tuple[str, Dict[str, Any], str]]:
    """The places of sections, the sections and the types that they should have."""
    model = config["model"]
    yield "model", model, "lisa"
    yield "encoder", _section(model, "encoder"), ENCODER
    yield "encoder.syntactic_head", _section(model["encoder"], "syntactic_head"), "deep_biaffine"
    yield "role_decoder", _section(model, "role_decoder"), "crf"
    yield "text_field_embedder", _section(model, "text_field_embedder"), "basic"
    if model.get("sense_tagger") is not None:
        yield "sense_tagger", _section(model, "sense_tagger"), "linear"
    embedders = model["text_field_embedder"]["token_embedders"]
    for name in embedders:
        place, embedder = f"token_embedders.{name}", _section(embedders, name)
        has_characters = embedder.get("type") == CHARACTERS
        yield place, embedder, CHARACTERS if has_characters else "embedding"
        if has_characters:
            yield f"{place}.embedding", _section(embedder, "embedding"), "embedding"
            yield f"{place}.encoder", _section(embedder, "encoder"), "cnn"
        indexer = "distinct_characters" if has_characters else "single_id"
        yield f"token_indexers.{name}", _section(_token_indexers(config), name), indexer


def _section(parent: Mapping[str, Any], key: str) -> Dict[str, Any]:
    """A section, for which its type may stand."""
    value = parent.get(key) or {}
    return value if isinstance(value, dict) else {"type": value}


def _token_indexers(config: Mapping[str, Any]) -> Dict[str, Any]:
    """The indexers of the reader whose instances the model labels."""
    reader = config.get("validation_dataset_reader") or config["dataset_reader"]
    return reader.get("token_indexers") or {}
