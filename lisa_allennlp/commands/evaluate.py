"""
The `evaluate` command: scores a model on a corpus and prints the scores.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
from typing import Any, Dict

import allennlp.commands.evaluate
from allennlp.commands.evaluate import Evaluate, evaluate_from_args
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides

from lisa_allennlp.commands.arguments import evaluate as evaluate_arguments
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.sentence_model import is_sentence_model

# AllenNLP's function calls it by this name.
allennlp.commands.evaluate.load_archive = open_archive


@takes_the_place_of("evaluate")
class LisaEvaluate(Evaluate):
    """
    AllenNLP's `evaluate` command with these changes:

    - It prints one score per line. AllenNLP writes scores only to `--output-file`.
    - It writes one line per sentence to `--predictions-output-file`, in the order of the corpus, as
      `predict` does. AllenNLP writes one line per batch, in the order of the batches.
    - `--batch-size` also works for configs with batches by tokens.
    - `--mst` also reports the scores of the best trees.
    - It opens exported folders too, and the models of the package by their names.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = evaluate_arguments.add_parser(parser)
        subparser.set_defaults(func=evaluate)
        return subparser


def evaluate(args: argparse.Namespace) -> Dict[str, Any]:
    """
    Runs the command.

    # Returns

    `Dict[str, Any]`
        The scores by name. With several corpora, names begin with the name of the file.

    # Raises

    `ConfigurationError`
        If options contradict each other.
    """
    _check_outputs(args)
    args.overrides = _overrides(args)
    scores = evaluate_from_args(args)
    rows = [
        (name, f"{score:.2f}" if isinstance(score, float) else score)
        for name, score in scores.items()
    ]
    print(format_table(rows))
    return scores


def _check_outputs(args: argparse.Namespace) -> None:
    if args.input_file.startswith(("{", "[", '"')):
        # Some readers accept JSON in place of a file name, which AllenNLP splits itself.
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
                f"{'s separated by commas' * (len(inputs) > 1)}, one per corpus"
            )


def _overrides(args: argparse.Namespace) -> Dict[str, Any]:
    """The overrides, including those of `--mst`, `--batch-size` and `--predictions-output-file`."""
    overrides: Dict[str, Any] = dict(parse_overrides(args.overrides))
    if args.mst:
        overrides["model.report_mst"] = True
    if args.predictions_output_file is None and args.batch_size is None:
        return overrides
    config = archived_config(args.archive_file)
    loader = "validation_data_loader" if config.get("validation_data_loader") else "data_loader"
    if args.predictions_output_file is not None and is_sentence_model(config):
        overrides.setdefault("evaluation", {"type": "corpus_order"})
        # The evaluator reads the order of the corpus from the instances that the loader keeps.
        kept = {"num_workers": 0, "max_instances_in_memory": None}
        names = kept.keys() & config.get(loader, {}).keys()
        overrides.update({f"{loader}.{name}": kept[name] for name in names})
    if args.batch_size is not None:
        if args.batch_size < 1:
            raise ConfigurationError(f"--batch-size is {args.batch_size}; expected 1 or more")
        if "batch_sampler" in config.get(loader, {}):
            overrides[f"{loader}.batch_sampler"] = None
    return overrides
