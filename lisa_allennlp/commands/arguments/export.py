"""The arguments of `lisa export`."""

import argparse

from lisa_allennlp.version import VERSION

PRECISIONS = ("float32", "float16")
VECTOR_BITS = (8, 4)


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command."""
    text = "Export a trained model to a self-contained folder."
    subparser = parser.add_parser("export", description=f"{text} See docs/models.md.", help=text)
    subparser.add_argument("model", help="model.tar.gz, a folder, or a name of `lisa models`")
    subparser.add_argument("folder", help="the folder to write, new or empty")
    subparser.add_argument(
        "--license",
        required=True,
        metavar="TEXT|FILE",
        help="the licence of the weights, which the data that they were trained on may "
        "determine: a line of text, or a file to copy",
    )
    subparser.add_argument("--name", help="the model's name (default: the folder's)")
    subparser.add_argument(
        "--model-version", default=VERSION, help="the model's version (default: the package's)"
    )
    subparser.add_argument(
        "--about",
        metavar="FILE",
        help="Markdown for the model card: training data, domains, limits, credits",
    )
    subparser.add_argument(
        "--metrics",
        metavar="FILE",
        help="the scores: metrics.json of a training, or a file of `lisa evaluate "
        "--output-file` (default: metrics.json beside the archive)",
    )
    subparser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default="float32",
        help="the precision in which weights are stored (default: float32). The network always "
        "computes with its own precision",
    )
    subparser.add_argument(
        "--vector-bits",
        type=int,
        choices=VECTOR_BITS,
        help="store each value of a word vector in so many bits (default: as other weights)",
    )
    subparser.add_argument(
        "--max-words",
        type=int,
        metavar="N",
        help="keep the first N words of the vocabulary: the words of the training data, then "
        "those of the vectors' file (default: all)",
    )
    subparser.add_argument(
        "-o",
        "--overrides",
        default="",
        help="overrides of the model's config, as JSON, for the exported config: for example "
        "'{\"model.predicate_threshold\": 0.4}'",
    )
    subparser.add_argument(
        "--force", action="store_true", help="replace a folder that has an exported model"
    )
    return subparser
