"""
`lisa label`: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz "The cat that I saw had slept ."
```
"""

import argparse
import os

from lisa_allennlp.commands import options
from lisa_allennlp.commands.sentences import (
    add_sentences,
    given_or_piped,
    label,
    model_and_sentences,
    no_sentence,
    printed_width,
    read,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    example = '{"tokens": ["Go"], "pos": ["VB"]}'
    text = f"raw text of any number of sentences, or JSON as for `lisa predict`, such as {example}"
    add_sentences(parser, "[MODEL] [text ...]", text)


def run(args: argparse.Namespace) -> None:
    """Prints one table per sentence, at most as wide as the terminal."""
    from lisa_allennlp.visualisation.terminal import table

    model, sentences = model_and_sentences(args.arguments)
    for sentence in filter(os.path.isfile, sentences):
        raise no_sentence(sentence, args.arguments, "label")
    labeller = options.open_labeller(model, args, **options.labeller_options(args))
    width = printed_width()
    for place, given in given_or_piped(sentences):
        for labelled in label(labeller, place, read(place, given)):
            print(f"{table(labelled, width)}\n", flush=True)
