"""
The `annotate` command: labels corpora of any size, in shards, and continues interrupted runs.

```
lisa annotate corpus/*.jsonl.gz --output labelled --model english
```
"""

import argparse
import re
from typing import List, Optional, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp import pretrained
from lisa_allennlp.annotation.input_files import FORMATS
from lisa_allennlp.annotation.model_options import ModelOptions
from lisa_allennlp.annotation.output_folder import OutputFolder
from lisa_allennlp.annotation.output_formats import OUTPUT_FORMATS
from lisa_allennlp.annotation.planning import Asked
from lisa_allennlp.annotation.rows import RowOptions
from lisa_allennlp.annotation.run import Engine, Run
from lisa_allennlp.commands.lisa_options import add_lisa_options, lisa_options
from lisa_allennlp.commands.outputs import print_notes
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.nn.precision import PRECISIONS

ROWS_PER_SHARD = 10_000


@Subcommand.register("annotate")
class Annotate(Subcommand):
    """Labels files of any size, and writes shards of JSON lines or Parquet."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        text = "Label corpora of any size, in shards. An interrupted run continues."
        subparser = parser.add_parser(self.name, description=text, help=text)
        _add_input_options(subparser)
        _add_model_options(subparser)
        _add_output_options(subparser)
        _add_engine_options(subparser)
        subparser.set_defaults(func=annotate)
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
        default=RowOptions().id_column,
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
    parser.add_argument("--weights-file", metavar="FILE", help="other weights for an archive")
    parser.add_argument("-o", "--overrides", default="", help="overrides of the model's config")
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


def annotate(args: argparse.Namespace) -> None:
    """Runs the command."""
    asked = _asked(args)
    part = parse_part(args.shard)
    engine = _engine(args)
    folder = OutputFolder(args.output)
    if folder.path.exists() and not folder.path.is_dir():
        raise ConfigurationError(f"--output: found the file {folder.path}; expected a folder")
    if args.check and not folder.manifest.exists():
        raise ConfigurationError(f"--check: found no {folder.manifest}; expected an earlier run")
    if args.force:
        folder.clear()
    run = Run(asked, folder)
    if args.plan:
        print(f"annotate: {run.plan.rows:,} rows in {len(run.plan.shards):,} shards planned")
        return
    if not args.check:
        print(f"annotate: {run.label(engine, part)}")
    state = run.finish(reads_shards=args.check)
    print(f"annotate: {state.line}")
    if args.check and not state.is_complete:
        raise ConfigurationError(f"{args.output}: found missing shards; expected all of them")


def _asked(args: argparse.Namespace) -> Asked:
    if args.rows_per_shard < 1:
        raise ConfigurationError(f"--rows-per-shard is {args.rows_per_shard}; expected 1 or more")
    for option, given in {
        "--plan": args.plan,
        "--force": args.force,
        "--shard": args.shard,
    }.items():
        if args.check and given:
            raise ConfigurationError(f"--check: found {option} too; expected one of them")
    if args.force and args.shard:
        raise ConfigurationError(
            "--force: found --shard too; expected one of them, since the other parts would be lost"
        )
    options = {**json_object("--predictor-args", args.predictor_args), **lisa_options(args)}
    model = ModelOptions(args.model, args.precision, args.overrides, args.weights_file, options)
    rows = RowOptions(args.text_column, args.id_column, args.keep)
    return Asked(args.inputs, args.input_format, model, rows, args.format, args.rows_per_shard)


def parse_part(text: Optional[str]) -> Optional[Tuple[int, int]]:
    """
    The value of `--shard`: `(3, 64)` for `3/64`.

    # Raises

    `ConfigurationError`
        If it is not of this form.
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise ConfigurationError(f"--shard: found {text}; expected K/N, from 1/N to N/N")
    return int(match[1]), int(match[2])


def _engine(args: argparse.Namespace) -> Engine:
    if args.processes is not None and args.processes < 1:
        raise ConfigurationError(f"--processes is {args.processes}; expected 1 or more")
    if args.address is not None:
        if args.cuda_device is not None or args.shard is not None:
            raise ConfigurationError(
                "--address: found --cuda-device or --shard too; expected one of them"
            )
        return Engine([], args.address, args.processes, args.include_package)
    if args.cuda_device is None:
        cores = available_cores()
        if (args.processes or 1) > cores:
            print_notes([f"--processes is {args.processes}; using {cores}, the number of cores"])
        return Engine([-1] * min(args.processes or cores, cores))
    if args.processes is not None:
        raise ConfigurationError(
            "--cuda-device: found --processes too; expected one of them, since each GPU has one "
            "process"
        )
    return Engine(parse_devices(args.cuda_device))


def parse_devices(text: str) -> List[int]:
    """
    The numbers of GPUs in `0,1`.

    # Raises

    `ConfigurationError`
        If they are no different numbers.
    """
    numbers = text.split(",")
    if not all(number.isdecimal() for number in numbers) or len({*numbers}) < len(numbers):
        raise ConfigurationError(
            f"--cuda-device: found {text}; expected the numbers of GPUs, such as 0,1"
        )
    return [int(number) for number in numbers]
