"""
The `label` command: prints what a trained model sees in raw sentences, for people to read.

```
lisa label out/sample/model.tar.gz "The cat that I saw had slept ."
```
"""

import argparse
import os
import shlex
import sys
from typing import Any, Dict, List, Sequence

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from allennlp.models.archival import load_archive
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.formats.roles import bio_to_brackets


@Subcommand.register("label")
class Label(Subcommand):
    """
    Labels sentences given as arguments, or one a line on the standard input.
    """

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        text = "Label sentences with a trained model and print them as tables."
        subparser = parser.add_parser(
            self.name,
            description=f"{text} For JSON, use the predict command.",
            help=text,
        )
        subparser.add_argument(
            "archive_file", type=str, help="the trained model: model.tar.gz or its training folder"
        )
        subparser.add_argument(
            "sentences",
            type=str,
            nargs="*",
            metavar="sentence",
            help="a sentence of raw text; with none, every line of the standard input is one",
        )
        subparser.add_argument(
            "--cuda-device", type=int, default=-1, help="id of the GPU to use, -1 for the CPU"
        )
        subparser.set_defaults(func=label)
        return subparser


def label(args: argparse.Namespace) -> None:
    """
    Prints one table a sentence.

    # Raises

    `ConfigurationError`
        If a file is named where a sentence is expected.
    """
    for sentence in args.sentences:
        if os.path.isfile(sentence):
            raise ConfigurationError(
                f"found the file {sentence}; expected a sentence. To label a file's lines: "
                f"lisa label {shlex.quote(args.archive_file)} < {shlex.quote(sentence)}"
            )
    check_for_gpu(args.cuda_device)
    archive = load_archive(args.archive_file, cuda_device=args.cuda_device)
    predictor = Predictor.from_archive(archive, "lisa")
    for sentence in args.sentences or sys.stdin:
        print(format_prediction(predictor.predict_json({"sentence": sentence})), flush=True)
        print()


def format_prediction(prediction: Dict[str, Any]) -> str:
    """
    A table of one sentence: a line a token, then a column for the roles of each predicate, in the
    brackets of the CoNLL shared tasks.

    # Parameters

    prediction : `Dict[str, Any]`
        The output of the `lisa` predictor. What the model does not predict may be missing.

    # Returns

    `str`
        Lines without a line break at the end.
    """
    words = prediction["words"]
    if not words:
        return "(an empty sentence)"
    columns = [["", *map(str, range(1, len(words) + 1))], ["word", *words]]
    for heading, key in (
        ("POS", "pos"),
        ("head", "predicted_heads"),
        ("relation", "predicted_dependencies"),
    ):
        if key in prediction:
            columns.append([heading, *map(str, prediction[key])])
    for verb in prediction["verbs"]:
        columns.append([verb["verb"], *bio_to_brackets(verb["tags"])])
    table = _align(columns)
    return table if prediction["verbs"] else f"{table}\n(no predicate found)"


def _align(columns: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in columns]
    lines: List[str] = []
    for row in zip(*columns, strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
