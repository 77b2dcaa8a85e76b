"""
The `label` command: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz "The cat that I saw had slept ."
```
"""

import argparse
import os
import re
import shlex
import shutil
import sys
from typing import Iterator, List, Sequence, Tuple, Union

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import label as label_arguments
from lisa_allennlp.commands.labeller_options import labeller_options
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.requests import DocumentRequest, Request, decoded, read_json_line
from lisa_allennlp.visualisation.table import render


@Subcommand.register("label")
class Label(Subcommand):
    """Labels the sentences given as arguments or, without any, the lines of standard input."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = label_arguments.add_parser(parser)
        subparser.set_defaults(func=label)
        return subparser


def label(args: argparse.Namespace) -> None:
    """
    Prints one table per sentence, at most as wide as the terminal.

    # Raises

    `ConfigurationError`
        If a sentence is the name of a file or cannot be labelled.
    """
    model, sentences = _model_and_sentences(args.arguments)
    options = labeller_options(args, own=("archive_file", "device"))
    labeller = load_labeller(model, device=args.cuda_device, **options)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    tables = labeller.stream(
        _arguments(sentences) if sentences else _standard_input(),
        lambda content: _read(labeller, content),
        labeller.label_any,
        lambda labelled, _: _table(labelled, width),
        group_size=1,
        processes=1,
        stops=True,
    )
    for table in tables:
        print(table, flush=True)
        print()


def _read(labeller: Labeller, content: bytes) -> Union[Request, DocumentRequest]:
    """The request for an argument or a line. Raw text may have any number of sentences."""
    if re.match(rb'(\xef\xbb\xbf)?\s*\{\s*"', content):
        return labeller.read_any(read_json_line(content))
    return labeller.read_document(decoded(content).rstrip("\r\n"))


def _table(labelled: Union[Sentence, Document], width: int) -> str:
    sentences = labelled.sentences if isinstance(labelled, Document) else [labelled]
    # An empty input is shown as an empty sentence.
    return "\n\n".join(render(sentence, width) for sentence in sentences or [Sentence([])])


def _model_and_sentences(arguments: Sequence[str]) -> Tuple[str, List[str]]:
    model, sentences = pretrained.DEFAULT, list(arguments)
    if sentences and _is_model(sentences[0]):
        model = sentences.pop(0)
    for sentence in sentences:
        if os.path.isfile(sentence):
            of_model = f" {shlex.quote(model)}" if model == arguments[0] else ""
            raise ConfigurationError(
                f"found the file {sentence}; expected a sentence. To label a file's lines: "
                f"lisa label{of_model} < {shlex.quote(sentence)}"
            )
    return model, sentences


def _is_model(argument: str) -> bool:
    """Whether the first argument is meant as a model. A text file is not: it may be a mistake."""
    if os.path.isfile(argument):
        with open(argument, "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    is_name = argument in pretrained.names() or pretrained.is_model_file(argument)
    return is_name or (pretrained.looks_like_path(argument) and not argument.startswith("{"))


def _arguments(sentences: Sequence[str]) -> Iterator[Item]:
    for number, sentence in enumerate(sentences, start=1):
        # Bytes of an argument that are not UTF-8 are surrogates in Python.
        content = sentence.encode("utf-8", "surrogateescape")
        yield Item(content, f"sentence {number}", number)


def _standard_input() -> Iterator[Item]:
    for number, line in enumerate(sys.stdin.buffer, start=1):
        yield Item(line, f"<stdin>:{number}", number)
