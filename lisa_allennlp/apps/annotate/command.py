"""
`lisa annotate`: labels corpora of any size, in shards, and continues interrupted runs.

```
lisa annotate corpus/*.jsonl.gz --output labelled --model english
```
"""

import argparse
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import print_notes
from lisa_allennlp.commands.options import at_least, settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.importing import import_packages
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.labelling.input_formats import ID_COLUMN, PARQUET, SHARD_FORMATS, TABLE_FORMATS
from lisa_allennlp.models_on_disk import pretrained

OF_OTHER_SCHEDULERS = 256
"""The processes that `--plan` and `--shard` expect, which know no other machine."""


def parse_part(text: str) -> Tuple[int, int]:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"found {text}; expected K/N, from 1/N to N/N")
    return int(match[1]), int(match[2])


def parse_devices(text: str) -> List[int]:
    numbers = text.split(",")
    if not all(number.isdecimal() for number in numbers) or len({*numbers}) < len(numbers):
        raise argparse.ArgumentTypeError(f"found {text}; expected numbers of GPUs, such as 0,1")
    return [int(number) for number in numbers]


ARGUMENTS: options.Arguments = {
    "inputs INPUT": settings("a file, or a folder for all files below it", nargs="+"),
    **options.INPUT_FORMAT,
    "--id-column NAME": settings(
        "the column with the ids (default: %(default)s). Rows without one get FILE:ROW",
        default=ID_COLUMN,
    ),
    "--keep COLUMN": settings("the other columns to copy to the output (default: all)", nargs="*"),
    "--model MODEL": settings(
        f"{options.MODEL_HELP} (default: %(default)s)", default=pretrained.DEFAULT
    ),
    **options.MODEL,
    **options.ENGINE,
    **options.LABELS,
    "--output DIR": settings(
        "the folder of the shards. The same command continues what it finds there", required=True
    ),
    "--format": settings(
        "the format of the shards (default: %(default)s); parquet needs pyarrow",
        choices=list(SHARD_FORMATS),
        default="jsonl",
    ),
    "--table FORMAT": settings(
        "also write tables, as parquet (default) or csv: a row per frame to DIR/frames, per span "
        "to DIR/spans, and per event to DIR/events",
        nargs="?",
        choices=TABLE_FORMATS,
        const=PARQUET,
    ),
    **options.COLUMNS,
    "--rows-per-shard N": at_least(
        1, "(default: so many that each process has four shards, at most 10,000)"
    ),
    "--plan": "write the manifest and stop",
    "--processes N": at_least(
        1,
        "the number of processes, at most that of the cores, or of Ray's workers, with one thread "
        "each (default: the number of cores)",
    ),
    "--cuda-device N,N": settings(
        "the numbers of GPUs, for one process each (default: the CPU)", type=parse_devices
    ),
    "--address ADDRESS": "label on a Ray cluster: auto, local or the cluster's address. All "
    "machines must share the file system",
    "--shard K/N": settings(
        "label only the K-th of N parts (1/N to N/N), for other schedulers", type=parse_part
    ),
    "--force": "remove the shards of earlier runs and start anew",
    "--check": "only count the rows of the shards; the exit status is 1 if a file is missing",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "An interrupted run continues."
    # The other parts of a run would be lost by `--force`.
    options.add(parser, ARGUMENTS, ("--shard", "--force", "--check"))


def run(args: argparse.Namespace) -> None:
    """With `--check`, a missing shard or table is an error."""
    from lisa_allennlp.apps.annotate import run
    from lisa_allennlp.apps.annotate.plan import MANIFEST, Options, make_plan

    output = Path(args.output)
    manifest = output / MANIFEST
    if output.is_file():
        raise ConfigurationError(f"--output: found the file {output}; expected a folder")
    if args.check and not manifest.exists():
        raise ConfigurationError(f"--check: found no {manifest}; expected an earlier run")
    place = _place(args)
    import_packages(args.include_package)
    model = {"model": args.model, **options.labeller_options(args)}
    asked = Options(
        args.inputs,
        model,
        args.input_format,
        args.format,
        args.rows_per_shard,
        args.text_column,
        args.id_column,
        args.keep,
        args.table,
        args.columns,
        args.cuda_device is not None,
    )
    if args.columns is not None and args.table is None:
        raise ConfigurationError("--columns: found no --table; expected --table too")
    processes = len(place.get("devices", ())) or args.processes or available_cores()
    if args.plan or args.shard:
        # All machines make the same plan, whatever their cores.
        processes = OF_OTHER_SCHEDULERS
    plan = make_plan(asked, args.output, args.force, processes)
    print_notes(plan.notes)
    if args.plan:
        shards = range(len(plan.shards))
        print(f"annotate: {plan.rows_of(shards):,} rows in {len(shards):,} shards planned")
        return
    if not args.check:
        print(f"annotate: {run.label(plan, **place)}")
    missing, line = run.finish(plan, reads_shards=args.check)
    print(f"annotate: {line}")
    if args.check and missing:
        raise ConfigurationError(
            f"{missing}: found no file, or an empty one; expected all shards with their tables"
        )


def _place(args: argparse.Namespace) -> Dict[str, Any]:
    part = {} if args.shard is None else {"part": args.shard}
    if args.address is not None:
        if args.cuda_device is not None or args.shard is not None:
            raise ConfigurationError(
                "--address: found --cuda-device or --shard too; expected one of these options"
            )
        return {"address": args.address, "workers": args.processes}
    if args.cuda_device is None:
        cores = available_cores()
        return {"devices": [-1] * min(args.processes or cores, cores), **part}
    if args.processes is not None:
        raise ConfigurationError(
            "--cuda-device: found --processes too; expected one of them, since each GPU has one "
            "process"
        )
    return {"devices": args.cuda_device, **part}
