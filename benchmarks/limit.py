"""
How close encoder and role scorer come to the processor's limit: their floating-point operations per
second, against those of the bare matrix products of their linear layers, with the same shapes and
on the same threads, or in as many processes. Forward passes have the batch size of `lisa predict`,
forward and backward passes that of the training configs.

    python -m benchmarks.limit [--corpus DIR] [--threads N] [--processes N] [--json FILE] [--check]
"""

import functools
import statistics
import sys
from typing import Any, Callable, List, NamedTuple, Tuple, Union

import torch
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import get_text_field_mask
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.common import (
    Report,
    add_processes,
    in_processes,
    make_parser,
    ratios,
    read_sentences,
    times_in_turns,
)
from benchmarks.systems import System, make_lisa
from lisa_allennlp.nn.precision import Precision

FORWARD_BAR, STEP_BAR = 65.0, 55.0
Shape = Tuple[int, int, int]
"""Rows, inputs and outputs of a linear layer."""


class EncoderAndScorer(torch.nn.Module):
    """The part of LISA between word embeddings and role scores."""

    def __init__(self, system: System) -> None:
        super().__init__()
        self._encoder = system.model._encoder
        self._scorer = system.model._role_scorer

    def forward(self, inputs: torch.Tensor, batch: TensorDict) -> torch.Tensor:
        """Scores of shape `(num_frames, length, num_labels)`."""
        encoded = self._encoder.encode(
            inputs, get_text_field_mask(batch["tokens"]), batch["head_indices"]
        )
        frames = batch["frames"]
        assert isinstance(frames, dict)
        return self._scorer(encoded, frames["sentence_indices"], frames["predicate_indices"])


def linear_shapes(run: Callable[[], object], network: torch.nn.Module) -> List[Shape]:
    """The shapes of all linear layers that a call runs."""
    shapes: List[Shape] = []

    def note(layer, inputs, output) -> None:
        shapes.append((inputs[0].numel() // layer.in_features, *reversed(layer.weight.shape)))

    hooks = [
        layer.register_forward_hook(note)
        for layer in network.modules()
        if isinstance(layer, torch.nn.Linear)
    ]
    run()
    for hook in hooks:
        hook.remove()
    return shapes


def products(
    shapes: List[Shape],
    backward: bool,
    device: Union[str, torch.device] = "cpu",
    dtype: torch.dtype = torch.float,
) -> Callable[[], None]:
    """A call of the matrix products alone; `backward` adds those of the gradients."""

    def tensor(*sizes: int) -> torch.Tensor:
        return torch.randn(*sizes, device=device, dtype=dtype)

    # One weight multiplies any number of rows, as in a network.
    weights = {layer: tensor(*reversed(layer)) for layer in {shape[1:] for shape in shapes}}
    inputs = {shape: tensor(*shape[:2]) for shape in set(shapes)}
    gradients = {shape: tensor(shape[0], shape[2]) for shape in set(shapes) if backward}

    def multiply() -> None:
        for shape in shapes:
            inputs[shape] @ weights[shape[1:]].t()
            if backward:
                gradients[shape] @ weights[shape[1:]]
                gradients[shape].t() @ inputs[shape]

    return multiply


class Rates(NamedTuple):
    """
    # Parameters

    network : `float`
        Floating-point operations per second of the network.
    limit : `float`
        The same for the bare matrix products.
    shares : `List[float]`
        For each run, the network's rate in % of the products' rate.
    """

    network: float
    limit: float
    shares: List[float]


def compare(
    network: Callable[[], object], multiply: Callable[[], object], runs: int, processes: int = 1
) -> Rates:
    """
    The operations per second of a network and of matrix products, measured in turns, each in as
    many processes at once.
    """
    operations = []
    for call in (network, multiply):
        with FlopCounterMode(display=False) as counter:
            call()
        operations.append(counter.get_total_flops())
    times = times_in_turns([in_processes(call, processes) for call in (network, multiply)], runs)
    of_network, of_products = (
        processes * number / statistics.median(runs_times)
        for number, runs_times in zip(operations, times, strict=True)
    )
    more = 100 * operations[0] / operations[1]
    shares = [more * ratio for ratio in ratios(times[1], times[0])]
    return Rates(of_network, of_products, shares)


class Passes:
    """
    Passes of a part of LISA over batches.

    # Parameters

    network : `torch.nn.Module`
        Returns one tensor.
    inputs : `List[Tuple[Any, ...]]`
        The arguments of the network for each batch.
    precision : `str`, optional (default = `"float32"`)
        Of the matrix products.
    """

    def __init__(
        self, network: torch.nn.Module, inputs: List[Tuple[Any, ...]], precision: str = "float32"
    ) -> None:
        self._network = network
        self._inputs = inputs
        self._device = next(network.parameters()).device
        self._precision, self._dtype = Precision(precision), getattr(torch, precision)

    def run(self, backward: bool) -> None:
        """Runs all batches; `backward` also computes all gradients, as a training step does."""
        self._network.train(backward)
        for inputs in self._inputs:
            with torch.set_grad_enabled(backward), self._precision(self._device):
                outputs = self._network(*inputs)
            if backward:
                outputs.float().sum().backward()

    def rates(self, backward: bool, runs: int, processes: int = 1) -> Rates:
        """The rates of `run` and of the matrix products in it."""
        shapes = linear_shapes(functools.partial(self.run, False), self._network)
        multiply = products(shapes, backward, self._device, self._dtype)
        return compare(functools.partial(self.run, backward), multiply, runs, processes)


def encoder_and_scorer(
    system: System, batches: List[TensorDict], precision: str = "float32"
) -> Passes:
    """The passes of encoder and role scorer over embedded words."""
    network = EncoderAndScorer(system)
    dim = system.model._encoder.get_input_dim()
    masks = [get_text_field_mask(batch["tokens"]) for batch in batches]
    embedded = [
        torch.randn(*mask.shape, dim, device=mask.device, requires_grad=True) for mask in masks
    ]
    return Passes(network, list(zip(embedded, batches, strict=True)), precision)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    for name, tokens in (("forward", 2000), ("step", 1500)):
        parser.add_argument(
            f"--{name}-tokens",
            type=int,
            default=tokens,
            help=f"tokens per batch (default: {tokens})",
        )
    add_processes(parser)
    args = parser.parse_args()
    report = Report("limit", args)
    sentences = [s for s in read_sentences(args.corpus, args.sentences) if s.frames]
    system = make_lisa(sentences)
    rows = []
    for name, max_tokens, backward, bar in (
        ("forward", args.forward_tokens, False, FORWARD_BAR),
        ("forward and backward", args.step_tokens, True, STEP_BAR),
    ):
        passes = encoder_and_scorer(system, system.batches(max_tokens))
        rates = passes.rates(backward, args.runs, args.processes)
        share = statistics.median(rates.shares)
        rows.append([name, rates.network / 1e9, rates.limit / 1e9, share])
        report.at_least(f"{name}, % of the products' rate", rates.shares, bar)
    report.table(["encoder and scorer", "GFLOP/s", "products alone, GFLOP/s", "%"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
