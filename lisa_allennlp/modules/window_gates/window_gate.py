"""What all gate networks share."""

from typing import ClassVar

import torch
from allennlp.common import Registrable


class WindowGate(torch.nn.Module, Registrable):
    """
    A network that reads a context window and gives each of its items a gate. Subclasses take the
    parameters here and their own.

    # Parameters

    input_dim : `int`
        The size of an item.
    num_items : `int`
        How many items a window has, `2 * window_size + 1`.
    """

    default_implementation = "one_layer"

    is_average: ClassVar[bool] = False
    """Whether the gated items are to be added up, instead of standing side by side."""

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__()
        self.input_dim = input_dim
        self.num_items = num_items

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        contexts : `torch.Tensor`
            Shape `(batch_size, length, num_items, input_dim)`: around each token, the items of its
            window from left to right.

        # Returns

        `torch.Tensor`
            Gates from 0 to 1: one an item, shape `(batch_size, length, num_items, 1)`, or one for
            each dimension of an item, of the shape of `contexts`.
        """
        raise NotImplementedError
