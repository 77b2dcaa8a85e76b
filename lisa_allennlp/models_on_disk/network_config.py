"""The contents of `network.json`, for labelling without PyTorch (`Lisa.describe_network`)."""

import dataclasses
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.models_on_disk.model_folder import read_json
from lisa_allennlp.models_on_disk.pretrained import NETWORK_NAME


@dataclasses.dataclass(frozen=True)
class WordEmbedder:
    """
    An AllenNLP `embedding` of a `single_id`. `name` is the embedder's key in the config,
    `namespace` its vocabulary's.
    """

    name: str
    namespace: str
    dim: int
    lowercase: bool


@dataclasses.dataclass(frozen=True)
class CharacterEmbedder:
    """A `distinct_character_encoding` of `distinct_characters`."""

    name: str
    namespace: str


@dataclasses.dataclass(frozen=True)
class PieceEmbedder:
    """
    A `pretrained_encoder`: its number of pieces and their dimension, the longest segment, and the
    indices of the special pieces at the ends of a sentence.
    """

    name: str
    num_pieces: int
    dim: int
    max_length: int
    start: List[int]
    end: List[int]


Embedder = Union[WordEmbedder, CharacterEmbedder, PieceEmbedder]
_EMBEDDERS = WordEmbedder, CharacterEmbedder, PieceEmbedder


@dataclasses.dataclass(frozen=True)
class NetworkConfig:
    """
    The inputs of a `lisa` model's graphs, and the decoding of their scores. Vectors of words are
    concatenated in the order of `embedders`. `role_decoder` has a registered name as `type` and the
    options of `RoleConstraints.counted_chain`; `confidence` has the parameters of a `Confidence`.
    `parse_decoder` and `force_verb` are those of validation.
    """

    embedders: List[Embedder]
    needs_predicates: bool
    predicts_parse: bool
    predicts_senses: bool
    role_decoder: Mapping[str, Any]
    predicate_threshold: float
    confidence: Mapping[str, float]
    well_formed_frames: bool
    lexicon: Optional[str]
    parse_decoder: str
    force_verb: bool
    joint_argmax: bool = False
    language: str = ENGLISH
    predicts_factuality: bool = False
    has_factuality_encoder: bool = False

    def to_json(self) -> Dict[str, Any]:
        return dataclasses.asdict(self)


def read_network_config(folder: Path) -> NetworkConfig:
    found = read_json(folder / NETWORK_NAME)
    fields = {frozenset(kind.__dataclass_fields__): kind for kind in _EMBEDDERS}
    embedders = [fields[frozenset(one)](**one) for one in found.pop("embedders")]
    return NetworkConfig(embedders=embedders, **found)
