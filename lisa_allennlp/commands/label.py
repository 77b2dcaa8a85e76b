"""
`lisa label`: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz "The cat that I saw had slept ."
```
"""

import argparse

from lisa_allennlp.commands import options
from lisa_allennlp.commands.sentences import (
    add_sentences,
    can_label,
    check_files,
    inputs,
    label,
    model_and_sentences,
    printed_width,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    example = '{"tokens": ["Go"], "pos": ["VB"]}'
    text = (
        f"raw text of any number of sentences, or JSON as for `lisa predict`, such as {example}; "
        "or files with the ending .txt, .conllu, .gold_conll, .jsonl or .parquet"
    )
    add_sentences(parser, "[MODEL] [text or FILE ...]", text)


def run(args: argparse.Namespace) -> None:
    """Prints one table per sentence, at most as wide as the terminal."""
    from lisa_allennlp.visualisation.terminal import table

    check_files(args.arguments, "label", can_label)
    model, sentences = model_and_sentences(args.arguments)
    labeller = options.open_labeller(model, args, **options.labeller_options(args))
    width = printed_width()
    for number, argument in enumerate(sentences or [None], start=1):
        for place, content in inputs(argument, number):
            for labelled in label(labeller, place, content):
                print(f"{table(labelled, width)}\n", flush=True)
