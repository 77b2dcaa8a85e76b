"""What the benchmark of the limit counts, against closed forms."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.products import linear_shapes, products


def test_shapes_are_those_of_all_linear_layers() -> None:
    network = torch.nn.Sequential(
        torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2, bias=False)
    )
    inputs = torch.zeros(4, 7, 3)
    assert linear_shapes(lambda: network(inputs), network) == [(28, 3, 5), (28, 5, 2)]
    assert not any(layer._forward_hooks for layer in network)


@pytest.mark.parametrize("backward, products_a_layer", [(False, 1), (True, 3)])
def test_products_have_the_operations_of_the_layers(backward: bool, products_a_layer: int) -> None:
    shapes = [(28, 3, 5), (6, 5, 2), (28, 3, 5)]
    with FlopCounterMode(display=False) as counter:
        products(shapes, backward)()
    of_one = sum(2 * rows * inputs * outputs for rows, inputs, outputs in shapes)
    assert counter.get_total_flops() == products_a_layer * of_one
