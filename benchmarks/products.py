"""
How close a part of LISA comes to the processor's limit: its floating-point operations per second,
against those of the bare matrix products of its linear layers, with the same shapes.
"""

import functools
from typing import Any, Callable, List, Tuple, Union

import torch
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import get_text_field_mask
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.common import ratios, times_in_turns
from benchmarks.systems import System
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
    """Returns the shapes of all linear layers that a call runs."""
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
    """Returns a call of the matrix products alone; `backward` adds those of the gradients."""

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


def shares_of_limit(
    network: Callable[[], object], multiply: Callable[[], object], runs: int
) -> List[float]:
    """For each run, the network's operations per second in % of those of the products."""
    operations = []
    for call in (network, multiply):
        with FlopCounterMode(display=False) as counter:
            call()
        operations.append(counter.get_total_flops())
    times = times_in_turns([network, multiply], runs)
    more = 100 * operations[0] / operations[1]
    return [more * ratio for ratio in ratios(times[1], times[0])]


class Passes:
    """Passes of a part of LISA over batches."""

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

    def shares(self, backward: bool, runs: int) -> List[float]:
        """For each run, the rate of `run` in % of that of the matrix products in it."""
        shapes = linear_shapes(functools.partial(self.run, False), self._network)
        multiply = products(shapes, backward, self._device, self._dtype)
        return shares_of_limit(functools.partial(self.run, backward), multiply, runs)


def encoder_and_scorer(
    system: System, batches: List[TensorDict], precision: str = "float32"
) -> Passes:
    """Returns the passes of encoder and role scorer over embedded words."""
    network = EncoderAndScorer(system)
    dim = system.model._encoder.get_input_dim()
    masks = [get_text_field_mask(batch["tokens"]) for batch in batches]
    embedded = [
        torch.randn(*mask.shape, dim, device=mask.device, requires_grad=True) for mask in masks
    ]
    return Passes(network, list(zip(embedded, batches, strict=True)), precision)
