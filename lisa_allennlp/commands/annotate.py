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

from lisa_allennlp.annotation.model_options import ModelOptions
from lisa_allennlp.annotation.output_folder import OutputFolder
from lisa_allennlp.annotation.planning import Asked
from lisa_allennlp.annotation.rows import RowOptions
from lisa_allennlp.annotation.run import Engine, Run
from lisa_allennlp.commands.arguments import annotate as annotate_arguments
from lisa_allennlp.commands.labeller_options import LOADING, labeller_options
from lisa_allennlp.commands.outputs import print_notes
from lisa_allennlp.common.threads import available_cores


@Subcommand.register("annotate")
class Annotate(Subcommand):
    """Labels files of any size, and writes shards of JSON lines or Parquet."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = annotate_arguments.add_parser(parser)
        subparser.set_defaults(func=annotate)
        return subparser


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
    options = labeller_options(args, own=LOADING)
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
