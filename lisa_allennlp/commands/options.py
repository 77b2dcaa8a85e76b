"""Tables of arguments, and the arguments that several commands have."""

import argparse
import os
from typing import TYPE_CHECKING, Any, Collection, Dict, Mapping, Optional, Sequence, Tuple, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.importing import import_packages
from lisa_allennlp.common.option_values import json_object
from lisa_allennlp.labelling.input_formats import DEFAULT_FORMATS, INPUT_FORMATS
from lisa_allennlp.models_on_disk import pretrained

if TYPE_CHECKING:
    from lisa_allennlp.labelling.labeller import Labeller

Arguments = Mapping[str, Union[str, Dict[str, Any]]]

MODEL_HELP = "model.tar.gz, a folder, or a name that `lisa models` lists"

FRAMES_HELP = (
    "for the meanings of rolesets and roles, and for what VerbNet and FrameNet call them: "
    "propbank, the frames that the package carries; or a checkout of propbank/propbank-frames"
)

_CHANGES = ("engine", "precision", "overrides", "weights_file")


def settings(text: str, **others: Any) -> Dict[str, Any]:
    return {"help": text, **others}


def at_least(least: int, text: str, default: Optional[int] = None) -> Dict[str, Any]:

    def number(given: str) -> int:
        if not given.lstrip("-").isdecimal() or int(given) < least:
            raise argparse.ArgumentTypeError(f"found {given}; expected {least} or more")
        return int(given)

    return settings(text, type=number, default=default)


def repeated(text: str, **others: Any) -> Dict[str, Any]:
    return settings(text, action="append", default=[], **others)


def named_path(text: str) -> Tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name.strip() and equals and path):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected NAME=FILE")
    return name, path


def add(
    parser: argparse._ActionsContainer, arguments: Arguments, *exclusive: Collection[str]
) -> None:
    """
    Adds a table of arguments. A key has the names of an argument and what it takes, as a usage
    shows them: `-o, --output FILE`. An option with a help alone that takes nothing is a flag. Of
    each group of `exclusive` options, one may be given.
    """
    groups = {}
    for options in exclusive:
        groups.update(dict.fromkeys(options, parser.add_mutually_exclusive_group()))
    for usage, given in arguments.items():
        names, _, metavar = usage.replace(", ", ",").partition(" ")
        given = settings(given) if isinstance(given, str) else given
        if metavar:
            given = {"metavar": metavar, **given}
        elif names.startswith("-") and len(given) == 1:
            given = {"action": "store_true", **given}
        groups.get(names, parser).add_argument(*names.split(","), **given)


INPUT_FORMAT: Arguments = {
    "--input-format": settings(
        "; ".join(f"{name}: {meaning}" for name, meaning in INPUT_FORMATS.items())
        + f" (default: {DEFAULT_FORMATS})",
        choices=list(INPUT_FORMATS),
    ),
    "--text-column NAME": "the column, or key of JSON, with the text (default: text, or the only "
    "column)",
}
_STYLE: Dict[str, Any] = {"action": "store_const", "dest": "table_style", "default": "text"}
TABLE_STYLE: Arguments = {
    "--latex": settings("print the table in LaTeX", const="latex", **_STYLE),
    "--csv": settings("print the table in CSV, with unrounded numbers", const="csv", **_STYLE),
}
FORCE: Arguments = {"--force": "replace output files that exist"}
COLUMNS: Arguments = {
    "--columns NAME": settings("the columns of the table, in this order (default: all)", nargs="+"),
}
CUDA_DEVICE: Arguments = {
    "--cuda-device": settings("a GPU's number; -1 is the CPU", type=int, default=-1),
}
PACKAGES: Arguments = {
    "--include-package NAME": repeated(
        "a package with classes that the config names; may be repeated"
    ),
}
ALLOWED_TYPES: Arguments = {
    "--allow-type NAME": repeated(
        "a class that the model's config may name although it is not registered, such as "
        "my_package.MyEncoder. It is imported, so trust the model"
    ),
}
ENGINE: Arguments = {
    "--engine": settings(
        "what runs the network (default: onnx if the model has graphs, otherwise torch)",
        choices=("onnx", "torch"),
    ),
    "--precision": settings(
        "the precision of matrix products: bfloat16 is for torch, int8 for models that were "
        "exported with it, which have it by default",
        choices=("float32", "bfloat16", "int8"),
    ),
}
ADAPTATION: Arguments = {
    "--adaptation FILE": "LISA: what corrected sentences teach, from `lisa adapt`",
}
LABELS: Arguments = {
    "--predictor-args JSON": settings(
        'options of the labeller, for example \'{"parse_decoder": "argmax"}\'', default=""
    ),
    "--frames FRAMES": f"{FRAMES_HELP} (default: $LISA_FRAMES)",
    "--probabilities": "LISA: also give the probabilities of tags, arcs, predicates and role spans",
    "--min-probability P": settings(
        "LISA: leave out arguments with a probability below P (default: the model's)", type=float
    ),
    **ADAPTATION,
    "--ignore-trees": "LISA: predict trees, also where the input has them, as of another scheme of "
    "relations",
    "--no-auxiliaries": 'LISA: leave out the frames of auxiliaries, such as "was" in "was sold" '
    "(be.03)",
}


