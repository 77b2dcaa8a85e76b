"""
The `train` command: trains a model from a config, from the beginning or from a trained model.

```
lisa train lisa_small -s out/sample
lisa train lisa_small --from english -s out/mine
```
"""

import argparse
import json
from pathlib import Path

from allennlp.commands.train import Train, train_model_from_args
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import train as train_arguments
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.log_files import raised_log_errors
from lisa_allennlp.common.progress_line import LINE
from lisa_allennlp.training.output_folder import clear_unfinished, describe, has_weights
from lisa_allennlp.training.recoverable_trainer import check_num_epochs
from lisa_allennlp.training.recovery import NUM_EPOCHS, prepare_recovery
from lisa_allennlp.training.watching import watched


@takes_the_place_of("train")
class LisaTrain(Train):
    """
    AllenNLP's `train` command with these changes:

    - It shows the progress and a table of the epochs instead of bars and the log, which is in
      `out.log`, and ends with a summary instead of the metrics.
    - `--from` starts from the weights of a trained model.
    - A folder without weights, which a failed training has left, is used again.
    - `--recover` accepts another number of epochs, and a training that was killed at its start.
    - A full disk ends the training also if only the log is affected.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = train_arguments.add_parser(parser)
        subparser.set_defaults(func=train)
        return subparser


def train(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If there is no model at `--from`, `trainer.num_epochs` is not positive, the output folder
        has another training, or the config of a training to recover has changed.
    """
    if args.continue_from is not None:
        _continue_from(args)
    params = Params.from_file(args.param_path, args.overrides)
    check_num_epochs(params.as_flat_dict().get(NUM_EPOCHS, 1))
    distributed = params.get("distributed")
    if distributed is not None:
        _check_node(args.node_rank, distributed.get("num_nodes", 1))
    if args.recover and not args.force:
        prepare_recovery(params, Path(args.serialization_dir))
        exists = Path(args.serialization_dir).is_dir()
        if distributed is not None and exists and not has_weights(args.serialization_dir):
            # AllenNLP would read the vocabulary, which may not have been written to its end.
            args.recover = False
    if not (args.recover or args.force):
        clear_unfinished(args.serialization_dir)
    with watched(), raised_log_errors():
        LINE.show("reading the data")
        train_model_from_args(args)
    for line in describe(Path(args.serialization_dir), args.dry_run):
        print(line)


def _check_node(number: int, nodes: int) -> None:
    if not 0 <= number < nodes:
        raise ConfigurationError(
            f"--node-rank: found {number}; expected a number from 0 to {nodes - 1}, since "
            f"distributed.num_nodes is {nodes}"
        )


def _continue_from(args: argparse.Namespace) -> None:
    path = pretrained.resolve(args.continue_from)
    if "://" not in path and not pretrained.is_model_file(path):
        raise ConfigurationError(
            f"--from: found no model at {path}; expected a model.tar.gz, a folder with a "
            "trained model, or one of the names that `lisa models` lists"
        )
    changes = {"type": "continued", "continue_from": args.continue_from}
    args.overrides = json.dumps({**parse_overrides(args.overrides), **changes})
