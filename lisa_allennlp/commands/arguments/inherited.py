"""
The options that several of AllenNLP's commands have. They are defined here because AllenNLP's own
definitions cannot be read without importing PyTorch. A test compares them.
"""

import argparse


def add_archive_file(parser: argparse.ArgumentParser) -> None:
    """Adds the model, as the first argument."""
    parser.add_argument(
        "archive_file",
        help="the model: model.tar.gz, a folder, or a name that `lisa models` lists",
    )


def add_overrides(parser: argparse.ArgumentParser, example: str) -> None:
    """Adds `--overrides`, with an example for the help."""
    parser.add_argument(
        "-o",
        "--overrides",
        default="",
        help="overrides of the config, as JSON or Jsonnet with nested or dotted keys, for example "
        f"'{example}'",
    )


def add_cuda_device(parser: argparse.ArgumentParser) -> None:
    """Adds `--cuda-device`."""
    parser.add_argument(
        "--cuda-device", type=int, default=-1, help="number of the GPU to use, -1 for the CPU"
    )


def add_weights_file(parser: argparse.ArgumentParser) -> None:
    """Adds `--weights-file`."""
    parser.add_argument("--weights-file", help="other weights to use with the model's config")


def add_file_friendly_logging(parser: argparse.ArgumentParser) -> None:
    """Adds `--file-friendly-logging`."""
    parser.add_argument(
        "--file-friendly-logging",
        action="store_true",
        help="show progress in separate lines, and less often",
    )
