"""
The arguments of `lisa predict`: those of AllenNLP's command, and the package's own.
"""

import argparse

from lisa_allennlp.commands.arguments import add_force
from lisa_allennlp.commands.arguments.inherited import (
    add_archive_file,
    add_cuda_device,
    add_file_friendly_logging,
    add_overrides,
    add_weights_file,
)
from lisa_allennlp.commands.lisa_options import add_lisa_options
from lisa_allennlp.labelling.input_formats import INPUT_FORMATS

GROUP_SIZE = 1000
PRECISIONS = ("float32", "bfloat16")


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    subparser = parser.add_parser(
        "predict",
        description="Label the lines of a file, or a corpus, with a trained model.",
        help="Label files with a trained model, as JSON or CoNLL.",
    )
    _add_inherited(subparser)
    _add_own(subparser)
    return subparser


def _add_inherited(subparser: argparse.ArgumentParser) -> None:
    add_archive_file(subparser)
    subparser.add_argument("input_file", help="the file or URL to read, or - for standard input")
    subparser.add_argument("--output-file", help="the file to write")
    add_weights_file(subparser)
    subparser.add_argument(
        "--batch-size",
        type=int,
        default=GROUP_SIZE,
        help="the number of lines to read before they are labelled together; with 1, the result "
        "of each line comes before the next line is read",
    )
    subparser.add_argument(
        "--silent", action="store_true", help="do not print the results; needs --output-file"
    )
    add_cuda_device(subparser)
    subparser.add_argument(
        "--use-dataset-reader",
        action="store_true",
        help="read the input as a corpus, with the model's dataset reader",
    )
    subparser.add_argument(
        "--dataset-reader-choice",
        choices=["train", "validation"],
        default="validation",
        help="which dataset reader of the model reads the corpus",
    )
    subparser.add_argument(
        "--multitask-head", help="for AllenNLP's multitask models: the name of the model's head"
    )
    add_overrides(subparser, '{"model.precision": "bfloat16"}')
    subparser.add_argument("--predictor", help="the registered name of another predictor")
    subparser.add_argument(
        "--predictor-args", default="", help="options of the predictor, as a JSON object"
    )
    add_file_friendly_logging(subparser)


def _add_own(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "--skip-bad-lines",
        action="store_true",
        help='write {"line": NUMBER, "error": MESSAGE} for an invalid line and continue; the '
        "exit status is still 1. Without this option the command stops at an invalid line, "
        "after the results of all lines before it",
    )
    subparser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="label N groups of --batch-size lines in parallel, in processes with one thread "
        "each. For large files on a CPU, the number of cores is fastest. Every process needs "
        "additional memory. One process uses one thread per core",
    )
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in INPUT_FORMATS.items())
    subparser.add_argument(
        "--input-format",
        choices=list(INPUT_FORMATS),
        help=f"{meanings} (default: text for names that end in .txt, otherwise json)",
    )
    subparser.add_argument(
        "--precision",
        choices=PRECISIONS,
        help="the precision of the network's matrix products (default: the model's), short for "
        "-o '{\"model.precision\": ...}'. With bfloat16, small batches stay in single precision, "
        "so that a few labels depend on --batch-size",
    )
    subparser.add_argument(
        "--beta",
        type=float,
        help="for supertaggers: write all categories with a probability of at least this "
        "factor times the best one's (short for the predictor argument `beta`)",
    )
    add_lisa_options(subparser)
    add_force(subparser)
    subparser.add_argument(
        "--resume",
        action="store_true",
        help="continue the output file of an interrupted run of the same command, after its "
        "last complete line; the result is that of an uninterrupted run. For answers in JSON",
    )
