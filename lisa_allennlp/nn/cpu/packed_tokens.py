"""The tokens of a batch one below the other, so that nothing is computed for padding."""

import functools
from typing import Dict, Optional, Tuple

import torch

COMPILED_ROWS = 64
"""What the number of rows is a multiple of where products are compiled for it."""


def num_spare_rows(num_rows: int, multiple: int = COMPILED_ROWS) -> int:
    """
    How many rows a matrix on a CPU should have in addition. In reduced precision PyTorch compiles
    products for each new number of rows, which takes as long as some products and a megabyte.
    """
    return -num_rows % multiple if torch.is_autocast_enabled("cpu") else 0


def with_spare(places: torch.Tensor, number: int) -> torch.Tensor:
    """Places, and 0 for each spare row, which nobody reads."""
    return torch.nn.functional.pad(places, (0, number)) if number else places


class TokenLayout:
    """
    Where each token of a padded batch stands in a matrix of all tokens, and each head of each
    token in the batches of matrices that attention multiplies. Rows are moved by position, which on
    a CPU takes half the time of slicing and transposing.

    Counting the tokens makes the processor wait for a GPU, so that there, and on request, the
    matrix has a row for each padding token too, and all moves are views.

    In reduced precision the matrix gets spare rows at its end, up to a multiple of 64, which are
    never read (`num_spare_rows`).

    # Parameters

    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`: false for padding.
    keep_padding : `bool`, optional (default = on other devices than the CPU)
    """

    def __init__(self, mask: torch.Tensor, keep_padding: Optional[bool] = None) -> None:
        if keep_padding is None:
            keep_padding = mask.device.type != "cpu"
        self.attention_mask = mask[None, :, None, :]
        """Shape `(1, batch_size, 1, length)`: the tokens that may be attended to."""
        self.num_places = mask.numel()
        """Tokens and padding together."""
        self._shape = (mask.size(0), mask.size(1))
        self._positions: Optional[torch.Tensor] = None
        if not keep_padding:
            flat = mask.flatten()
            self._positions = flat.nonzero().squeeze(1)
            self._num_spare = num_spare_rows(self._positions.numel())
            # Of padding, some token: what attention makes of it is never read.
            self._tokens = (flat.cumsum(0) - 1).clamp_(min=0)
        self._head_rows: Dict[int, Tuple[torch.Tensor, torch.Tensor]] = {}

    @functools.cached_property
    def attention_bias(self) -> torch.Tensor:
        """
        What is added to the scores of attention, of the mask's shape: nothing for tokens, and for
        padding the lowest number. Unlike filling it in, a sum needs no work in the backward pass.
        """
        lowest = torch.finfo(torch.float).min
        bias = torch.zeros(self.attention_mask.shape, device=self.attention_mask.device)
        return bias.masked_fill_(~self.attention_mask, lowest)

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        """`(batch_size, length, dim)` to `(num_tokens, dim)`."""
        flat = states.flatten(0, 1)
        if self._positions is None:
            return flat
        return _Pick.apply(flat, self._positions, self._num_spare)

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_tokens, dim)` to `(batch_size, length, dim)`, zero for padding."""
        if self._positions is not None:
            padded = states.new_zeros(self.num_places, states.size(1))
            states = padded.index_copy_(0, self._positions, states[: self._positions.numel()])
        return states.view(*self._shape, -1)

    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The packed row of each of some tokens: one of the batch's sentences, one of its words."""
        places = sentence_indices * self._shape[1] + positions
        return places if self._positions is None else self._tokens[places]

    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        """`(length, dim)` to `(num_tokens, dim)`: the row of each token's position."""
        if self._positions is None:
            return features.repeat(self._shape[0], 1)
        rows = self._positions % self._shape[1]
        return features.index_select(0, with_spare(rows, self._num_spare))

    def split_heads(self, states: torch.Tensor, head_dim: int) -> torch.Tensor:
        """
        `(num_tokens, num_heads * head_dim)` to `(num_heads, batch_size, length, head_dim)`, with
        arbitrary values for padding.
        """
        num_heads = states.size(1) // head_dim
        if self._positions is None:
            return states.view(*self._shape, num_heads, head_dim).permute(2, 0, 1, 3)
        rows, places = self._rows_of_heads(num_heads)
        split = _Take.apply(states.reshape(-1, head_dim), rows, places, self._num_spare * num_heads)
        return split.view(num_heads, *self._shape, head_dim)

    def merge_heads(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_heads, batch_size, length, head_dim)` to `(num_tokens, num_heads * head_dim)`."""
        num_heads, _, _, head_dim = states.shape
        if self._positions is None:
            return states.permute(1, 2, 0, 3).reshape(-1, num_heads * head_dim)
        places = self._rows_of_heads(num_heads)[1]
        rows = _Pick.apply(states.reshape(-1, head_dim), places, self._num_spare * num_heads)
        return rows.view(-1, num_heads * head_dim)

    def _rows_of_heads(self, num_heads: int) -> Tuple[torch.Tensor, torch.Tensor]:
        """The token and head of each split row, and the split row of each token and head."""
        if num_heads not in self._head_rows:
            assert self._positions is not None
            heads = torch.arange(num_heads)
            rows = self._tokens * num_heads + heads.unsqueeze(1)
            places = self._positions.unsqueeze(1) + heads * self._tokens.numel()
            self._head_rows[num_heads] = (rows.flatten(), places.flatten())
        return self._head_rows[num_heads]


class _Pick(torch.autograd.Function):
    """
    The rows at some places, of which none is named twice, and spare rows after them. Rows that are
    not picked have no gradient.
    """

    @staticmethod
    def forward(ctx, rows: torch.Tensor, places: torch.Tensor, num_spare: int) -> torch.Tensor:
        ctx.num_rows = rows.size(0)
        ctx.save_for_backward(places)
        return rows.index_select(0, with_spare(places, num_spare))

    @staticmethod
    def backward(ctx, gradient: torch.Tensor):
        (places,) = ctx.saved_tensors
        zeros = gradient.new_zeros(ctx.num_rows, gradient.size(1))
        return zeros.index_copy_(0, places, gradient[: places.numel()]), None, None


class _Take(torch.autograd.Function):
    """
    Rows in another order, row `r` at `places[r]`; what stands elsewhere counts as constant. Spare
    rows at the end are left out.
    """

    @staticmethod
    def forward(
        ctx, rows: torch.Tensor, order: torch.Tensor, places: torch.Tensor, num_spare: int
    ) -> torch.Tensor:
        ctx.num_spare = num_spare
        ctx.save_for_backward(places)
        return rows.index_select(0, order)

    @staticmethod
    def backward(ctx, gradient: torch.Tensor):
        (places,) = ctx.saved_tensors
        picked = gradient.index_select(0, with_spare(places, ctx.num_spare))
        picked[places.numel() :] = 0
        return picked, None, None, None
