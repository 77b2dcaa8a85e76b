"""
The `prepare` command: builds corpora from their official releases.

```
lisa prepare ewt --propbank propbank-release --ud UD_English-EWT --out corpora/ewt
lisa prepare conll05 --release conll05st-release --ptb treebank_3 \\
    --stanford-parser stanford-parser.jar --stanford-tagger stanford-postagger.jar \\
    --out corpora/conll05
lisa prepare conll12 --ontonotes conll-formatted-ontonotes-5.0 --ids ids \\
    --stanford-parser stanford-parser.jar --out corpora/conll12
```
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp.commands.arguments import prepare as prepare_arguments
from lisa_allennlp.commands.prepare.conll import (
    prepare_conll05_from_args,
    prepare_conll12_from_args,
)
from lisa_allennlp.commands.prepare.ewt import prepare_ewt_from_args

_PREPARATIONS = {
    "ewt": prepare_ewt_from_args,
    "conll05": prepare_conll05_from_args,
    "conll12": prepare_conll12_from_args,
}


@Subcommand.register("prepare")
class Prepare(Subcommand):
    """Builds a corpus. Each corpus is a subcommand with its own arguments."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the command and its corpora."""
        subparser = prepare_arguments.add_parser(parser)
        subparser.set_defaults(func=prepare)
        return subparser


def prepare(args: argparse.Namespace) -> None:
    """Runs the command."""
    _PREPARATIONS[args.corpus](args)
