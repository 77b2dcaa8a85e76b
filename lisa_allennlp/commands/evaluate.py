"""
AllenNLP's `evaluate` command with its result on standard output.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
from typing import Any, Dict

from allennlp.commands.evaluate import Evaluate, evaluate_from_args
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.models import Model

from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.models.sentence_model import SentenceModel


@takes_the_place_of("evaluate")
class LisaEvaluate(Evaluate):
    """
    `evaluate` for people:

    - the scores are printed, each on a line; AllenNLP writes them to `--output-file` only;
    - `--predictions-output-file` gets a line for each sentence in the corpus's order, as from
      `predict`; AllenNLP writes a line for each batch, in the order of the batches;
    - `--batch-size` works for models whose configuration makes batches by tokens;
    - `--mst` reports the scores of the best trees beside those of each token's best head.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = super().add_subparser(parser)
        subparser.add_argument(
            "--mst",
            action="store_true",
            help="for LISA: report mst_uas, mst_las ... as well, of the best trees with one root; "
            "uas and las are, as in the paper, of each token's best head",
        )
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
    rows = [
        (name, f"{score:.2f}" if isinstance(score, float) else score)
        for name, score in scores.items()
    ]
    print(format_table(rows))
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
    if args.mst:
        overrides["model.report_mst"] = True
    if args.predictions_output_file is None and args.batch_size is None:
        return overrides
    config = archived_config(args.archive_file)
    loader = "validation_data_loader" if config.get("validation_data_loader") else "data_loader"
    if args.predictions_output_file is not None and _labels_sentences(config):
        overrides.setdefault("evaluation", {"type": "corpus_order"})
        # The evaluator finds the corpus's order by the instances that the loader holds.
        kept = {"num_workers": 0, "max_instances_in_memory": None}
        names = kept.keys() & config.get(loader, {}).keys()
        overrides.update({f"{loader}.{name}": kept[name] for name in names})
    if args.batch_size is not None:
        if args.batch_size < 1:
            raise ConfigurationError(f"--batch-size is {args.batch_size}; expected 1 or more")
        if "batch_sampler" in config.get(loader, {}):
            overrides[f"{loader}.batch_sampler"] = None
    return overrides


def _labels_sentences(config: Dict[str, Any]) -> bool:
    """Whether the model is one of this package's, whose output has labelled sentences."""
    model_class, _ = Model.resolve_class_name(config["model"]["type"])
    return issubclass(model_class, SentenceModel)
