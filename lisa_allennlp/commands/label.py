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
from typing import Any, Iterator, List, Sequence, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import label as label_arguments
from lisa_allennlp.commands.lisa_options import lisa_options
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.rendering import render
from lisa_allennlp.labelling.requests import is_document, read_json_line


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
    options = json_object("--predictor-args", args.predictor_args.strip() or "{}")
    options.update(lisa_options(args))
    labeller = load_labeller(model, device=args.cuda_device, **options)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    for place, sentence in _arguments(sentences) if sentences else _standard_input():
        is_json = re.match(r'\s*\{\s*"', sentence)
        try:
            content = read_json_line(sentence.encode()) if is_json else sentence
            labelled = _label(labeller, content)
        except ConfigurationError as error:
            raise InputError(place, error.message) from error
        for one in labelled:
            print(render(one, width), flush=True)
            print()


def _label(labeller: Labeller, content: Any) -> List[Sentence]:
    """The labelled sentences of an input. Raw text may have any number of them."""
    if isinstance(content, str) or is_document(content):
        # An empty input is shown as an empty sentence.
        return labeller.document(content).sentences or [labeller([])]
    return [labeller(content)]


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


def _arguments(sentences: Sequence[str]) -> Iterator[Tuple[str, str]]:
    for number, sentence in enumerate(sentences, start=1):
        yield f"sentence {number}", sentence


def _standard_input() -> Iterator[Tuple[str, str]]:
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield f"<stdin>:{number}", line.decode("utf-8-sig").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ConfigurationError(
                f"<stdin>:{number}: found byte {line[error.start]:#x}; expected UTF-8"
            ) from error
