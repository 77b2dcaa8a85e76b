"""
`lisa label`: labels raw text and prints a table per sentence.

```
lisa label "The cat that I saw had slept ."
lisa label out/sample/model.tar.gz notes.txt
```
"""

import argparse

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import print_notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/formats.md describes the inputs. `lisa show` draws pictures instead."
    text = "raw text of any length, or JSON as for `lisa predict`"
    options.add(parser, options.sentences(text))


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.show.terminal import printed_width, table
    from lisa_allennlp.labelling.sources import label, open_source
    from lisa_allennlp.labelling.unknown_words import UnknownWords

    model, sentences = options.model_and_sentences(args.arguments)
    labeller = options.open_labeller(model, args, **options.labeller_options(args))
    width, words = printed_width(), UnknownWords(labeller.engine)
    for number, argument in enumerate(sentences, start=1):
        name = f"sentence {number}"
        with open_source(argument, args.input_format, args.text_column, name) as source:
            is_empty = True
            for place, content in source.inputs():
                is_empty = False
                for labelled in label(labeller, place, content):
                    words.add(labelled.words)
                    print(f"{table(labelled, width)}\n", flush=True)
            if is_empty:
                print_notes([f"{source.name}: found no sentences"])
    print_notes(filter(None, [words.notice]))
