"""Which of AllenNLP's configs the network in NumPy can run."""

from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple

ENCODER = "syntactically_informed_self_attention"

CHARACTERS = "distinct_character_encoding"


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

    @classmethod
    def of_config(cls, encoder: Mapping[str, Any]) -> "EncoderSizes":
        """The sizes of an encoder's config."""
        return cls(**{key: encoder[key] for key in cls._fields if key in encoder})


_DEFAULTS = ("basic", "embedding", "linear", "single_id")
"""The types that AllenNLP assumes where a section has none."""

_ANY: Sequence[Any] = ()

_OPTIONS: Dict[str, Dict[str, Sequence[Any]]] = {
    "lisa": dict.fromkeys(
        (
            "text_field_embedder",
            "encoder",
            "role_decoder",
            "sense_tagger",
            "sense_inventory",
            "well_formed_frames",
            "predicate_dim",
            "role_dim",
            "predicate_threshold",
            "confidence",
            # Of training and `forward`, and the precision, which is single here.
            "role_dropout",
            "label_smoothing",
            "arc_loss_weight",
            "head_tag_loss_weight",
            "sense_loss_weight",
            "parse_decoder",
            "report_mst",
            "precision",
            "regularizer",
            "initializer",
        ),
        _ANY,
    ),
    ENCODER: {
        **dict.fromkeys(EncoderSizes._fields, _ANY),
        **dict.fromkeys(
            (
                "input_dropout",
                "attention_dropout",
                "feedforward_dropout",
                "residual_dropout",
                "parse_dropout",
                "input_dim",
            ),
            _ANY,
        ),
        "layer_style": ["pre_norm"],
    },
    "crf": {},
    "linear": {"dropout": _ANY},
    "basic": {"token_embedders": _ANY},
    "embedding": dict.fromkeys(
        ("embedding_dim", "vocab_namespace", "trainable", "sparse", "pretrained_file"), _ANY
    ),
    CHARACTERS: dict.fromkeys(("embedding", "encoder", "dropout"), _ANY),
    "cnn": {
        **dict.fromkeys(("embedding_dim", "num_filters", "ngram_filter_sizes"), _ANY),
        "conv_layer_activation": ["relu"],
    },
    "single_id": {"namespace": _ANY, "lowercase_tokens": _ANY},
    "distinct_characters": {"namespace": _ANY, "min_padding_length": _ANY},
}
"""The options of each type that the network follows, with the values that they may have."""


def reason_unsupported(config: Mapping[str, Any]) -> Optional[str]:
    """
    Says what of a config the network in NumPy cannot run, if anything.

    >>> reason_unsupported({"model": {"type": "deep_biaffine_parser"}})
    "model.type: found 'deep_biaffine_parser'; expected 'lisa'"

    # Parameters

    config : `Mapping[str, Any]`
        The config of an exported folder.
    """
    for place, section, expected in _sections(config):
        found = section.get("type", expected if expected in _DEFAULTS else None)
        if found != expected:
            return f"{place}.type: found {found!r}; expected {expected!r}"
        options = _OPTIONS[expected]
        for key, value in section.items():
            if key != "type" and key not in options:
                return f"{place}.{key}: found this key; expected {', '.join(options) or 'none'}"
            if options.get(key) and value not in options[key]:
                return f"{place}.{key}: found {value!r}; expected {options[key][0]!r}"
    tokens = {"padding_token", "oov_token"} & set(config.get("vocabulary") or {})
    return f"vocabulary: found the keys {', '.join(tokens)}; expected none" if tokens else None


def token_indexers(config: Mapping[str, Any]) -> Dict[str, Any]:
    """The indexers of the reader whose instances the model labels."""
    reader = config.get("validation_dataset_reader") or config["dataset_reader"]
    return reader.get("token_indexers") or {}


def _sections(config: Mapping[str, Any]) -> Iterator[Tuple[str, Dict[str, Any], str]]:
    """The places of sections, the sections and the types that they should have."""
    model = config["model"]
    yield "model", model, "lisa"
    yield "encoder", _section(model, "encoder"), ENCODER
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
        yield f"token_indexers.{name}", _section(token_indexers(config), name), indexer


def _section(parent: Mapping[str, Any], key: str) -> Dict[str, Any]:
    """A section, for which its type may stand."""
    value = parent.get(key) or {}
    return value if isinstance(value, dict) else {"type": value}
