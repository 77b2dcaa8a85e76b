"""
Prints the tables of all keys of the configs, in Markdown, from the constructors of the classes that
configs name, their docstrings, and the configs of small and published size. On the site of the
documentation, they follow docs/config_reference.md.

    python scripts/config_reference.py
"""

import inspect
import json
import re
import sys
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
    Type,
)

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from allennlp.commands.train import TrainModel  # noqa: E402
from allennlp.common import FromParams, Lazy, Params, Registrable  # noqa: E402
from allennlp.common.from_params import remove_optional  # noqa: E402
from allennlp.training.metrics import Metric  # noqa: E402

import lisa_allennlp.plugin  # noqa: E402, F401
from lisa_allennlp.common.tables import Table, write_table  # noqa: E402
from lisa_allennlp.models.lisa import ConfigurableConfidence  # noqa: E402
from lisa_allennlp.modules.arc_scorers import ArcScorer  # noqa: E402
from lisa_allennlp.modules.label_scorers import SenseTagger  # noqa: E402
from lisa_allennlp.modules.role_decoders import RoleDecoder  # noqa: E402
from lisa_allennlp.modules.self_attention import EncoderLayer  # noqa: E402
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import WindowGate  # noqa: E402
from lisa_allennlp.modules.syntactic_heads import SyntacticHead  # noqa: E402
from lisa_allennlp.training.configs import READ_ELSEWHERE, annotations, chosen_class  # noqa: E402

MODELS = (
    ("LISA and SA", "lisa_small", "lisa_glove"),
    ("The Dozat & Manning parser", "dm_small", "dm_glove"),
    ("The CCG supertagger", None, "ccg/stacked_bilstm"),
)
"""The heading of each model, and its configs of small and of published size."""

DATA = {"small": "ewt", "published": "conll2005", "supertagger": "ccgbank"}
"""The corpora for which the configs are read."""

GIVEN: Mapping[type, Tuple[str, ...]] = {
    ArcScorer: ("input_dim", "num_labels", "dropout"),
    EncoderLayer: ("attention", "dim", "feedforward", "dropout"),
    RoleDecoder: ("constraints",),
    SenseTagger: ("input_dim", "num_senses"),
    SyntacticHead: ("input_dim", "arc_dim", "label_dim", "dropout"),
    WindowGate: ("input_dim", "num_items"),
}
"""What the code gives to the constructors of these classes."""

_NOT_KEYS = ("vocab", "serialization_dir", "local_rank", "model_parameters", "ddp_accelerator")

SMALL, PUBLISHED = "small", "published"

NOTHING, REQUIRED = "–", "required"

_PARAMETERS = re.compile(r"^# Parameters\n(.*?)(?=^# |\Z)", re.DOTALL | re.MULTILINE)
_PARAMETER = re.compile(r"^(?P<names>\w+(?:, ?\w+)*) ?: ?`", re.MULTILINE)


class Object(NamedTuple):
    """An object of a config: its place, its class, how to build it, and its keys by size."""

    place: str
    name: Optional[str]
    chosen: Any
    method: Any
    values: Dict[str, Mapping[str, Any]]


def tables() -> str:
    """Returns the tables, below headings of the second and third level."""
    parts: List[str] = []
    used: Set[Tuple[Any, Optional[str]]] = set()
    for heading, small, published in MODELS:
        parts.append(f"## {heading}\n")
        names = ", ".join(f"`{name}`" for name in (small, published) if name)
        parts.append(f"The values are those of {names}.\n")
        sizes = [SMALL, PUBLISHED] if small else [PUBLISHED]
        for item in objects_of(small, published):
            is_new = (item.chosen, item.name) not in used
            used.add((item.chosen, item.name))
            title = f"### `{item.place}`" if item.place else "### The top level"
            kind = f": `{item.name}`" if item.name else ""
            text = _describe(item.chosen) if is_new else ""
            parts.append(f"{title}{kind}\n\n{text}{_table(item, sizes, is_new)}")
            if not item.place and is_new:
                others = ", ".join(f"`{key}`" for key in sorted(READ_ELSEWHERE))
                parts.append(f"AllenNLP also reads {others} there.\n")
    parts.append("## Other classes of the package\n")
    parts.append("Each may stand where a config takes the class named first.\n")
    for base, name, chosen, constructor in _others():
        if (chosen, name) not in used:
            item = Object("", name, chosen, _method(chosen, constructor), {})
            title = f"{base.__name__}: `{name}`" if name else base.__name__
            parts.append(f"### {title}\n\n{_describe(chosen)}{_table(item, [], True)}")
    return "\n".join(parts)


