"""The base class of window gates."""

from typing import ClassVar

import torch
from allennlp.common import Registrable


class WindowGate(torch.nn.Module, Registrable):
    """
    Computes a gate for each item of a context window. Subclasses take these parameters and may add
    their own.

    >>> gate = WindowGate.by_name("one_layer")(input_dim=5, num_items=3)
    >>> gate(torch.randn(1, 4, 3, 5)).shape
    torch.Size([1, 4, 3, 1])

    # Parameters

    input_dim : `int`
        The size of an item.
    num_items : `int`
        The number of items in a window, `2 * window_size + 1`.
    """

    default_implementation = "one_layer"

    is_average: ClassVar[bool] = False
    """Whether the gated items are summed rather than concatenated."""

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__()
        self.input_dim = input_dim
        self.num_items = num_items

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        contexts : `torch.Tensor`
            Shape `(batch_size, length, num_items, input_dim)`: the items of each token's window,
            from left to right.

        # Returns

        `torch.Tensor`
            Gates from 0 to 1: one per item, shape `(batch_size, length, num_items, 1)`, or one per
            dimension of an item, in the shape of `contexts`.
        """
        raise NotImplementedError
