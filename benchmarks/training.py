"""
Training speed at published sizes: LISA against allennlp-models' `srl`, the peer, on the same
sentences, and the parts of a step's time. "Data" is the data loader's work per batch: padding and
making tensors.

For comparison: the authors' TensorFlow code reaches 18.3 sentences/s on one core of an EPYC Zen 4.

    python -m benchmarks.training [--corpus DIR] [--threads N] [--json FILE] [--check]
"""

import functools
import sys
from collections import Counter
from typing import Sequence

import torch
from allennlp.data import Batch

from benchmarks.common import Report, clock, in_turns, make_parser, ratios, read_with_frames
from benchmarks.systems import System, group_by_length, make_lisa, make_peer
from lisa_allennlp.nn.precision import PRECISIONS
from lisa_allennlp.training.optimization import LazyNadamOptimizer

SPEED_BAR, OPTIMIZER_BAR, DATA_BAR = 5.0, 15.0, 5.0
PARTS = ("forward", "backward", "optimizer", "data")


class Stopwatch:
    """Adds up the seconds since the last call under the name of the part that was done."""

    def __init__(self) -> None:
        self.seconds: Counter = Counter()
        self._last = clock()

    def __call__(self, part: str) -> None:
        now = clock()
        self.seconds[part] += now - self._last
        self._last = now


def train_epoch(system: System, optimizer: torch.optim.Optimizer, max_tokens: int) -> Counter:
    """Trains on all instances once; returns the seconds of each part of the steps."""
    system.model.train()
    groups = list(group_by_length(system.instances, max_tokens))
    watch = Stopwatch()
    for group in groups:
        batch = Batch(group).as_tensor_dict()
        watch("data")
        loss = system.model(**batch)["loss"]
        watch("forward")
        loss.backward()
        watch("backward")
        torch.nn.utils.clip_grad_norm_(system.model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        watch("optimizer")
    return watch.seconds


def median_epoch(epochs: Sequence[Counter]) -> Counter:
    return sorted(epochs, key=Counter.total)[(len(epochs) - 1) // 2]


def main() -> int:
    parser = make_parser(__doc__, max_tokens=1500)
    text = "of LISA's matrix products (default: %(default)s)"
    parser.add_argument("--precision", choices=PRECISIONS, default=PRECISIONS[0], help=text)
    args = parser.parse_args()
    report = Report("training", args)
    sentences = read_with_frames(args)
    lisa, peer = make_lisa(sentences, precision=args.precision), make_peer(sentences)
    # Each with the optimizer of its published config.
    optimizers = [
        LazyNadamOptimizer(list(lisa.model.named_parameters()), lr=1e-4),
        torch.optim.Adadelta(peer.model.parameters(), rho=0.95),
    ]
    epochs = in_turns(
        [
            functools.partial(train_epoch, system, optimizer, args.max_tokens)
            for system, optimizer in zip((lisa, peer), optimizers, strict=True)
        ],
        args.runs,
    )
    rows = []
    for system, of_system in zip((lisa, peer), epochs, strict=True):
        epoch = median_epoch(of_system)
        rows.append(
            [
                system.name,
                system.num_parameters / 1e6,
                len(system.instances),
                len(sentences) / epoch.total(),
                *(100 * epoch[part] / epoch.total() for part in PARTS),
            ]
        )
    header = ["system", "million parameters", "instances", "sentences/s"]
    report.table([*header, *(f"{part}, %" for part in PARTS)], rows)
    of_lisa, of_srl = ([epoch.total() for epoch in of_system] for of_system in epochs)
    report.at_least("times the peer's sentences/s", ratios(of_srl, of_lisa), SPEED_BAR)
    for part, bar in (("optimizer", OPTIMIZER_BAR), ("data", DATA_BAR)):
        shares = [100 * epoch[part] / epoch.total() for epoch in epochs[0]]
        report.at_most(f"{part}, % of a step", shares, bar)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
