"""
AllenNLP's `evaluate` command with its result on standard output.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
from typing import Any, Dict, List

from allennlp.commands.evaluate import Evaluate, evaluate_from_args
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides

from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config


@takes_the_place_of("evaluate")
class LisaEvaluate(Evaluate):
    """
    `evaluate` for people:

    - the scores are printed, one a line; AllenNLP writes them to `--output-file` only;
    - `--predictions-output-file` gets a line for each sentence, as from `predict`; AllenNLP writes
      one for each batch;
    - `--batch-size` works for models whose configuration makes batches by tokens.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = super().add_subparser(parser)
        subparser.set_defaults(func=evaluate)
        return subparser


def evaluate(args: argparse.Namespace) -> Dict[str, Any]:
    """
    # Parameters

    args : `argparse.Namespace`
        The arguments of the command.

    # Returns

    `Dict[str, Any]`
        The scores by name; of several corpora, with the file's name before.

    # Raises

    `ConfigurationError`
        If options do not fit together.
    """
    _check_outputs(args)
    args.overrides = _overrides(args)
    scores = evaluate_from_args(args)
    print("\n".join(_lines(scores)))
    return scores


def _check_outputs(args: argparse.Namespace) -> None:
    if args.input_file.startswith(("{", "[", '"')):
        # What some readers take in the place of a file's name; AllenNLP splits it as JSON.
        return
    inputs = args.input_file.split(",")
    outputs = {
        "--output-file": (args.output_file, "METRICS"),
        "--predictions-output-file": (args.predictions_output_file, "PREDS"),
    }
    for option, (names, automatic) in outputs.items():
        if names is None or args.auto_names in (automatic, "ALL"):
            continue
        if len(names.split(",")) != len(inputs):
            raise ConfigurationError(
                f"{option}: found {names!r}; expected {len(inputs)} name"
                f"{'s with commas between them' * (len(inputs) > 1)}, one for each corpus"
            )


def _overrides(args: argparse.Namespace) -> Dict[str, Any]:
    """The overrides, with those that other options stand for."""
    overrides: Dict[str, Any] = dict(parse_overrides(args.overrides))
    if args.predictions_output_file is None and args.batch_size is None:
        return overrides
    config = archived_config(args.archive_file)
    if args.predictions_output_file is not None and "evaluation" not in config:
        overrides.setdefault("evaluation", {"batch_serializer": {"type": "labelled_sentences"}})
    if args.batch_size is not None:
        if args.batch_size < 1:
            raise ConfigurationError(f"--batch-size is {args.batch_size}; expected 1 or more")
        loader = "validation_data_loader" if config.get("validation_data_loader") else "data_loader"
        if "batch_sampler" in config.get(loader, {}):
            overrides[f"{loader}.batch_sampler"] = None
    return overrides


def _lines(scores: Dict[str, Any]) -> List[str]:
    width = max(map(len, scores), default=0)
    return [
        f"{name:<{width}}  {value:.2f}" if isinstance(value, float) else f"{name:<{width}}  {value}"
        for name, value in scores.items()
    ]
