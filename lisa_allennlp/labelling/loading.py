"""Opens a trained model and returns its labeller."""

import importlib.util
import os
from functools import partial
from typing import Any, Dict, Iterable, Optional, Type, Union

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.model import open_model
from lisa_allennlp.labelling.labeller import Labeller, check_positive
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.labelling.supertag_labeller import SupertagLabeller

LABELLERS: Dict[str, Type[Labeller]] = {
    "lisa": LisaLabeller,
    "conllu_parses": ParserLabeller,
    "ccg_supertagger": SupertagLabeller,
}
"""The labellers by the `default_predictor` of their models."""

ENGINES = ("numpy", "torch")

DEFAULTS: Dict[str, Any] = {
    "language": "en",
    "processes": 1,
    "parser": None,
    "parse_decoder": "mst",
    "frames": None,
    "probabilities": False,
    "min_probability": None,
    "beta": None,
}
"""The options of labellers. Those that have these values need not be known to a labeller."""

_LISA_OPTIONS = ("parser", "parse_decoder", "frames", "probabilities", "min_probability")
OPTIONS: Dict[str, Iterable[str]] = {
    "lisa": ("language", "processes", *_LISA_OPTIONS),
    "conllu_parses": ("language", "processes"),
    "ccg_supertagger": ("language", "processes", "beta"),
}
"""The options of each labeller."""

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
    Loads a trained model of this package.

    # Parameters

    model : `Union[str, PathLike]`
        As for `lisa_allennlp.pretrained.resolve`.
    engine : `str`, optional
        `numpy`, which runs LISA models with characters, vectors and a CRF without PyTorch, or
        `torch`. By default `numpy` wherever it can do what the other arguments ask for.
    name : `str`, optional
        The model's `default_predictor`, if it has to be this one.
    device : `Union[str, int]`, optional (default = the CPU)
        `cpu`, `cuda`, `cuda:1`, or the number of a GPU; -1 is the CPU.
    precision : `str`, optional (default = the config's)
        Precision of the network's matrix products: `float32` or `bfloat16`.
    max_tokens : `int`, optional (default = `2000`)
        The largest number of tokens of a batch.
    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the archived config, as for AllenNLP's commands.
    weights_file : `str`, optional (default = the archive's own)
        A file of other weights.
    dataset_reader : `str`, optional
        The archive's reader to use, `train` or `validation`, for instances of a corpus.
    allow_types : `Iterable[str]`, optional
        The dotted names of classes that are not registered but that the model's config may name,
        because you trust it.
    **options
        Options of the labeller, such as `parser`.

    # Raises

    `ConfigurationError`
        If there is no model of this package, an option is invalid, or the model needs packages that
        are not installed.
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
        opened: Any = open_model(path, max_tokens)
        found, reason = (None, opened) if isinstance(opened, str) else (opened, None)
    if engine == "numpy" and reason is not None:
        raise ConfigurationError(f"{model}: engine is 'numpy'; expected 'torch' for {reason}")
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
    device: Union[str, int],
    precision: Optional[str],
    overrides: Union[str, Dict[str, Any]],
    weights_file: Optional[str],
    dataset_reader: Optional[str],
) -> Optional[str]:
    """The first option that only PyTorch can follow."""
    if device not in (-1, "cpu"):
        return f"device {device!r}"
    if precision not in (None, "float32"):
        return f"precision {precision!r}"
    if overrides:
        return "overrides"
    if weights_file is not None:
        return "a weights_file"
    return None if dataset_reader is None else "a dataset_reader"


def make_labeller(name: str, engine: Any, options: Dict[str, Any]) -> Labeller:
    """
    Builds a labeller.

    # Parameters

    name : `str`
        A key of `LABELLERS`.
    engine : `Any`
        The labeller's engine.
    options : `Dict[str, Any]`
        The labeller's other arguments.

    # Raises

    `ConfigurationError`
        If the labeller does not take an option.
    """
    for option, value in options.items():
        if option not in OPTIONS[name] and (option not in DEFAULTS or value != DEFAULTS[option]):
            raise ConfigurationError(
                f"{option}: found an option that the labeller '{name}' does not take; expected "
                f"{' or '.join(OPTIONS[name])}"
            )
    known = {key: value for key, value in options.items() if key in OPTIONS[name]}
    return LABELLERS[name](engine, **known)