def objects_of(small: Optional[str], published: str) -> List[Object]:
    """Returns the objects of two configs, those of the same place and class together."""
    found: Dict[Tuple[str, Any], Object] = {}
    for size, name in ((PUBLISHED, published), (SMALL, small)):
        if name is None:
            continue
        data = DATA["supertagger"] if name.startswith("ccg/") else DATA[size]
        for item in walk(read(name, data), TrainModel, ""):
            known = found.setdefault((item.place, item.chosen), item._replace(values={}))
            known.values[size] = item.values[""]
    # By the keys, and the top level first.
    return sorted(found.values(), key=lambda item: item.place.split(".") if item.place else [])


def read(name: str, data: str) -> Dict[str, Any]:
    """Reads a config below `training_configs` for a corpus in a folder `CORPUS`."""
    names = "VECTORS", "ELMO", "TRANSFORMER", "SILVER", "DESCRIPTIONS"
    variables = {f"LISA_{name}": "" for name in names}
    variables.update(LISA_DATA=data, LISA_CORPUS="CORPUS")
    file = ROOT / "training_configs" / f"{name}.jsonnet"
    return Params.from_file(str(file), ext_vars=variables).as_dict(quiet=True)


def walk(value: Any, annotation: Any, place: str) -> Iterator[Object]:
    """Yields the objects of a config, with their keys as the values of the size `""`."""
    annotation = remove_optional(annotation)
    origin, arguments = getattr(annotation, "__origin__", None), getattr(annotation, "__args__", ())
    if origin is Lazy:
        yield from walk(value, arguments[0], place)
    elif origin is dict and isinstance(value, Mapping):
        for key, item in value.items():
            yield from walk(item, arguments[1], f"{place}.{key}")
    elif origin is list and isinstance(value, list):
        for number, item in enumerate(value):
            yield from walk(item, arguments[0], f"{place}.{number}")
    elif inspect.isclass(annotation) and issubclass(annotation, FromParams):
        value = {"type": value} if isinstance(value, str) else value
        if not isinstance(value, Mapping):
            return
        chosen, constructor = chosen_class(value, annotation, f"{place}.")
        name = value.get("type") or getattr(annotation, "default_implementation", None)
        method = _method(chosen, constructor)
        yield Object(place, None if annotation is TrainModel else name, chosen, method, {"": value})
        types = _keys(chosen, method)
        for key, item in value.items():
            if key in types:
                yield from walk(item, types[key], f"{place}.{key}".lstrip("."))


def _method(chosen: Any, constructor: Optional[str]) -> Callable:
    return getattr(chosen, constructor) if constructor else chosen.__init__


def _keys(chosen: Any, method: Any) -> Dict[str, Any]:
    """The annotations of the keys."""
    types = annotations(chosen, method)
    return {key: annotation for key, annotation in types.items() if key not in _NOT_KEYS}


def _others() -> Iterator[Tuple[Any, Optional[str], Any, Optional[str]]]:
    """All registered classes of the package, and those that have no other form."""
    yield ConfigurableConfidence, None, ConfigurableConfidence, None
    found = [
        (base, name, chosen, constructor)
        for base, classes in Registrable._registry.items()
        for name, (chosen, constructor) in classes.items()
        if chosen.__module__.startswith("lisa_allennlp.") and base is not Metric
    ]
    yield from sorted(found, key=lambda item: (item[0].__name__, item[1]))


def _table(item: Object, sizes: Sequence[str], is_new: bool) -> str:
    """The keys of an object: their types, defaults, values and meanings."""
    rows, meanings = [], _meanings(item.chosen, item.method)
    given = next((names for kind, names in GIVEN.items() if issubclass(item.chosen, kind)), ())
    for key, annotation in _keys(item.chosen, item.method).items():
        is_set = any(key in values for values in item.values.values())
        default = _default(item, key)
        # What no config gives is set by the code.
        is_key = key not in given and not (sizes and default == REQUIRED and not is_set)
        if is_set or (is_key and is_new):
            of_sizes = [item.values.get(size, {}) for size in sizes]
            values = [_shown(own[key]) if key in own else NOTHING for own in of_sizes]
            rows.append([f"`{key}`", _type(annotation), default, *values, meanings.get(key, "")])
    if not rows:
        return "It has no keys.\n" if is_new else "The configs set no key.\n"
    headings = ["key", "type", "default", *sizes, "meaning"]
    return write_table(Table(headings, rows), "markdown") + "\n"


