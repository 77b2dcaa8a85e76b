"""
`lisa label`: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz notes.txt
```
"""

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from lisa_allennlp import pretrained
from lisa_allennlp.commands import options

if TYPE_CHECKING:
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.labeller import Labeller


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/formats.md describes the inputs. `lisa show` draws pictures instead."
    add_sentences(parser, "raw text of any number of sentences, or JSON as for `lisa predict`")


def run(args: argparse.Namespace) -> None:
    """Prints one table per sentence, at most as wide as the terminal."""
    from lisa_allennlp.labelling.sources import open_source
    from lisa_allennlp.visualisation.terminal import table

    model, sentences = model_and_sentences(args.arguments)
    labeller = options.open_labeller(model, args, **options.labeller_options(args))
    width = printed_width()
    for number, argument in enumerate(sentences, start=1):
        name = f"sentence {number}"
        with open_source(argument, args.input_format, args.text_column, name) as source:
            for place, content in source.inputs():
                for labelled in label(labeller, place, content):
                    print(f"{table(labelled, width)}\n", flush=True)


def add_sentences(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds the arguments and the options of the model."""
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="[MODEL] [text or FILE ...]",
        help=f"the model: {options.MODEL_HELP} (default: {pretrained.DEFAULT}). Then {text}; or "
        "files, or - for standard input (the default). The first argument is the model if it is "
        "a file of one, a folder, one word with a slash or one of the names",
    )
    options.add_input_format(parser)
    options.add_cuda_device(parser)
    options.add_labels(parser)
    options.add_packages(parser)
    options.add_allowed_types(parser)


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


def label(labeller: "Labeller", place: str, content: Any) -> List["Sentence"]:
    """Labels an input of a source. A text without sentences is an empty one."""
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.requests import is_document
    from lisa_allennlp.labelling.sources import located

    with located(place):
        if is_document(content):
            return labeller.document(content).sentences or [Sentence([])]
        return [labeller(content)]


def printed_width() -> int:
    """The width of the terminal; 80 columns for files and pipes."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
