"""
What a model says of its network in `network.json`, so that NumPy runs it. `Lisa.describe_network`
writes it.
"""

import dataclasses
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.languages import ENGLISH
from lisa_allennlp.model_files.model_folder import read_json
from lisa_allennlp.pretrained import NETWORK_NAME

_WEIGHTS_NAME = "_text_field_embedder.token_embedder_"
"""The beginning of the names of an embedder's weights."""


@dataclasses.dataclass(frozen=True)
class EncoderSizes:
    """
    The options of LISA's encoder, without those of training. Layers are counted from 1; layer 0 is
    the input. Options that do not fit each other are a `ConfigurationError`.
    """

    num_layers: int
    num_heads: int
    head_dim: int
    feedforward_hidden_dim: int
    feedforward_num_layers: int
    predicate_layer: int
    parse_layer: Optional[int]
    arc_dim: int
    label_dim: int
    layer_style: str = "pre_norm"
    intermediate_norms: bool = True
    layer_norm_eps: float = 1e-5

    @property
    def dim(self) -> int:
        """The size of the states."""
        return self.num_heads * self.head_dim

    @property
    def num_below(self) -> int:
        """The number of layers below the one with the syntactic head, or of all in SA."""
        return self.num_layers if self.parse_layer is None else self.parse_layer - 1

    def __post_init__(self) -> None:
        if self.predicate_layer not in range(self.num_layers + 1):
            raise ConfigurationError(
                f"predicate_layer is {self.predicate_layer}; expected a layer from 1 to "
                f"{self.num_layers}, or 0 for the input"
            )
        parse_layers = range(self.predicate_layer + 1, self.num_layers + 1)
        if self.parse_layer is not None and self.parse_layer not in parse_layers:
            raise ConfigurationError(
                f"parse_layer is {self.parse_layer}; expected a layer above predicate_layer "
                f"({self.predicate_layer}) and up to num_layers ({self.num_layers}), or null for SA"
            )
        if self.parse_layer is not None and self.num_heads < 2:
            raise ConfigurationError(
                f"num_heads is {self.num_heads}; expected at least 2, since the syntactic head "
                "replaces one"
            )
        if self.dim % 2 or self.dim < 4:
            raise ConfigurationError(
                f"num_heads * head_dim is {self.num_heads} * {self.head_dim} = {self.dim}; "
                "expected an even number of at least 4, since positions are encoded as pairs of a "
                "sine and a cosine"
            )


@dataclasses.dataclass(frozen=True)
class WordEmbedder:
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


@dataclasses.dataclass(frozen=True)
class CharacterEmbedder:
    """A `distinct_character_encoding` by a `cnn` with ReLUs of `distinct_characters`."""

    name: str
    namespace: str
    dim: int
    num_filters: int
    filter_sizes: List[int]

    @property
    def output_dim(self) -> int:
        return self.num_filters * len(self.filter_sizes)

    @property
    def weights_name(self) -> str:
        return _WEIGHTS_NAME + self.name


Embedder = Union[WordEmbedder, CharacterEmbedder]


@dataclasses.dataclass(frozen=True)
class NetworkConfig:
    """
    The network of a `lisa` model, and how its scores are decoded. Vectors of words are concatenated
    in the order of `embedders`, and with the embedding of the predicate indicator, if its size
    `indicator_dim` is not 0. `syntactic_head`, of LISA only, is a registered name; `role_decoder`
    has one as `type` and the options of `RoleConstraints.counted_chain`; `confidence` has the
    parameters of a `Confidence`. `parse_decoder` and `force_verb` are those of validation, the
    others those of the model.
    """

    embedders: List[Embedder]
    indicator_dim: int
    encoder: EncoderSizes
    syntactic_head: Optional[str]
    predicate_dim: int
    role_dim: int
    predicts_senses: bool
    role_decoder: Mapping[str, Any]
    predicate_threshold: float
    confidence: Mapping[str, float]
    well_formed_frames: bool
    lexicon: Optional[str]
    parse_decoder: str
    force_verb: bool
    joint_tag_dim: Optional[int] = None
    joint_argmax: bool = False
    language: str = ENGLISH

    def to_json(self) -> Dict[str, Any]:
        return dataclasses.asdict(self)


def read_network_config(folder: Path) -> NetworkConfig:
    """Reads the `network.json` in the folder of a model."""
    found = read_json(folder / NETWORK_NAME)
    embedders = [
        CharacterEmbedder(**one) if "filter_sizes" in one else WordEmbedder(**one)
        for one in found.pop("embedders")
    ]
    encoder = EncoderSizes(**found.pop("encoder"))
    return NetworkConfig(embedders=embedders, encoder=encoder, **found)
