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
    can_label,
    contents_of_file,
    given_or_piped,
    label,
    model_and_sentences,
    no_sentence,
    printed_width,
    read,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    example = '{"tokens": ["Go"], "pos": ["VB"]}'
    text = (
        f"raw text of any number of sentences, or JSON as for `lisa predict`, such as {example}; "
        "or files with the ending .conllu, .gold_conll, .jsonl or .parquet"
    )
    add_sentences(parser, "[MODEL] [text or FILE ...]", text)


def run(args: argparse.Namespace) -> None:
    """Prints one table per sentence, at most as wide as the terminal."""
    from lisa_allennlp.visualisation.terminal import table

    model, sentences = model_and_sentences(args.arguments)
    for sentence in filter(os.path.isfile, sentences):
        if not can_label(sentence):
            raise no_sentence(sentence, args.arguments, "label")
    labeller = options.open_labeller(model, args, **options.labeller_options(args))
    width = printed_width()
    for index, (place, given) in enumerate(given_or_piped(sentences)):
        is_file = bool(sentences) and can_label(sentences[index])
        found = contents_of_file(sentences[index]) if is_file else [(place, read(place, given))]
        for where, content in found:
            for labelled in label(labeller, where, content):
                print(f"{table(labelled, width)}\n", flush=True)
