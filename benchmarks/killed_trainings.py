"""
Kills trainings with `kill -9` and recovers them. Each must end with the metrics and weights of a
training that was not killed. Half of the kills come at random moments, three tenths while a
checkpoint or the best model is written, and two tenths while the archive is written.

    python -m benchmarks.killed_trainings [--kills 20] [--config CONFIG] [--json FILE] [--check]
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import torch
from allennlp.models.archival import extracted_archive

from benchmarks.common import Report
from lisa_allennlp.common.complete_files import PARTIAL

CONFIG = "training_configs/lisa_small.jsonnet"
OVERRIDES: Dict[str, Any] = {
    "trainer.num_epochs": 6,
    "dataset_reader.max_instances": 150,
    "model.encoder.num_layers": 5,
    "model.encoder.num_heads": 2,
    "model.encoder.head_dim": 8,
    "model.encoder.feedforward_hidden_dim": 32,
}
"""What makes `CONFIG` a training of some ten seconds."""

RANDOM, CHECKPOINT, ARCHIVE = "at a random moment", "in a checkpoint", "in the archive"
PATTERNS = {CHECKPOINT: f"*.th{PARTIAL}", ARCHIVE: f"model.tar.gz{PARTIAL}"}
"""The files that exist only while they are written."""

WAIT = 0.001
"""The seconds between two looks at the folder."""

Result = Dict[str, Any]


class Kill(NamedTuple):
    """
    A moment at which to kill a training.

    # Parameters

    kind : `str`
    seconds : `float`
        How long the folder of the training exists at a random moment.
    number : `int`
        The number of the file in a checkpoint during which to kill, from 1.
    """

    kind: str
    seconds: float
    number: int


class Trainings:
    """Runs `lisa train` with one config and its overrides, in folders of their own."""

    def __init__(self, config: str, overrides: str) -> None:
        self._arguments = ["train", config, "-o", overrides]

    def start(self, folder: Path, *options: str) -> subprocess.Popen:
        """Starts a training."""
        command = [sys.executable, "-m", "lisa_allennlp", *self._arguments, "-s", str(folder)]
        with open(folder.with_suffix(".log"), "a") as log:
            return subprocess.Popen([*command, *options], stdout=log, stderr=log)

    def finish(self, folder: Path, *options: str) -> bool:
        """Trains to the end; returns whether there was no error."""
        return self.start(folder, *options).wait() == 0

    def kill(self, folder: Path, kill: Kill) -> Optional[str]:
        """Kills a training; returns the moment, or `None` if the training ended before it."""
        process = self.start(folder)
        try:
            return _wait(process, folder, kill)
        finally:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen, folder: Path, kill: Kill) -> Optional[str]:
    """Waits for the moment of a kill."""
    seen: List[str] = []
    end = None
    while process.poll() is None:
        if end is None and folder.exists():
            end = time.monotonic() + kill.seconds
        if kill.kind == RANDOM:
            if end is not None and time.monotonic() >= end:
                return f"after {kill.seconds:.1f} s"
        else:
            names = [path.name for path in folder.glob(PATTERNS[kill.kind])]
            seen += [name for name in names if name not in seen[-1:]]
            if names and len(seen) >= kill.number:
                # The file is written in the next moments.
                time.sleep(kill.seconds)
                return f"in {names[0].removesuffix(PARTIAL)}"
        time.sleep(WAIT)
    return None


def result(folder: Path) -> Result:
    """
    # Returns

    `Dict[str, Any]`
        The metrics of a training, but durations and memory, and the weights of its archive and of
        `best.th`.
    """
    metrics = json.loads((folder / "metrics.json").read_text())
    kept = {k: v for k, v in metrics.items() if "duration" not in k and "memory" not in k}
    weights = torch.load(folder / "best.th", weights_only=True)
    with extracted_archive(folder / "model.tar.gz") as archive:
        archived = torch.load(os.path.join(archive, "weights.th"), weights_only=True)
    in_archive = {f"archive: {name}": weight for name, weight in archived.items()}
    return {"metrics": kept, "weights": {**weights, **in_archive}}


def differences(one: Dict[str, Any], other: Dict[str, Any]) -> int:
    """The number of keys whose values differ, or that only one of the dictionaries has."""
    return sum(
        key not in one or key not in other or not _equal(one[key], other[key])
        for key in one.keys() | other.keys()
    )


def _equal(one: Any, other: Any) -> bool:
    return torch.equal(one, other) if isinstance(one, torch.Tensor) else one == other


def choose_kills(number: int, seconds: float, num_files: int, seed: int) -> List[Kill]:
    """
    # Parameters

    number : `int`
        How many kills.
    seconds : `float`
        How long a training takes from the moment at which its folder exists.
    num_files : `int`
        How many files a training saves before the archive.
    """
    chance = random.Random(seed)
    kinds = [RANDOM] * (number - number // 2) + [CHECKPOINT] * (number // 2 - number // 5)
    kinds += [ARCHIVE] * (number // 5)
    return [
        Kill(kind, chance.uniform(0, 0.95 * seconds), 1)
        if kind == RANDOM
        else Kill(kind, chance.uniform(0, 0.02), chance.randint(1, num_files))
        if kind == CHECKPOINT
        else Kill(kind, chance.uniform(0, 0.1), 1)
        for kind in kinds
    ]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Prints the tables; returns the exit status."""
    args = _parse(arguments)
    given = json.dumps(OVERRIDES) if args.overrides is None else args.overrides
    trainings = Trainings(args.config, given)
    report = Report(
        "killed_trainings",
        args,
        needs_corpus=False,
        seed=str(args.seed),
        data=f"{args.config}, shortened, on the sample" if args.overrides is None else args.config,
    )
    rows: Dict[str, List[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        whole_folder = Path(scratch, "whole")
        seconds = _train_whole(trainings, whole_folder)
        whole = result(whole_folder)
        num_epochs = whole["metrics"]["epoch"] + 1
        kills = choose_kills(args.kills, seconds, 2 * num_epochs, args.seed)
        for number, kill in enumerate(kills, 1):
            row = _kill_and_recover(trainings, Path(scratch, f"{number}"), kill, whole, number)
            sums = rows.setdefault(kill.kind, [0.0] * len(row))
            rows[kill.kind] = [total + value for total, value in zip(sums, row, strict=True)]
    report.table(
        ["killed", "kills", "recovered", "equal", "metrics that differ", "weights that differ"],
        [[kind, *values] for kind, values in rows.items()],
    )
    equal = sum(values[2] for values in rows.values())
    report.at_least("recovered with equal metrics and weights", equal, args.kills)
    status = report.finish()
    print(f"{equal:.0f} of {args.kills} recovered with equal metrics")
    return status


def _train_whole(trainings: Trainings, folder: Path) -> float:
    """Trains without a kill; returns the seconds since the folder was made."""
    process = trainings.start(folder)
    while not folder.exists() and process.poll() is None:
        time.sleep(WAIT)
    start = time.monotonic()
    if process.wait() != 0:
        raise SystemExit(folder.with_suffix(".log").read_text()[-2000:])
    return time.monotonic() - start


def _kill_and_recover(
    trainings: Trainings, folder: Path, kill: Kill, whole: Result, number: int
) -> List[float]:
    """The kills (1), and whether (1 or 0) and how equally the training was recovered."""
    moment = trainings.kill(folder, kill)
    while moment is None:
        # The training ended before the moment, because the machine was less busy.
        kill = kill._replace(seconds=kill.seconds / 2, number=max(1, kill.number - 1))
        shutil.rmtree(folder)
        moment = trainings.kill(folder, kill)
    recovered = trainings.finish(folder, "--recover")
    if not recovered:
        print(folder.with_suffix(".log").read_text()[-2000:], file=sys.stderr)
        return [1.0, 0.0, 0.0, float("nan"), float("nan")]
    found = result(folder)
    counts = [differences(found[part], whole[part]) for part in ("metrics", "weights")]
    of_metrics, of_weights = (f"{n} of {len(whole[p])}" for n, p in zip(counts, whole, strict=True))
    print(f"{number:3} {moment}: {of_metrics} metrics, {of_weights} weights differ", flush=True)
    shutil.rmtree(folder)
    return [1.0, 1.0, float(not any(counts)), *map(float, counts)]


def _parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--kills", type=int, default=20, help="number of kills (default: 20)")
    parser.add_argument("--config", default=CONFIG, help="the training (default: %(default)s)")
    parser.add_argument(
        "--overrides", help="of the config (default: fewer sentences, epochs and layers)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: 1)")
    parser.add_argument("--json", type=Path, help="write a record of the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.set_defaults(threads=torch.get_num_threads())
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
