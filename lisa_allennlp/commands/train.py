"""
The `train` command: trains a model from a config, from the beginning or from a trained model.

```
lisa train training_configs/lisa_small.jsonnet --from english -s out/mine
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
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.log_files import raised_log_errors
from lisa_allennlp.training.recoverable_trainer import check_num_epochs
from lisa_allennlp.training.recovery import prepare_recovery


@takes_the_place_of("train")
class LisaTrain(Train):
    """AllenNLP's `train` command with `--from`."""

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = super().add_subparser(parser)
        subparser.add_argument(
            "--from",
            dest="continue_from",
            metavar="MODEL",
            help="start from the weights of this model (model.tar.gz, a folder, or a name that "
            "`lisa models` lists) and extend its vocabulary by the labels and words of the corpus. "
            'The config must have the same network. Short for -o \'{"type": "continued", '
            '"continue_from": MODEL}\'',
        )
        subparser.set_defaults(func=train)
        return subparser


def train(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If there is no model at `--from`, `trainer.num_epochs` is not positive, or the config of a
        training to recover has changed.
    """
    if args.continue_from is not None:
        path = pretrained.resolve(args.continue_from)
        if "://" not in path and not pretrained.is_model_file(path):
            raise ConfigurationError(
                f"--from: found no model at {path}; expected a model.tar.gz, a folder with a "
                "trained model, or one of the names that `lisa models` lists"
            )
        changes = {"type": "continued", "continue_from": args.continue_from}
        args.overrides = json.dumps({**parse_overrides(args.overrides), **changes})
    params = Params.from_file(args.param_path, args.overrides)
    check_num_epochs(params.get("trainer", {}).get("num_epochs", 1))
    if args.recover and not args.force:
        prepare_recovery(params, Path(args.serialization_dir))
    with raised_log_errors():
        train_model_from_args(args)
