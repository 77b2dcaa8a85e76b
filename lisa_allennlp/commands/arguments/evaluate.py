"""The arguments of `lisa evaluate`: those of AllenNLP's command, `--mst` and `--force`."""

import argparse

from lisa_allennlp.commands.arguments import add_force
from lisa_allennlp.commands.arguments.inherited import (
    add_archive_file,
    add_cuda_device,
    add_file_friendly_logging,
    add_overrides,
    add_weights_file,
)


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    subparser = parser.add_parser(
        "evaluate",
        description="Score a trained model on one or more annotated corpora.",
        help="Score a trained model on an annotated corpus.",
    )
    _add_inherited(subparser)
    subparser.add_argument(
        "--mst",
        action="store_true",
        help="for LISA: also report mst_uas, mst_las ... for the best trees with a single "
        "root. As in the paper, uas and las score the best head of each token",
    )
    add_force(subparser)
    return subparser


def _add_inherited(subparser: argparse.ArgumentParser) -> None:
    add_archive_file(subparser)
    subparser.add_argument("input_file", help="the corpus; several, separated by commas")
    subparser.add_argument(
        "--output-file", help="a file to write the scores to, as JSON; one per corpus"
    )
    subparser.add_argument(
        "--predictions-output-file",
        help="a file to write the predictions to, as JSON lines; one per corpus",
    )
    add_weights_file(subparser)
    add_cuda_device(subparser)
    add_overrides(subparser, '{"model.precision": "bfloat16"}')
    subparser.add_argument(
        "--batch-size", type=int, help="the number of sentences per batch (default: the config's)"
    )
    subparser.add_argument(
        "--batch-weight-key", default="", help="the metric that weights the loss of each batch"
    )
    subparser.add_argument(
        "--extend-vocab",
        action="store_true",
        help="extend the vocabulary by the words of the corpus. If the words of the model have "
        "pretrained vectors, this may need --embedding-sources-mapping too",
    )
    subparser.add_argument(
        "--embedding-sources-mapping",
        default="",
        help="the files of the pretrained vectors by the path of their embedding, as a JSON "
        "object (default: the files used in training)",
    )
    add_file_friendly_logging(subparser)
    subparser.add_argument(
        "--auto-names",
        default="NONE",
        choices=["NONE", "METRICS", "PREDS", "ALL"],
        help="name the output files after the corpora: that of the scores, of the predictions, "
        "or both",
    )
