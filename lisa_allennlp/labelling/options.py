"""The options of labellers from `lisa_allennlp.load` on; the classes describe them."""

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Literal, Mapping, Optional, TypedDict, Union

if TYPE_CHECKING:
    from lisa_allennlp.decoding.adaptation import Adaptation
    from lisa_allennlp.labelling.parse_sources import ParseSource

Path = Union[str, "os.PathLike[str]"]

Precision = Literal["float32", "bfloat16", "int8"]


class CallOptions(TypedDict, total=False):
    """The options of a call; `Labeller` describes them."""

    details: bool
    probabilities: Optional[bool]
    auxiliaries: Optional[bool]


class LabellerOptions(TypedDict, total=False):
    language: Optional[str]
    processes: int


class RoleOptions(TypedDict, total=False):
    parse_decoder: Literal["mst", "argmax"]
    probabilities: bool
    min_probability: Optional[float]
    adaptation: Optional[Union[Path, "Adaptation"]]
    auxiliaries: bool


class LisaOptions(LabellerOptions, RoleOptions, total=False):
    parser: Optional[Union["ParseSource", Mapping[str, Any], Path]]
    frames: Optional[Path]
    ignore_trees: bool


class SupertagOptions(LabellerOptions, total=False):
    beta: Optional[float]


class EngineOptions(TypedDict, total=False):
    """How a model is opened."""

    engine: Optional[Literal["onnx", "torch"]]
    device: Union[str, int]
    precision: Optional[Precision]
    max_tokens: int
    allow_types: Iterable[str]


class LoadOptions(EngineOptions, LisaOptions, SupertagOptions, total=False):
    """What `lisa_allennlp.load` takes, for a model of any kind."""


class ArchiveOptions(EngineOptions, total=False):
    """The commands' options for opening a model; `load_labeller` describes them."""

    overrides: Union[str, Dict[str, Any]]
    weights_file: Optional[str]
    dataset_reader: Optional[str]


class LabellerLoadOptions(LoadOptions, ArchiveOptions, total=False):
    """What `load_labeller` takes."""