def changes(example: str) -> Arguments:
    text = f"overrides of the config as JSON or Jsonnet, with nested or dotted keys: '{example}'"
    return {"-o, --overrides OVERRIDES": settings(text, default="")}


MODEL: Arguments = {
    "--weights-file WEIGHTS_FILE": "other weights to use with the model's config",
    **changes('{"model.predicate_threshold": 0.4}'),
    **PACKAGES,
    **ALLOWED_TYPES,
}


def labeller_options(args: argparse.Namespace) -> Dict[str, Any]:
    options = json_object("--predictor-args", args.predictor_args.strip() or "{}")
    changes = {name: getattr(args, name) for name in _CHANGES if hasattr(args, name)}
    for name in options:
        if name in changes or name == "device":
            raise ConfigurationError(
                f"--predictor-args: found `{name}`; expected the argument of the command"
            )
    given = {
        "frames": args.frames,
        "probabilities": args.probabilities or None,
        "min_probability": args.min_probability,
        "adaptation": args.adaptation,
        "auxiliaries": False if args.no_auxiliaries else None,
        "ignore_trees": args.ignore_trees or None,
        "allow_types": args.allow_type or None,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return {**changes, **options, **chosen}


def open_labeller(model: str, args: argparse.Namespace, **options: Any) -> "Labeller":
    from lisa_allennlp.labelling.loading import load_labeller

    import_packages(args.include_package)
    return load_labeller(model, device=args.cuda_device, **options)


def sentences(text: str) -> Arguments:
    return {
        "arguments [MODEL] [text or FILE ...]": settings(
            f"the model: {MODEL_HELP} (default: {pretrained.DEFAULT}). Then {text}; or "
            "files, or - for standard input (the default). The first argument is the model if it "
            "is a file of one, a folder, one word with a slash or one of the names",
            nargs="*",
        ),
        **INPUT_FORMAT,
        **CUDA_DEVICE,
        **ENGINE,
        **LABELS,
        **PACKAGES,
        **ALLOWED_TYPES,
    }


def model_and_sentences(arguments: Sequence[str]) -> Tuple[str, Sequence[str]]:
    """The first argument may name the model."""
    if arguments and _is_model(arguments[0]):
        return arguments[0], arguments[1:] or ["-"]
    return pretrained.DEFAULT, arguments or ["-"]


def _is_model(argument: str) -> bool:
    """Whether the first argument is meant as a model. A text file is not: it may be a mistake."""
    from lisa_allennlp.labelling.sources import is_name

    if is_name(argument):
        return False
    if os.path.isfile(argument) and not argument.endswith(pretrained.ARCHIVE_SUFFIXES):
        with open(argument, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    known = argument in pretrained.names() or pretrained.is_model_file(argument)
    return known or (pretrained.looks_like_path(argument) and not argument.startswith("{"))
