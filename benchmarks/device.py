"""
LISA at published size on a GPU, in single precision and in bfloat16: sentences per second in
training and labelling, memory, how close encoder and role scorer come to the rate of their bare
matrix products, and how often the CPU waits for the GPU.

A forward pass in training must never wait. Labelling waits for the number of predicates, because
the shape of the scores depends on it, and for the answers.

    python -m benchmarks.device [--device cuda] [--corpus DIR] [--json FILE] [--check]
"""

import math
import statistics
import sys
import warnings
from typing import Callable, List

import torch
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import move_to_device

from benchmarks.common import Report, clock, make_parser, read_sentences, seconds
from benchmarks.inference import label, leave_out_gold
from benchmarks.limit import Passes
from benchmarks.systems import System, make_lisa
from lisa_allennlp.nn.precision import PRECISIONS, Precision
from lisa_allennlp.training.optimizers.lazy_nadam import LazyNadamOptimizer

FORWARD_BAR, STEP_BAR = 65.0, 55.0


class OnDevice:
    """
    LISA and its batches on a device.

    # Parameters

    max_tokens : `int`
        Tokens per batch, including padding.
    """

    def __init__(self, system: System, device: str, precision: str, max_tokens: int) -> None:
        self.system, self.device = system, device
        self._precision = precision
        system.model._precision = Precision(precision)
        self.training = self._batches(max_tokens)
        self.labelling = self._batches(max_tokens)
        leave_out_gold(self.labelling)
        self._optimizer = LazyNadamOptimizer(list(system.model.named_parameters()), lr=1e-4)

    def _batches(self, max_tokens: int) -> List[TensorDict]:
        return [
            move_to_device(batch, torch.device(self.device))
            for batch in self.system.batches(max_tokens)
        ]

    def train(self) -> None:
        """Trains one epoch."""
        self.system.model.train()
        for batch in self.training:
            self._optimizer.zero_grad()
            self.system.model(**batch)["loss"].backward()
            self._optimizer.step()

    def label(self) -> None:
        """Labels all sentences and reads the answers."""
        label(self.system, self.labelling)

    def forward(self) -> None:
        """The forward pass of a training step."""
        self.system.model.train()
        self.system.model(**self.training[0])

    def shares_of_the_limit(self, runs: int) -> List[List[float]]:
        """
        The rate of encoder and role scorer in a forward pass and in a training step, in % of the
        bare products' rate, for each run.
        """
        passes = Passes(self.system, self.training, self._precision)
        return [passes.rates(backward, runs).shares for backward in (False, True)]


def waits(function: Callable[[], object]) -> int:
    """How often the CPU waits for the GPU in a call."""
    function()
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchroniz" in str(warning.message) for warning in caught)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--device", default="cuda", help="cuda (default), or cpu to compare")
    parser.add_argument(
        "--max-tokens", type=int, default=5000, help="tokens per batch (default: 5000)"
    )
    args = parser.parse_args()
    is_cuda = args.device.startswith("cuda")
    if is_cuda and not torch.cuda.is_available():
        parser.error(f"--device is {args.device}; found no GPU that PyTorch can use")
    report = Report("device", args)
    if is_cuda:
        # The CPU mostly waits, so its own seconds would be meaningless.
        clock.start(threads=0)
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    system = make_lisa(sentences)
    system.model.to(args.device)
    rows = []
    for precision in PRECISIONS:
        lisa = OnDevice(system, args.device, precision, args.max_tokens)
        if is_cuda:
            torch.cuda.reset_peak_memory_stats()
        rates = [len(sentences) / seconds(run, args.runs) for run in (lisa.train, lisa.label)]
        memory = torch.cuda.max_memory_allocated() / 2**20 if is_cuda else math.nan
        shares = lisa.shares_of_the_limit(args.runs)
        counts = [waits(lisa.forward), waits(lisa.label)] if is_cuda else [math.nan] * 2
        rows.append([precision, *rates, memory, *map(statistics.median, shares), *counts])
        report.at_least(f"{precision}, forward, % of the products' rate", shares[0], FORWARD_BAR)
        report.at_least(f"{precision}, step, % of the products' rate", shares[1], STEP_BAR)
        if is_cuda:
            report.at_most(f"{precision}, waits in a training forward", counts[0], 0)
    header = ["precision", "training, sentences/s", "labelling, sentences/s", "peak, MB"]
    header += ["forward, % of limit", "step, % of limit", "waits in a forward", "in labelling all"]
    report.table(header, rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
