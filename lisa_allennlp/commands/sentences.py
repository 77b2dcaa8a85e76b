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
    if is_annotated_file(argument):
        return False
    if os.path.isfile(argument) and not argument.endswith(pretrained.ARCHIVE_SUFFIXES):
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


def is_annotated_file(argument: str) -> bool:
    """Whether an argument names a file, by its ending, with annotated sentences."""
    return os.path.isfile(argument) and has_annotated_ending(argument)


def has_annotated_ending(argument: str) -> bool:
    from lisa_allennlp.data.annotated_files import ENDINGS, format_of_name

    return format_of_name(argument, ENDINGS) is not None


def can_label(argument: str) -> bool:
    """Whether an argument names a file, by its ending, whose sentences can be labelled."""
    from lisa_allennlp.labelling.input_files import is_recognised

    return os.path.isfile(argument) and is_recognised(argument)


def contents_of_file(path: str) -> Iterator[Tuple[str, Any]]:
    """The inputs of a file to label, for a labeller, with their places."""
    from lisa_allennlp.labelling import input_files

    with input_files.open_input(path) as file:
        input_format = input_files.recognised(file, path)
        for item in input_files.items_of_file(file, path, input_format):
            with located(item.place):
                if item.error:
                    raise ConfigurationError(item.error)
                content = input_files.read_content(item.content, input_format)
            yield item.place, content


def given_or_piped(sentences: Sequence[str]) -> Iterator[Tuple[str, Any]]:
    """
    The arguments or, without any, the lines of standard input or the sentences of a CoNLL format
    there, with their places.
    """
    from lisa_allennlp.labelling import input_files
    from lisa_allennlp.labelling.input_formats import CORPORA

    for number, sentence in enumerate(sentences, start=1):
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        yield f"sentence {number}", sentence.encode("utf-8", "surrogateescape")
    if sentences:
        return
    file, name = sys.stdin.buffer, "<stdin>"
    input_format = input_files.recognised(file, name)
    is_corpus = input_format in CORPORA
    items = input_files.items_of_lines(file, name)
    if is_corpus:
        items = input_files.items_of_file(file, name, input_format)
    for item in items:
        if item.error:
            raise ConfigurationError(f"{item.place}: {item.error}")
        with located(item.place):
            content = item.content
            if is_corpus:
                content = input_files.read_content(content, input_format)
        yield item.place, content


def read(place: str, given: Any) -> Any:
    """The JSON object of an argument or a line, or its text; or the sentence that it is already."""
    from lisa_allennlp.labelling.requests import decoded, read_json_line

    if not isinstance(given, bytes):
        return given
    with located(place):
        if re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', given):
            return read_json_line(given)
        return decoded(given).rstrip("\r\n")


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
