"""The tokens of a batch one below the other, so that nothing is computed for padding."""

from typing import Any, Tuple

import torch

from lisa_allennlp.nn.token_layout import TokenLayout

COMPILED_ROWS = 64
"""What the number of rows is a multiple of where products are compiled for it."""


class PackedTokens(TokenLayout):
    """
    A row for each token and none for padding. Counting the tokens would make a host wait for its
    GPU, so that this layout is for CPUs.

    Where autocast is on, spare rows follow the tokens, which nothing reads, up to a multiple of 64
    rows: PyTorch compiles products in reduced precision for each new number of rows, which takes
    as long as some products and a megabyte.

    # Parameters

    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`: false for padding, all of which is on the right.
    """

    def __init__(self, mask: torch.Tensor) -> None:
        super().__init__(mask)
        flat = mask.flatten()
        self._shape = mask.shape
        self._places = flat.nonzero().squeeze(1)
        self._num_spare = 0
        if torch.is_autocast_enabled("cpu"):
            self._num_spare = -self._places.numel() % COMPILED_ROWS
        # Of padding, some token's row: nothing reads it.
        self._row_of_place = (flat.cumsum(0) - 1).clamp_(min=0)

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        return _Pick.apply(states.flatten(0, 1), self._places, self._num_spare)

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        """Zero for padding."""
        padded = states.new_zeros(self.num_places, states.size(1))
        padded = padded.index_copy_(0, self._places, states[: self._places.numel()])
        return padded.unflatten(0, self._shape)

    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return self._row_of_place[sentence_indices * self._shape[1] + positions]

    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        positions = self._places % self._shape[1]
        return features.index_select(0, _with_spare(positions, self._num_spare))


class _Pick(torch.autograd.Function):
    """
    The rows at some places, no place twice, and spare rows after them, which pass no gradient on.
    Autograd's own derivative adds rows up, since a place could be there twice.
    """

    @staticmethod
    def forward(ctx: Any, rows: torch.Tensor, places: torch.Tensor, num_spare: int) -> torch.Tensor:
        ctx.num_rows = rows.size(0)
        ctx.save_for_backward(places)
        return rows.index_select(0, _with_spare(places, num_spare))

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple[torch.Tensor, None, None]:
        (places,) = ctx.saved_tensors
        zeros = gradient.new_zeros(ctx.num_rows, gradient.size(1))
        return zeros.index_copy_(0, places, gradient[: places.numel()]), None, None


def _with_spare(places: torch.Tensor, number: int) -> torch.Tensor:
    """Places, and place 0 for each spare row."""
    return torch.nn.functional.pad(places, (0, number)) if number else places
