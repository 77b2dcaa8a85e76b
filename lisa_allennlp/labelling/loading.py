"""Opens a trained model and returns its labeller."""

import importlib.util
import os
from functools import partial
from inspect import signature
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Type, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.inference.model import open_model
from lisa_allennlp.labelling.labeller import (
    Labeller,
    ParserLabeller,
    SupertagLabeller,
    check_positive,
)
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.parse_sources import (
    ArchiveParseSource,
    ParseSource,
    SpacyParseSource,
    StanzaParseSource,
)
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.pretrained import INT8, PRECISIONS

LABELLERS: Dict[str, Type[Labeller]] = {
    "lisa": LisaLabeller,
    "conllu_parses": ParserLabeller,
    "ccg_supertagger": SupertagLabeller,
}
"""The labellers by the `default_predictor` of their models."""

ENGINES = ("onnx", "torch")

NO_TRAINING_PACKAGES = (
    "needs AllenNLP and PyTorch, which are not installed; `make setup` in a checkout of "
    "lisa-allennlp installs them"
)


def load_labeller(
    model: Union[str, "os.PathLike[str]"] = pretrained.DEFAULT,
    *,
    engine: Optional[str] = None,
    name: Optional[str] = None,
    device: Union[str, int] = -1,
    precision: Optional[str] = None,
    max_tokens: int = 2000,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    dataset_reader: Optional[str] = None,
    allow_types: Iterable[str] = (),
    **options: Any,
) -> Labeller:
    """
    Loads a trained model of this package. `lisa_allennlp.load` describes the other parameters.

    # Parameters

    name : `str`, optional
        The model's `default_predictor`, if it has to be this one.
    overrides, weights_file :
        Those of AllenNLP's commands: changes of the archived config, and a file of other weights.
    dataset_reader : `str`, optional
        The archive's reader to use, `train` or `validation`, for instances of a corpus.
    **options
        Options of the labeller, such as `parser`.
    """
    if not isinstance(model, (str, os.PathLike)):
        raise ConfigurationError(f"the model is {model!r}; expected a path or a name")
    if engine not in (None, *ENGINES):
        raise ConfigurationError(f"engine is {engine!r}; expected one of {', '.join(ENGINES)}")
    check_positive("max_tokens", max_tokens)
    path = pretrained.resolve(model)
    torch_options: Dict[str, Any] = {
        "device": device,
        "precision": precision,
        "overrides": overrides,
        "weights_file": weights_file,
        "dataset_reader": dataset_reader,
    }
    reason = "engine 'torch'" if engine == "torch" else _reason_for_torch(**torch_options)
    own_name = "lisa"
    found: Any = None
    if reason is None:
        opened: Any = open_model(path, max_tokens, precision)
        found, reason = (None, opened) if isinstance(opened, str) else (opened, None)
    if engine == "onnx" and reason is not None:
        raise ConfigurationError(f"{model}: engine is 'onnx'; expected 'torch' for {reason}")
    if precision == INT8 and reason is not None:
        raise ConfigurationError(f"{model}: precision is 'int8'; expected another for {reason}")
    if reason is not None:
        if importlib.util.find_spec("allennlp") is None:
            raise ConfigurationError(f"{model}: {reason} {NO_TRAINING_PACKAGES}")
        from lisa_allennlp.models.engines import open_engine

        own_name, found = open_engine(
            path, max_tokens=max_tokens, allow_types=allow_types, **torch_options
        )
    if name not in (None, own_name):
        raise ConfigurationError(f"{model}: found a model for '{own_name}'; expected '{name}'")
    labeller = make_labeller(own_name, found, options)
    labeller.name = os.fspath(model)
    labeller.load_again = partial(
        load_labeller,
        model,
        engine=engine,
        name=name,
        max_tokens=max_tokens,
        allow_types=tuple(allow_types),
        **torch_options,
        **options,
    )
    return labeller


def _reason_for_torch(
    device: Union[str, int], precision: Optional[str], **others: Any
) -> Optional[str]:
    if device not in (-1, "cpu"):
        return f"device {device!r}"
    if precision not in (None, *PRECISIONS):
        return f"precision {precision!r}"
    return next((name for name, value in others.items() if value), None)


def make_labeller(name: str, engine: Engine, options: Dict[str, Any]) -> Labeller:
    """Builds a labeller of `LABELLERS`. Options of others may have their default values."""
    taken = _options_of(LABELLERS[name])
    of_all = {key: v for other in LABELLERS.values() for key, v in _options_of(other).items()}
    for option, value in options.items():
        if option not in taken and (option not in of_all or value != of_all[option]):
            raise ConfigurationError(
                f"{option}: found an option that the labeller '{name}' does not take; expected "
                f"{' or '.join(taken)}"
            )
    known = {key: value for key, value in options.items() if key in taken}
    if known.get("parser") is not None:
        known["parser"] = make_parse_source(known["parser"], engine.device)
    return LABELLERS[name](engine, **known)


def _options_of(labeller: Type[Labeller]) -> Dict[str, Any]:
    parameters = [p for c in (Labeller, labeller) for p in signature(c).parameters.values()]
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def make_parse_source(parser: Any, device: Union[str, int]) -> ParseSource:
    """
    Makes a parser from its config, such as `{"type": "spacy", "model": "en_core_web_sm"}`, or from
    the path of a trained `deep_biaffine_parser`, short for `{"type": "archive", "path": ...}`. A
    trained parser is on this device, unless its config names another.
    """
    if isinstance(parser, ParseSource):
        return parser
    if isinstance(parser, (str, os.PathLike)):
        parser = {"type": "archive", "path": os.fspath(parser)}
    if not isinstance(parser, Mapping) or parser.get("type") not in PARSE_SOURCES:
        expected = f"a trained parser, or an object with a type: {', '.join(PARSE_SOURCES)}"
        raise bad_value("`parser`", parser, expected)
    options = {key: value for key, value in parser.items() if key != "type"}
    if parser["type"] == "archive":
        options.setdefault("device", device)
    try:
        return PARSE_SOURCES[parser["type"]](**options)
    except TypeError as error:
        raise ConfigurationError(f"parser: {error}") from error


def open_parser(
    path: Union[str, "os.PathLike[str]"],
    precision: Optional[str] = None,
    device: Union[str, int] = -1,
    allow_types: Iterable[str] = (),
) -> ArchiveParseSource:
    """
    Opens a trained parser: a `model.tar.gz`, a training folder or an exported folder, with the
    options of `load_labeller`.
    """
    name = os.fspath(path)
    if not (os.path.exists(name) or "://" in name or name in pretrained.names()):
        raise ConfigurationError(
            f"parser: found no such file or folder, '{name}'; expected a trained parser "
            '(model.tar.gz), or an object such as {"type": "spacy", "model": "en_core_web_sm"}'
        )
    labeller = load_labeller(path, precision=precision, device=device, allow_types=allow_types)
    if not isinstance(labeller, ParserLabeller):
        raise ConfigurationError(
            f"parser: found a {labeller.engine.description} in '{name}'; expected a "
            "deep_biaffine_parser"
        )
    return ArchiveParseSource(labeller)


PARSE_SOURCES: Dict[str, Callable[..., ParseSource]] = {
    "archive": open_parser,
    "spacy": SpacyParseSource,
    "stanza": StanzaParseSource,
}
"""What makes a parser of each type from the other keys of its config."""
