"""
The sentences that `lisa label` and `lisa show` label: their arguments or, without any, the lines of
standard input.
"""

import argparse
import os
import re
import shlex
import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, List, Sequence, Tuple

from lisa_allennlp import pretrained
from lisa_allennlp.commands import options
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.labeller import Labeller


def add_sentences(parser: argparse.ArgumentParser, metavar: str, text: str) -> None:
    """Adds the arguments and the options of the model."""
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar=metavar,
        help=f"the model: {options.MODEL_HELP} (default: {pretrained.DEFAULT}). Then {text} "
        "(default: each line of standard input). The first argument is the model if it is a file, "
        "a folder, one word with a slash or one of the names",
    )
    options.add_cuda_device(parser)
    options.add_labels(parser)
    options.add_packages(parser)
    options.add_allowed_types(parser)


def model_and_sentences(arguments: Sequence[str]) -> Tuple[str, Sequence[str]]:
    """The model, which the first argument may name, and the other arguments."""
    if arguments and _is_model(arguments[0]):
        return arguments[0], arguments[1:]
    return pretrained.DEFAULT, arguments


def _is_model(argument: str) -> bool:
    """Whether the first argument is meant as a model. A text file is not: it may be a mistake."""
    if os.path.isfile(argument):
        with open(argument, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    is_name = argument in pretrained.names() or pretrained.is_model_file(argument)
    return is_name or (pretrained.looks_like_path(argument) and not argument.startswith("{"))


def no_sentence(file: str, arguments: Sequence[str], command: str) -> ConfigurationError:
    """The error for a file where a sentence is expected."""
    model, sentences = model_and_sentences(arguments)
    named = f" {shlex.quote(model)}" if len(sentences) < len(arguments) else ""
    return ConfigurationError(
        f"found the file {file}; expected a sentence. To {command} a file's lines: "
        f"lisa {command}{named} < {shlex.quote(file)}"
    )


def given_or_piped(sentences: Sequence[str]) -> Iterator[Tuple[str, bytes]]:
    """The arguments or, without any, the lines of standard input, with their places."""
    for number, sentence in enumerate(sentences, start=1):
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        yield f"sentence {number}", sentence.encode("utf-8", "surrogateescape")
    if not sentences:
        from lisa_allennlp.labelling.input_files import items_of_lines

        for item in items_of_lines(sys.stdin.buffer, "<stdin>"):
            if item.error:
                raise ConfigurationError(f"{item.place}: {item.error}")
            yield item.place, item.content


def read(place: str, given: bytes) -> Any:
    """The JSON object of an argument or a line, or its text."""
    from lisa_allennlp.labelling.requests import decoded, read_json_line

    with located(place):
        if re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', given):
            return read_json_line(given)
        return decoded(given).rstrip("\r\n")


def label(
    labeller: "Labeller", place: str, content: Any, details: bool = False
) -> List["Sentence"]:
    """Labels a text or a JSON object. A text without sentences is an empty one."""
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.requests import is_document

    with located(place):
        if isinstance(content, str) or is_document(content):
            return labeller.document(content, details).sentences or [Sentence([])]
        return [labeller(content, details)]


@contextmanager
def located(place: str) -> Iterator[None]:
    """Adds the place of an input to errors."""
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error.message}") from error


def printed_width() -> int:
    """The width of the terminal; 80 columns for files and pipes."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
