"""Arguments that several commands have."""

import argparse
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.importing import import_packages
from lisa_allennlp.common.option_values import json_object
from lisa_allennlp.labelling.input_formats import DEFAULT_FORMATS, INPUT_FORMATS

if TYPE_CHECKING:
    from lisa_allennlp.labelling.labeller import Labeller

MODEL_HELP = "model.tar.gz, a folder, or a name that `lisa models` lists"

FRAMES_HELP = (
    "for the meanings of rolesets and roles, and for what VerbNet and FrameNet call them: "
    "propbank, the frames that the package carries; or a checkout of propbank/propbank-frames"
)

_CHANGES = ("engine", "precision", "overrides", "weights_file")
"""The parameters of `load_labeller` for which some commands have an argument of this name."""


def at_least(least: int) -> Callable[[str], int]:
    """Returns the `type` of an argument that is a number."""

    def number(text: str) -> int:
        if not text.lstrip("-").isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"found {text}; expected {least} or more")
        return int(text)

    return number


def named_path(text: str) -> Tuple[str, str]:
    """The `type` of an argument `NAME=FILE`."""
    name, equals, path = text.partition("=")
    if not (name.strip() and equals and path):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected NAME=FILE")
    return name, path


def add_table_style(parser: argparse.ArgumentParser) -> None:
    """Adds `--latex` and `--csv`, which choose the style of the tables that a command prints."""
    group = parser.add_mutually_exclusive_group()
    for style, name in (("latex", "LaTeX"), ("csv", "CSV, with unrounded numbers")):
        group.add_argument(
            f"--{style}",
            action="store_const",
            const=style,
            dest="table_style",
            default="text",
            help=f"print the table in {name}",
        )


def add_input_format(
    parser: argparse.ArgumentParser, group: Optional[argparse._ActionsContainer] = None
) -> None:
    """Adds `--input-format`, perhaps in a group, and `--text-column` to a command that labels."""
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in INPUT_FORMATS.items())
    text = f"{meanings} (default: {DEFAULT_FORMATS})"
    (group or parser).add_argument("--input-format", choices=list(INPUT_FORMATS), help=text)
    text = "the column, or key of JSON, with the text (default: text, or the only column)"
    parser.add_argument("--text-column", metavar="NAME", help=text)


def add_force(parser: argparse._ActionsContainer) -> None:
    """Adds `--force` to a command that writes files."""
    parser.add_argument("--force", action="store_true", help="replace output files that exist")


def add_columns(parser: argparse._ActionsContainer) -> None:
    """Adds `--columns` to a command that writes tables."""
    parser.add_argument(
        "--columns",
        nargs="+",
        metavar="NAME",
        help="the columns of the table, in this order (default: all)",
    )


def add_cuda_device(parser: argparse._ActionsContainer) -> None:
    """Adds `--cuda-device` for one GPU."""
    parser.add_argument("--cuda-device", type=int, default=-1, help="a GPU's number; -1 is the CPU")


def add_changes(parser: argparse.ArgumentParser, example: str) -> None:
    """Adds `--overrides`, with an example for the help."""
    changed = "overrides of the config as JSON or Jsonnet, with nested or dotted keys"
    parser.add_argument("-o", "--overrides", default="", help=f"{changed}: '{example}'")


def add_packages(parser: argparse.ArgumentParser) -> None:
    text = "a package with classes that the config names; may be repeated"
    parser.add_argument("--include-package", action="append", default=[], help=text, metavar="NAME")


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the commands that open a model and may change it."""
    parser.add_argument("--weights-file", help="other weights to use with the model's config")
    add_changes(parser, '{"model.predicate_threshold": 0.4}')
    add_packages(parser)
    add_allowed_types(parser)


def add_allowed_types(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-type",
        action="append",
        default=[],
        metavar="NAME",
        help="a class that the model's config may name although it is not registered, such as "
        "my_package.MyEncoder. It is imported, so trust the model",
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Adds `--engine` and `--precision` to a command that labels."""
    parser.add_argument(
        "--engine",
        choices=("onnx", "torch"),
        help="what runs the network (default: onnx if the model has graphs, otherwise torch)",
    )
    parser.add_argument(
        "--precision",
        choices=("float32", "bfloat16", "int8"),
        help="the precision of matrix products: bfloat16 is for torch, int8 for models that were "
        "exported with it, which have it by default",
    )


def add_labels(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the commands that label."""
    parser.add_argument(
        "--predictor-args",
        default="",
        metavar="JSON",
        help='options of the labeller, for example \'{"parse_decoder": "argmax"}\'',
    )
    parser.add_argument(
        "--frames",
        metavar="FRAMES",
        help=f"{FRAMES_HELP} (default: $LISA_FRAMES)",
    )
    parser.add_argument(
        "--probabilities",
        action="store_true",
        help="LISA: also give the probabilities of tags, arcs, predicates and role spans",
    )
    parser.add_argument(
        "--min-probability",
        type=float,
        metavar="P",
        help="LISA: leave out arguments with a probability below P (default: the model's)",
    )
    add_adaptation(parser)
    text = "LISA: predict trees, also where the input has them, as of another scheme of relations"
    parser.add_argument("--ignore-trees", action="store_true", help=text)
    parser.add_argument(
        "--no-auxiliaries",
        action="store_true",
        help='LISA: leave out the frames of auxiliaries, such as "was" in "was sold" (be.03)',
    )


def add_adaptation(parser: argparse.ArgumentParser) -> None:
    text = "LISA: what corrected sentences teach, from `lisa adapt`"
    parser.add_argument("--adaptation", metavar="FILE", help=text)


def labeller_options(args: argparse.Namespace) -> Dict[str, Any]:
    """Returns what the arguments of a command say on how to load the model and to label."""
    options = json_object("--predictor-args", args.predictor_args.strip() or "{}")
    changes = {name: getattr(args, name) for name in _CHANGES if hasattr(args, name)}
    for name in options:
        if name in changes or name == "device":
            raise ConfigurationError(
                f"--predictor-args: found `{name}`; expected it as an argument of the command"
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
    """Opens a model on the chosen device, with other options for `load_labeller`."""
    from lisa_allennlp.labelling.loading import load_labeller

    import_packages(args.include_package)
    return load_labeller(model, device=args.cuda_device, **options)


def add_sentences(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds the arguments and the options of the model."""
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="[MODEL] [text or FILE ...]",
        help=f"the model: {MODEL_HELP} (default: {pretrained.DEFAULT}). Then {text}; or "
        "files, or - for standard input (the default). The first argument is the model if it is "
        "a file of one, a folder, one word with a slash or one of the names",
    )
    add_input_format(parser)
    add_cuda_device(parser)
    add_engine(parser)
    add_labels(parser)
    add_packages(parser)
    add_allowed_types(parser)


def model_and_sentences(arguments: Sequence[str]) -> Tuple[str, Sequence[str]]:
    """The model, which the first argument may name, and the other arguments or `-`."""
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
