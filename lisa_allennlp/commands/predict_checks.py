"""
What `lisa predict` checks of its options before it opens a model.

    >>> check_processes(2, cuda_device=0)
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: --processes is 2; expected 1 with --cuda-device, ...
"""

import argparse
import os
from typing import Any, Dict, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.predictors import Predictor

from lisa_allennlp import pretrained
from lisa_allennlp.commands.inputs import files_of_corpus, files_of_options
from lisa_allennlp.commands.outputs import check_output, is_stream, print_notes
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.labelling.processes import at_most_the_cores
from lisa_allennlp.predictors.sentence_predictor import SentencePredictor

STANDARD_INPUT = "-"


def check_output_file(args: argparse.Namespace, config: Dict[str, Any]) -> None:
    """
    # Parameters

    config : `Dict[str, Any]`
        The archived config.

    # Raises

    `ConfigurationError`
        If the output file is one that the command reads, exists without `--force` or `--resume`, or
        cannot be resumed.
    """
    if args.resume and args.force:
        raise ConfigurationError("--resume: found --force too; expected one of them")
    if args.resume and (not args.output_file or is_stream(args.output_file)):
        raise ConfigurationError(
            f"--resume: found {args.output_file or 'no --output-file'}; expected a file to continue"
        )
    source = "/dev/stdin" if args.input_file == STANDARD_INPUT else args.input_file
    overrides = parse_overrides(args.overrides)
    inputs = files_of_corpus(source, config, overrides) if args.use_dataset_reader else [source]
    check_output(
        "--output-file",
        args.output_file,
        *inputs,
        pretrained.resolve(args.archive_file),
        args.weights_file,
        args.frames or os.environ.get("LISA_FRAMES"),
        *files_of_options(json_object("--predictor-args", args.predictor_args.strip() or "{}")),
        force=args.force or args.resume,
        can_resume=True,
    )


def check_only_allennlps_options(args: argparse.Namespace) -> None:
    """
    # Raises

    `ConfigurationError`
        If an option is used that only models of this package have.
    """
    own = {
        "--skip-bad-lines": args.skip_bad_lines,
        "--processes": args.processes is not None,
        "--input-format": args.input_format is not None,
        "--precision": args.precision is not None,
        "--beta": args.beta is not None,
        "--frames": args.frames is not None,
        "--probabilities": args.probabilities,
        "--min-probability": args.min_probability is not None,
        "--resume": args.resume,
    }
    for option, is_used in own.items():
        if is_used:
            raise ConfigurationError(
                f"{option}: {args.archive_file} is another package's model; expected a model of "
                "lisa-allennlp"
            )


def check_processes(number: Optional[int], cuda_device: int) -> Optional[int]:
    """
    # Returns

    `Optional[int]`
        The number of processes to use: at most that of the available cores, which a note says.

    # Raises

    `ConfigurationError`
        If there are no processes, or several on a GPU.
    """
    if number is None:
        return None
    if number < 1:
        raise ConfigurationError(f"--processes is {number}; expected 1 or more")
    if number > 1 and cuda_device >= 0:
        raise ConfigurationError(
            f"--processes is {number}; expected 1 with --cuda-device, since processes cannot share "
            "a GPU"
        )
    return usable_processes(number)


def usable_processes(number: int) -> int:
    """The number of processes, or of available cores if these are fewer, which a note says."""
    usable = at_most_the_cores(number)
    if usable < number:
        print_notes([f"--processes is {number}; using {usable}, the number of available cores"])
    return usable


def check_output_format(args: argparse.Namespace, is_json: bool) -> None:
    """
    # Raises

    `ConfigurationError`
        If the answers are not in JSON, which `--skip-bad-lines` and `--resume` need, or bad lines
        are to be skipped in a corpus.
    """
    if args.skip_bad_lines and args.use_dataset_reader:
        raise ConfigurationError(
            "--skip-bad-lines: found --use-dataset-reader; expected lines of JSON as input"
        )
    needs = {
        "--skip-bad-lines": (args.skip_bad_lines, "the format of the error records"),
        "--resume": (args.resume, "which has an answer per line"),
    }
    for option, (is_used, reason) in needs.items():
        if is_used and not is_json:
            raise ConfigurationError(
                f"{option}: found another output_format; expected 'json', {reason}"
            )


def check_predictor_of_another_package(args: argparse.Namespace) -> None:
    """
    # Raises

    `ConfigurationError`
        If the predictor for another package's model is none, or one of this package.
    """
    if not args.predictor:
        return
    predictor: Any = Predictor.by_name(args.predictor)
    is_predictor = isinstance(predictor, type) and issubclass(predictor, Predictor)
    if not is_predictor or issubclass(predictor, SentencePredictor):
        raise ConfigurationError(
            f"--predictor is '{args.predictor}', but {args.archive_file} is another package's "
            "model; expected a predictor of that package"
        )
