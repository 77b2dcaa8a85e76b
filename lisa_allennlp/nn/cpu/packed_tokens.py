"""The tokens of a batch in one matrix without padding, so that padding costs nothing."""

from typing import Any, Tuple

import torch

from lisa_allennlp.nn.token_layout import TokenLayout

COMPILED_ROWS = 64
"""The number of rows is a multiple of this if products are compiled for it."""


class PackedTokens(TokenLayout):
    """
    One row per token and none for padding. It is for CPUs, since counting the tokens would make the
    host wait for a GPU.

    Under autocast, unused rows after the tokens fill the matrix up to a multiple of 64 rows.
    PyTorch compiles products in reduced precision for each new number of rows, which takes the time
    of several products and a megabyte of memory.

    >>> layout = PackedTokens(torch.tensor([[True, True, True], [True, False, False]]))
    >>> layout.pack(torch.tensor([[[1.0], [2.0], [3.0]], [[4.0], [0.0], [0.0]]])).squeeze(-1)
    tensor([1., 2., 3., 4.])

    # Parameters

    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`: false for padding, which is all on the right.
    """

    def __init__(self, mask: torch.Tensor) -> None:
        super().__init__(mask)
        flat = mask.flatten()
        self._shape = mask.shape
        self._places = flat.nonzero().squeeze(1)
        self._num_spare = 0
        if torch.is_autocast_enabled("cpu"):
            self._num_spare = -self._places.numel() % COMPILED_ROWS
        # Padding gets some token's row, which nothing reads.
        self._row_of_place = (flat.cumsum(0) - 1).clamp_(min=0)

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        return _Pick.apply(states.flatten(0, 1), self._places, self._num_spare)

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        """As in `TokenLayout`; 0 at padding."""
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
    The rows at distinct places, followed by unused rows that pass no gradient on. Autograd's own
    derivative would add rows up, since it allows for repeated places.
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
    """The places, followed by place 0 for each unused row."""
    return torch.nn.functional.pad(places, (0, number)) if number else places
