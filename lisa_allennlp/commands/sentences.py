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
from functools import partial
from typing import Any, Callable, Iterable, Iterator, List, Sequence, Tuple, TypeVar, Union, cast

from allennlp.common.checks import ConfigurationError

from lisa_allennlp import pretrained
from lisa_allennlp.commands.labeller_options import labeller_options
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import items_of_lines
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.requests import DocumentRequest, Request, decoded, read_json_line

Result = TypeVar("Result")

_PIPED_WIDTH = 80


def model_and_sentences(arguments: Sequence[str]) -> Tuple[str, List[str]]:
    """The model, which the first argument may name, and the other arguments."""
    if arguments and _is_model(arguments[0]):
        return arguments[0], list(arguments[1:])
    return pretrained.DEFAULT, list(arguments)


def no_sentence(file: str, arguments: Sequence[str], command: str) -> ConfigurationError:
    """The error for a file where a sentence is expected."""
    model, _ = model_and_sentences(arguments)
    of_model = f" {shlex.quote(model)}" if model == arguments[0] else ""
    return ConfigurationError(
        f"found the file {file}; expected a sentence. To {command} a file's lines: "
        f"lisa {command}{of_model} < {shlex.quote(file)}"
    )


def labeller_of(model: str, args: argparse.Namespace) -> Labeller:
    """The labeller of a model with the command's options."""
    options = labeller_options(args, own=("archive_file", "device"))
    return load_labeller(model, device=args.cuda_device, **options)


def given_or_piped(sentences: Sequence[str]) -> Iterator[Item]:
    """The arguments or, without any, the lines of standard input, as bytes."""
    if not sentences:
        yield from items_of_lines(sys.stdin.buffer, "<stdin>")
    for number, sentence in enumerate(sentences, start=1):
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        content = sentence.encode("utf-8", "surrogateescape")
        yield Item(content, f"sentence {number}", number)


def read_content(content: bytes) -> Any:
    """
    The JSON object of an argument or a line, or its text.

    >>> read_content(b'{"tokens": ["Go"]}'), read_content(b"{ Go }\\n")
    ({'tokens': ['Go']}, '{ Go }')
    """
    if re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', content):
        return read_json_line(content)
    return decoded(content).rstrip("\r\n")


def label_items(
    labeller: Labeller,
    items: Iterable[Item],
    finish: Callable[[List[Sentence]], Result],
    details: bool = False,
) -> Iterator[Result]:
    """
    Labels arguments or lines one by one.

    # Parameters

    labeller : `Labeller`
    items : `Iterable[Item]`
        As `given_or_piped` yields them.
    finish : `Callable[[List[Sentence]], Result]`
        Makes the result for an item from its labelled sentences. Raw text may have any number of
        them; a text without any is an empty sentence.
    details : `bool`, optional (default = `False`)
        As for the labeller.

    # Raises

    `InputError`
        If an item is invalid or cannot be labelled, after the results of those before it.
    """
    results = labeller.stream(
        items,
        partial(_read, labeller),
        partial(labeller.label_any, details=details),
        lambda labelled, _: finish(_sentences(labelled)),
        group_size=1,
        processes=1,
        stops=True,
    )
    # No result is an error, since the first one is raised.
    return cast(Iterator[Result], results)


def _read(labeller: Labeller, content: bytes) -> Union[Request, DocumentRequest]:
    found = read_content(content)
    return labeller.read_document(found) if isinstance(found, str) else labeller.read_any(found)


def _sentences(labelled: Union[Sentence, Document]) -> List[Sentence]:
    sentences = labelled.sentences if isinstance(labelled, Document) else [labelled]
    return sentences or [Sentence([])]


def printed_width() -> int:
    """The width of the terminal; 80 columns for files and pipes."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_WIDTH


def _is_model(argument: str) -> bool:
    """Whether the first argument is meant as a model. A text file is not: it may be a mistake."""
    if os.path.isfile(argument):
        with open(argument, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    is_name = argument in pretrained.names() or pretrained.is_model_file(argument)
    return is_name or (pretrained.looks_like_path(argument) and not argument.startswith("{"))
