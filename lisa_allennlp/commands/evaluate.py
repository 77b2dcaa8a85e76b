"""
The `evaluate` command: scores a model on a corpus and prints the scores.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from allennlp.commands.evaluate import Evaluate, evaluate_from_args
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides

from lisa_allennlp import pretrained
from lisa_allennlp.commands.arguments import evaluate as evaluate_arguments
from lisa_allennlp.commands.inputs import files_of_corpus
from lisa_allennlp.commands.outputs import check_outputs, complete_output
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.models.sentence_model import is_sentence_model

METRICS, PREDICTIONS = "--output-file", "--predictions-output-file"


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
    - Existing outputs are replaced with `--force` only, and outputs are complete or absent. Nothing
      that the command reads is overwritten.
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
    outputs = list(_outputs(args))
    _check_outputs(args, outputs)
    args.overrides = _overrides(args)
    with ExitStack() as stack:
        partial: Dict[str, List[str]] = {}
        for option, path in outputs:
            names = partial.setdefault(option, [])
            names.append(str(stack.enter_context(complete_output(path))))
        args.output_file = ",".join(partial.get(METRICS, [])) or None
        args.predictions_output_file = ",".join(partial.get(PREDICTIONS, [])) or None
        args.auto_names = "NONE"
        scores = evaluate_from_args(args)
    rows = [
        (name, f"{score:.2f}" if isinstance(score, float) else score)
        for name, score in scores.items()
    ]
    print(format_table(rows))
    return scores


def _outputs(args: argparse.Namespace) -> Iterator[Tuple[str, str]]:
    """The options and paths of all outputs: per option, one for each corpus."""
    corpora = _corpora(args.input_file)
    given = {
        METRICS: (args.output_file, "METRICS", ".outputs"),
        PREDICTIONS: (args.predictions_output_file, "PREDS", ".preds"),
    }
    for option, (names, automatic, suffix) in given.items():
        if names is None:
            continue
        if corpora is not None and args.auto_names in (automatic, "ALL"):
            paths = [str(Path(p).parent / f"{Path(p).stem}{suffix}") for p in corpora]
        else:
            paths = names.split(",")
        if corpora is not None and len(paths) != len(corpora):
            raise ConfigurationError(
                f"{option}: found {names!r}; expected {len(corpora)} name"
                f"{'s separated by commas' * (len(corpora) > 1)}, one per corpus"
            )
        yield from ((option, path) for path in paths)


def _corpora(input_file: str) -> Optional[List[str]]:
    """The corpora, or `None` for the JSON that some readers accept in place of a file name."""
    return None if input_file.startswith(("{", "[", '"')) else input_file.split(",")


def _check_outputs(args: argparse.Namespace, outputs: List[Tuple[str, str]]) -> None:
    config = archived_config(args.archive_file) if outputs else {}
    overrides = parse_overrides(args.overrides)
    inputs = [pretrained.resolve(args.archive_file), args.weights_file]
    for corpus in _corpora(args.input_file) or []:
        inputs += files_of_corpus(corpus, config, overrides)
    check_outputs(outputs, *inputs, force=args.force)


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
