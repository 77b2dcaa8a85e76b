"""The options of a labeller, from the arguments of the commands that label."""

import argparse
from typing import Any, Dict, Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.common.json_options import json_object

LOADING = tuple("archive_file precision device name overrides weights_file dataset_reader".split())
"""The parameters of `load_labeller` that `predict` and `annotate` set by arguments of their own."""


def labeller_options(args: argparse.Namespace, own: Sequence[str]) -> Dict[str, Any]:
    """
    The labeller's options for the arguments that are given.

    # Parameters

    own : `Sequence[str]`
        The parameters of `load_labeller` that the command sets by arguments of its own.

    # Raises

    `ConfigurationError`
        If `--predictor-args` is no JSON object or has one of these.
    """
    options = json_object("--predictor-args", args.predictor_args.strip() or "{}")
    for name in own:
        if name in options:
            raise ConfigurationError(
                f"--predictor-args: found `{name}`; expected it as an argument of the command"
            )
    if args.frames is not None:
        options["frames"] = args.frames
    if args.probabilities:
        options["probabilities"] = True
    if args.min_probability is not None:
        options["min_probability"] = args.min_probability
    return options
