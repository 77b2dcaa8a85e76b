"""The arguments of `lisa annotate`."""

import argparse

from lisa_allennlp import pretrained
from lisa_allennlp.annotation.formats import FORMATS, ID_COLUMN, OUTPUT_FORMATS
from lisa_allennlp.commands.arguments.inherited import add_overrides, add_weights_file
from lisa_allennlp.commands.arguments.predict import PRECISIONS
from lisa_allennlp.commands.lisa_options import add_lisa_options

ROWS_PER_SHARD = 10_000


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Label corpora of any size, in shards. An interrupted run continues."
    subparser = parser.add_parser("annotate", description=text, help=text)
    _add_input_options(subparser)
    _add_model_options(subparser)
    _add_output_options(subparser)
    _add_engine_options(subparser)
    return subparser


def _add_input_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="a file, or a folder for all files below it"
    )
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in FORMATS.items())
    parser.add_argument(
        "--input-format",
        choices=list(FORMATS),
        help=f"{meanings} (default: parquet for names that end in .parquet, text for .txt and "
        ".txt.gz, otherwise json)",
    )
    parser.add_argument(
        "--text-column",
        metavar="NAME",
        help="the column with the text of documents (default: text, sentence or tokens)",
    )
    parser.add_argument(
        "--id-column",
        metavar="NAME",
        default=ID_COLUMN,
        help="the column with the ids (default: %(default)s). Rows without one get FILE:ROW",
    )
    parser.add_argument(
        "--keep",
        nargs="*",
        metavar="COLUMN",
        help="the other columns to copy to the output (default: all)",
    )


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        default=pretrained.DEFAULT,
        help="an archive, an exported folder, or a model of the package (default: %(default)s)",
    )
    add_weights_file(parser)
    add_overrides(parser, '{"model.predicate_threshold": 0.4}')
    parser.add_argument(
        "--predictor-args", default="{}", metavar="JSON", help="options of the labeller"
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        help="the precision of the network's matrix products (default: the model's)",
    )
    add_lisa_options(parser)


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        required=True,
        metavar="DIR",
        help="the folder of the shards. The same command continues what it finds there",
    )
    parser.add_argument(
        "--format",
        choices=list(OUTPUT_FORMATS),
        default="jsonl",
        help="the format of the shards (default: %(default)s); parquet needs pyarrow",
    )
    parser.add_argument(
        "--rows-per-shard",
        type=int,
        default=ROWS_PER_SHARD,
        metavar="N",
        help="(default: %(default)s)",
    )
    parser.add_argument(
        "--force", action="store_true", help="remove the shards of earlier runs and start anew"
    )
    parser.add_argument("--plan", action="store_true", help="write the manifest and stop")
    parser.add_argument(
        "--check",
        action="store_true",
        help="only count the rows of the shards and say whether all are there; the exit status "
        "is 1 if not",
    )


def _add_engine_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="the number of processes, or of Ray's workers, with one thread each (default: the "
        "number of cores)",
    )
    parser.add_argument(
        "--cuda-device",
        metavar="N,N",
        help="the numbers of GPUs, for one process each (default: the CPU)",
    )
    parser.add_argument(
        "--address",
        help="label on a Ray cluster: auto, local or the cluster's address. All machines must "
        "share the file system",
    )
    parser.add_argument(
        "--shard",
        metavar="K/N",
        help="label only the K-th of N parts (1/N to N/N), for other schedulers",
    )
