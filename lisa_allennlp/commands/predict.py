"""
AllenNLP's `predict` command, reading many lines before it predicts.

```
lisa predict out/sample/model.tar.gz sentences.jsonl --output-file roles.jsonl --silent
```
"""

import argparse
import logging

from allennlp.commands.predict import Predict
from allennlp.commands.subcommand import Subcommand

BATCH_SIZE = 1000
"""
Lines that are read before any is answered. The predictor cuts them into the network's batches, by
length: the more lines to choose from, the less padding.
"""


class LisaPredict(Predict):
    """
    `predict` with another default of `--batch-size`: AllenNLP's is one line, which is several
    times slower. Use `--batch-size 1` to see the answer to a line before the next one is given.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = super().add_subparser(parser)
        subparser.set_defaults(batch_size=BATCH_SIZE)
        return subparser


# AllenNLP would note on every start of `lisa` that one command takes the place of another.
_registry_log = logging.getLogger("allennlp.common.registrable")
_level = _registry_log.level
_registry_log.setLevel(logging.WARNING)
Subcommand.register("predict", exist_ok=True)(LisaPredict)
_registry_log.setLevel(_level)
