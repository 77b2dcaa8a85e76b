"""
The `label` command: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz "The cat that I saw had slept ."
```
"""

import argparse
import os
from typing import List

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp.commands.arguments import label as label_arguments
from lisa_allennlp.commands.sentences import (
    given_or_piped,
    label_items,
    labeller_of,
    model_and_sentences,
    no_sentence,
    printed_width,
)
from lisa_allennlp.data.sentence import Sentence
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
    model, sentences = model_and_sentences(args.arguments)
    for sentence in sentences:
        if os.path.isfile(sentence):
            raise no_sentence(sentence, args.arguments, "label")
    width = printed_width()

    def tables(labelled: List[Sentence]) -> str:
        return "\n\n".join(render(sentence, width) for sentence in labelled)

    for table in label_items(labeller_of(model, args), given_or_piped(sentences), tables):
        print(table, flush=True)
        print()
