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
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from lisa_allennlp import pretrained
from lisa_allennlp.commands import options
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.groups import Item
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
    if os.path.isfile(argument) and is_named(argument):
        return False
    if os.path.isfile(argument) and not argument.endswith(pretrained.ARCHIVE_SUFFIXES):
        with open(argument, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    is_name = argument in pretrained.names() or pretrained.is_model_file(argument)
    return is_name or (pretrained.looks_like_path(argument) and not argument.startswith("{"))


def check_files(arguments: Sequence[str], command: str, takes: Callable[[str], bool]) -> None:
    """Refuses files that the command does not take, and names of files that do not exist."""
    for argument in arguments:
        if len(argument.split()) == 1 and is_named(argument) and not os.path.exists(argument):
            raise ConfigurationError(f"found no file {argument}; expected a file or a sentence")
    model, sentences = model_and_sentences(arguments)
    named = f" {shlex.quote(model)}" if len(sentences) < len(arguments) else ""
    for argument in sentences:
        if os.path.isfile(argument) and not takes(argument):
            raise ConfigurationError(
                f"found the file {argument}; expected a sentence. To {command} a file's lines: "
                f"lisa {command}{named} < {shlex.quote(argument)}"
            )


def is_named(argument: str) -> bool:
    """Whether an argument ends like the name of a file to label or to draw."""
    return can_label(argument) or can_draw(argument)


def can_draw(argument: str) -> bool:
    """Whether an argument ends like the name of an annotated file."""
    from lisa_allennlp.data.annotated_files import ENDINGS, format_of_name

    return format_of_name(argument, ENDINGS) is not None


def can_label(argument: str) -> bool:
    """Whether an argument ends like the name of a file to label."""
    from lisa_allennlp.labelling.input_files import is_recognised

    return is_recognised(argument)


def inputs(argument: Optional[str], number: int) -> Iterator[Tuple[str, Any]]:
    """
    The inputs of an argument, with their places: those of a file, or the sentence itself. `None`
    stands for the lines of standard input, or the sentences of a CoNLL format there.
    """
    from lisa_allennlp.labelling import input_files
    from lisa_allennlp.labelling.groups import Item
    from lisa_allennlp.labelling.input_formats import CORPORA, TEXT

    if argument is not None and not os.path.isfile(argument):
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        content = argument.encode("utf-8", "surrogateescape")
        yield from _contents([Item(content, f"sentence {number}", number)], _read_line)
        return
    name = "<stdin>" if argument is None else argument
    with input_files.open_input(argument or input_files.STANDARD_INPUT) as file:
        input_format = input_files.recognised(file, name)

        def read(content: Any) -> Any:
            if input_format == TEXT:
                input_files.check_is_not_json(content)
            return input_files.read_content(content, input_format)

        if argument is None and input_format not in CORPORA:
            yield from _contents(input_files.items_of_lines(file, name), _read_line)
        else:
            yield from _contents(input_files.items_of_file(file, name, input_format), read)


def _contents(items: Iterable["Item"], read: Callable[[Any], Any]) -> Iterator[Tuple[str, Any]]:
    for item in items:
        with located(item.place):
            if item.error:
                raise ConfigurationError(item.error)
            content = read(item.content)
        yield item.place, content


def _read_line(line: bytes) -> Any:
    """The JSON object in an argument or a line, or its text."""
    from lisa_allennlp.labelling.requests import decoded, read_json_line

    if re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', line):
        return read_json_line(line)
    return decoded(line).rstrip("\r\n")


def label(labeller: "Labeller", place: str, content: Any) -> List["Sentence"]:
    """Labels a text or a JSON object. A text without sentences is an empty one."""
    from lisa_allennlp.data.sentence import Sentence
    from lisa_allennlp.labelling.requests import is_document

    with located(place):
        if isinstance(content, str) or is_document(content):
            return labeller.document(content).sentences or [Sentence([])]
        return [labeller(content)]


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
