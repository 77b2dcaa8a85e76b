"""
`lisa evaluate`: scores a model on a corpus and prints the scores.

```
lisa evaluate out/sample/model.tar.gz fixtures/sample/test.gold_conll
```
"""

import argparse
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, write_output
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from allennlp.models.archival import Archive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Of several corpora, separated by commas, each has an output file of its own."
    parser.add_argument("archive_file", metavar="MODEL", help=options.MODEL_HELP)
    parser.add_argument("input_file", metavar="CORPUS", help="the annotated corpus")
    parser.add_argument("--output-file", metavar="FILE", help="write the scores to it, as JSON")
    text = "write the predictions to it, as `lisa predict` does"
    parser.add_argument("--predictions-output-file", metavar="FILE", help=text)
    options.add_force(parser)
    options.add_model_options(parser)
    options.add_cuda_device(parser)
    text = "the number of sentences per batch (default: the config's)"
    parser.add_argument("--batch-size", type=options.at_least(1), help=text)
    parser.add_argument(
        "--mst",
        action="store_true",
        help="for LISA: also report mst_uas, mst_las ... for the best trees with a single root. As "
        "in the paper, uas and las score the best head of each token",
    )


def run(args: argparse.Namespace) -> None:
    """Prints a score per line. With several corpora, names begin with the name of the file."""
    corpora = args.input_file.split(",")
    outputs = _outputs(args, "--output-file", args.output_file, corpora)
    predictions = _outputs(args, "--predictions-output-file", args.predictions_output_file, corpora)
    if not sys.stderr.isatty():
        # Before tqdm is imported: in a log, its bar would be a line per batch.
        os.environ.setdefault("TQDM_DISABLE", "1")
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp(args.include_package)
    from allennlp.common.params import parse_overrides
    from allennlp.common.util import prepare_environment

    from lisa_allennlp.archival.opening import open_archive
    from lisa_allennlp.common.tables import format_table

    overrides = parse_overrides(args.overrides)
    if args.mst:
        overrides["model.report_mst"] = True
    archive = open_archive(
        args.archive_file, args.cuda_device, overrides, args.weights_file, args.allow_type
    )
    archive.model.eval()
    prepare_environment(archive.config.duplicate())
    rows = []
    for corpus, output, predicted in zip(corpora, outputs, predictions, strict=True):
        scores = _evaluate(args, archive, corpus, predicted)
        if output is not None:
            write_output(output, json.dumps(scores, indent=2) + "\n")
        prefix = f"{Path(corpus).stem}_" if len(corpora) > 1 else ""
        for name, score in scores.items():
            rows.append((prefix + name, f"{score:.2f}" if isinstance(score, float) else score))
    print(format_table(rows))


def _outputs(
    args: argparse.Namespace, option: str, names: Optional[str], corpora: List[str]
) -> List[Optional[str]]:
    """The files that an option names, one for each corpus."""
    if names is None:
        return [None] * len(corpora)
    paths = names.split(",")
    if len(paths) != len(corpora):
        raise ConfigurationError(f"{option}: found {names!r}; expected {len(corpora)} names")
    for path in paths:
        check_output(option, path, args.archive_file, *corpora, force=args.force)
    return [*paths]


def _evaluate(
    args: argparse.Namespace, archive: "Archive", corpus: str, predicted: Optional[str]
) -> Dict[str, Any]:
    """The scores on a corpus. Predictions are written in its order."""
    from allennlp.common import Params
    from allennlp.data import DataLoader
    from allennlp.evaluation import Evaluator

    from lisa_allennlp.models.sentence_model import SentenceModel

    config = archive.config.duplicate()
    loader = config.get("validation_data_loader") or config["data_loader"]
    if args.batch_size is not None:
        loader.pop("batch_sampler", None)
        loader["batch_size"] = args.batch_size
    evaluation = {**(config.get("evaluation") or {}), "cuda_device": args.cuda_device}
    if predicted is not None and isinstance(archive.model, SentenceModel):
        evaluation["type"] = "corpus_order"
        # The evaluator reads the order of the corpus from the instances that the loader keeps.
        for name in ("num_workers", "max_instances_in_memory"):
            loader.pop(name, None)
    evaluator = Evaluator.from_params(Params(evaluation))
    reader = archive.validation_dataset_reader
    data_loader = DataLoader.from_params(loader, reader=reader, data_path=corpus)
    data_loader.index_with(archive.model.vocab)
    with nullcontext() if predicted is None else complete_file(predicted) as partial:
        return evaluator(archive.model, data_loader, predictions_output_file=partial)
