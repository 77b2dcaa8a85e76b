"""The arrangement of a batch's tokens in the matrix that an encoder works on."""

from abc import ABC, abstractmethod
from typing import Any, Optional, Tuple

import torch


def lay_out(mask: torch.Tensor) -> "TokenLayout":
    """
    Returns the layout of a batch's tokens, from the mask, `(batch_size, length)`, whose padding is
    all on the right. On a CPU the layout has no rows for padding. On other devices it has, since
    counting the tokens would make the host wait for a GPU. While a graph is exported, a batch has
    no padding.

    >>> layout = lay_out(torch.tensor([[True, True, True], [True, False, False]]))
    >>> layout.pack(torch.tensor([[[1.0], [2.0], [3.0]], [[4.0], [0.0], [0.0]]])).squeeze(-1)
    tensor([1., 2., 3., 4.])
    """
    is_packed = mask.is_cpu and not torch.jit.is_tracing()
    return PackedTokens(mask) if is_packed else PaddedTokens(mask)


class TokenLayout(ABC):
    """Converts between a padded batch and a matrix with `num_tokens` rows, one per token."""

    def __init__(self, mask: torch.Tensor) -> None:
        self.mask, self._shape, self._device = mask, mask.shape, mask.device
        self.batch_size = mask.size(0)
        self.attention_mask: Optional[torch.Tensor] = mask[None, :, None, :]
        """Shape `(1, batch_size, 1, length)`: the tokens to attend to; `None` for all."""
        if torch.jit.is_tracing():
            self.attention_mask = None

    @abstractmethod
    def pack(self, states: torch.Tensor) -> torch.Tensor:
        """`(batch_size, length, dim)` to `(num_tokens, dim)`."""

    @abstractmethod
    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_tokens, dim)` to `(batch_size, length, dim)`."""

    @abstractmethod
    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The rows of tokens, from their sentences' batch indices and their positions."""

    @property
    @abstractmethod
    def sentences(self) -> torch.Tensor:
        """Shape `(num_tokens,)`: the batch index of each token's sentence."""

    @abstractmethod
    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        """`(length, dim)` to `(num_tokens, dim)`: the features of each token's position."""

    def split_heads(self, states: torch.Tensor, num_heads: int, head_dim: int) -> torch.Tensor:
        """`(num_tokens, num_heads * head_dim)` to `(num_heads, batch_size, length, head_dim)`."""
        return self.unpack(states).unflatten(2, (num_heads, head_dim)).permute(2, 0, 1, 3)

    def merge_heads(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_heads, batch_size, length, head_dim)` to `(num_tokens, num_heads * head_dim)`."""
        return self.pack(states.permute(1, 2, 0, 3).flatten(2))


class PaddedTokens(TokenLayout):
    """
    Has rows for padding, so that packing only makes views. In an exported graph, sizes of states
    are constants, and only the number of sentences is computed.
    """

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        return states.reshape(-1, int(states.size(2)))

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        return states.reshape(self.batch_size, -1, int(states.size(1)))

    def split_heads(self, states: torch.Tensor, num_heads: int, head_dim: int) -> torch.Tensor:
        return states.reshape(self.batch_size, -1, num_heads, head_dim).permute(2, 0, 1, 3)

    def merge_heads(self, states: torch.Tensor) -> torch.Tensor:
        num_heads, _, _, head_dim = states.shape
        return states.permute(1, 2, 0, 3).reshape(-1, int(num_heads) * int(head_dim))

    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return sentence_indices * self._shape[1] + positions

    @property
    def sentences(self) -> torch.Tensor:
        sentences = torch.arange(self.batch_size, device=self._device)
        return sentences.repeat_interleave(self._shape[1])

    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        return features.repeat(self.batch_size, 1)


class PackedTokens(TokenLayout):
    def __init__(self, mask: torch.Tensor) -> None:
        super().__init__(mask)
        flat = mask.flatten()
        self._places = flat.nonzero().squeeze(1)
        # Padding gets some token's row, which nothing reads.
        self._row_of_place = (flat.cumsum(0) - 1).clamp_(min=0)

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        return _Pick.apply(states.flatten(0, 1), self._places)

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        padded = states.new_zeros(self._shape.numel(), states.size(1))
        return padded.index_copy_(0, self._places, states).unflatten(0, self._shape)

    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return self._row_of_place[sentence_indices * self._shape[1] + positions]

    @property
    def sentences(self) -> torch.Tensor:
        return self._places // self._shape[1]

    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        return features.index_select(0, self._places % self._shape[1])


class _Pick(torch.autograd.Function):
    """Rows at distinct places. Autograd's derivative would allow for repeated ones."""

    @staticmethod
    def forward(ctx: Any, rows: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        ctx.num_rows = rows.size(0)
        ctx.save_for_backward(places)
        return rows.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple[torch.Tensor, None]:
        (places,) = ctx.saved_tensors
        zeros = gradient.new_zeros(ctx.num_rows, gradient.size(1))
        return zeros.index_copy_(0, places, gradient), None