def _default(item: Object, key: str) -> str:
    for kind in item.chosen.__mro__:
        # `**kwargs` go to the superclass.
        method = item.method if kind is item.chosen else kind.__dict__.get("__init__")
        parameters = inspect.signature(method).parameters if method is not None else {}
        if key in parameters:
            default = parameters[key].default
            return REQUIRED if default is inspect.Parameter.empty else _shown(default)
    return NOTHING


def _shown(value: Any) -> str:
    """A default or a value as a config has it."""
    if isinstance(value, Lazy):
        value = value._constructor
    if inspect.isclass(value):
        name = getattr(value, "default_implementation", None) or _name_of(value)
        return f"`{name}`" if name else NOTHING
    if isinstance(value, (FromParams, torch.nn.Module)) or callable(value):
        name = _name_of(type(value))
        return f"`{name}`" if name else "an empty section"
    if isinstance(value, Mapping) and value:
        return "a section"
    if isinstance(value, list) and any(isinstance(entry, (dict, list)) for entry in value):
        return "a list"
    return f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


def _name_of(chosen: type) -> Optional[str]:
    """The registered name of a class."""
    for classes in Registrable._registry.values():
        for name, (kind, _) in classes.items():
            if kind is chosen:
                return name
    return None


def _type(annotation: Any) -> str:
    """A type in words: `int or null`."""
    if annotation is type(None):
        return "null"
    if annotation is Any:
        return "any"
    origin, arguments = getattr(annotation, "__origin__", None), getattr(annotation, "__args__", ())
    if origin is Lazy:
        return _type(arguments[0])
    if origin is None:
        return getattr(annotation, "__name__", str(annotation).replace("typing.", ""))
    if type(None) in arguments or "Union" in str(origin):
        return " or ".join(map(_type, arguments))
    name = "object" if origin is dict else "list"
    of = [_type(argument) for argument in arguments if argument is not Ellipsis]
    if name == "object":
        return f"object of {of[-1]}" if of else name
    return f"{name} of {' and '.join(dict.fromkeys(of))}" if of else name


def _meanings(chosen: Type[Any], method: Any) -> Dict[str, str]:
    """
    The first sentence on each parameter in the docstrings of a class, of those above it and of the
    constructor.
    """
    meanings: Dict[str, str] = {}
    for documented in (*reversed(chosen.__mro__), method):
        section = _PARAMETERS.search(inspect.cleandoc(documented.__doc__ or ""))
        if section is None:
            continue
        starts = [*_PARAMETER.finditer(section[1])]
        ends = [*(start.start() for start in starts[1:]), len(section[1])]
        for start, end in zip(starts, ends, strict=True):
            text = section[1][start.start() : end].partition("\n")[2]
            for name in start["names"].split(","):
                meanings[name.strip()] = _first_sentence(text)
    return meanings


def _first_sentence(text: str) -> str:
    paragraph = " ".join(inspect.cleandoc(text).partition("\n\n")[0].split())
    # AllenNLP's links lead to pages of its own site.
    paragraph = re.sub(r"\[([^]]+)\] ?\([^)]*\)", r"\1", paragraph).replace(":class:", "")
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)[0]
    return sentence.replace("|", "\\|")


def _describe(chosen: Type[Any]) -> str:
    """The first sentence of the docstring of one of the package's classes."""
    if not chosen.__module__.startswith("lisa_allennlp."):
        owner = "PyTorch" if chosen.__module__.startswith("torch.") else "AllenNLP"
        return f"{owner}'s `{chosen.__name__}`.\n\n" if chosen is not TrainModel else ""
    return f"{_first_sentence(inspect.cleandoc(chosen.__doc__ or ''))}\n\n"


if __name__ == "__main__":
    print(tables(), end="")
