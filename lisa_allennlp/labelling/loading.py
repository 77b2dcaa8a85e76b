"""Opens a trained model and returns its labeller."""

import importlib.util
import os
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Collection,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.inference.model import open_model
from lisa_allennlp.labelling.labeller import (
    Labeller,
    ParserLabeller,
    SupertagLabeller,
    check_positive,
)
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.options import ArchiveOptions, LabellerLoadOptions, LoadOptions, Path
from lisa_allennlp.labelling.parse_sources import ParseSource, SpacyParseSource, StanzaParseSource
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.pretrained import INT8, PRECISIONS
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence

if TYPE_CHECKING:
    from typing_extensions import Unpack

LABELLERS: Dict[str, Type[Labeller]] = {
    "lisa": LisaLabeller,
    "conllu_parses": ParserLabeller,
    "ccg_supertagger": SupertagLabeller,
}

ENGINES = ("onnx", "torch")

NO_TRAINING_PACKAGES = (
    "needs AllenNLP and PyTorch, which are not installed; `make setup` in a checkout of "
    "lisa-allennlp installs them"
)


def load_labeller(
    model: Path = pretrained.DEFAULT,
    name: Optional[str] = None,
    **options: "Unpack[LabellerLoadOptions]",
) -> Labeller:
    """
    Loads a trained model of this package. `lisa_allennlp.load` describes the other options.

    # Parameters

    name : `str`, optional
        The model's `default_predictor`, if it has to be this one.
    overrides, weights_file :
        Those of AllenNLP's commands: changes of the archived config, and a file of other weights.
    dataset_reader : `str`, optional
        The archive's reader to use, `train` or `validation`, for instances of a corpus.
    """
    if not isinstance(model, (str, os.PathLike)):
        raise ConfigurationError(f"the model is {model!r}; expected a path or a name")
    options["allow_types"] = tuple(options.get("allow_types", ()))
    given: Dict[str, Any] = {**options}
    opening = {key: given.pop(key) for key in ArchiveOptions.__annotations__ if key in given}
    found, engine = _open_engine(model, **opening)
    if name not in (None, found):
        raise ConfigurationError(f"{model}: found a model for '{found}'; expected '{name}'")
    labeller = make_labeller(found, engine, given)
    labeller.name = os.fspath(model)
    labeller.load_again = partial(load_labeller, model, name, **options)
    return labeller


def _open_engine(
    model: Path,
    engine: Optional[str] = None,
    max_tokens: int = 2000,
    allow_types: Iterable[str] = (),
    device: Union[str, int] = -1,
    precision: Optional[str] = None,
    **changes: Any,
) -> Tuple[str, Engine]:
    """Returns a model's `default_predictor` and its engine, by its files and the options."""
    if engine not in (None, *ENGINES):
        raise ConfigurationError(f"engine is {engine!r}; expected one of {', '.join(ENGINES)}")
    check_positive("max_tokens", max_tokens)
    path = pretrained.resolve(model)
    wishes = {
        "engine 'torch'": engine == "torch",
        f"device {device!r}": device not in (-1, "cpu"),
        f"precision {precision!r}": precision not in (None, *PRECISIONS),
        **changes,
    }
    reason = next((wish for wish, value in wishes.items() if value), None)
    if reason is None:
        found = open_model(path, max_tokens, precision)
        if not isinstance(found, str):
            return "lisa", found
        reason = found
    if engine == "onnx":
        raise ConfigurationError(f"{model}: engine is 'onnx'; expected 'torch' for {reason}")
    if precision == INT8:
        raise ConfigurationError(f"{model}: precision is 'int8'; expected another for {reason}")
    if importlib.util.find_spec("allennlp") is None:
        raise ConfigurationError(f"{model}: {reason} {NO_TRAINING_PACKAGES}")
    from lisa_allennlp.models import engines

    return engines.open_engine(
        path,
        device=device,
        precision=precision,
        max_tokens=max_tokens,
        allow_types=allow_types,
        **changes,
    )


def make_labeller(name: str, engine: Engine, options: Dict[str, Any]) -> Labeller:
    """Options of other labellers may have their default values."""
    labeller = LABELLERS[name]
    taken = labeller.takes.__annotations__
    for option, value in options.items():
        is_default = value in (None, getattr(LabelOptions, option, False))
        if option not in taken and not (option in LoadOptions.__annotations__ and is_default):
            raise ConfigurationError(
                f"{option}: found an option that the labeller '{name}' does not take; expected "
                f"{' or '.join(taken)}"
            )
    known = {key: value for key, value in options.items() if key in taken}
    if known.get("parser") is not None:
        known["parser"] = make_parse_source(known["parser"], engine.device)
    return labeller(engine, **known)


def make_parse_source(parser: Any, device: Union[str, int]) -> ParseSource:
    """
    Makes a parser from its config, such as `{"type": "spacy", "model": "en_core_web_sm"}`, or from
    a path, short for `{"type": "archive", "path": ...}`. A trained parser is on this device, unless
    its config names another.
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


class ArchiveParseSource(ParseSource):
    """
    A trained `deep_biaffine_parser`: the paper's +D&M. If it was trained with tags, it needs `pos`.
    It writes brackets as its training corpus does.
    """

    def __init__(self, labeller: ParserLabeller) -> None:
        self._labeller = labeller

    @property
    def pos_tags(self) -> Optional[Collection[str]]:
        return self._labeller.pos_tags

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        parsed = self._labeller.label([Request(sentence) for sentence in sentences])
        return [sentence.parse.head_indices for sentence in parsed if sentence.parse is not None]


def open_parser(path: Path, **options: Any) -> ArchiveParseSource:
    """Opens a trained parser (archive, training folder or export), as `load_labeller` does."""
    name = os.fspath(path)
    if not (os.path.exists(name) or "://" in name or name in pretrained.names()):
        raise ConfigurationError(
            f"parser: found no such file or folder, '{name}'; expected a trained parser "
            '(model.tar.gz), or an object such as {"type": "spacy", "model": "en_core_web_sm"}'
        )
    labeller = load_labeller(path, **options)
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
