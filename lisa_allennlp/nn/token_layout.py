"""The arrangement of a batch's tokens in the matrix that an encoder works on."""

from abc import ABC, abstractmethod

import torch


class TokenLayout(ABC):
    """
    Converts between a padded batch and a matrix with one row per token. Below, `num_tokens` is the
    number of rows.

    >>> from lisa_allennlp.nn.padded_tokens import lay_out
    >>> layout = lay_out(torch.tensor([[True, True, True], [True, True, False]]))
    >>> heads = layout.split_heads(torch.randn(5, 8), head_dim=4)
    >>> heads.shape, layout.merge_heads(heads).shape
    (torch.Size([2, 2, 3, 4]), torch.Size([5, 8]))
    >>> layout.rows(sentence_indices=torch.tensor([1]), positions=torch.tensor([1]))
    tensor([4])

    # Parameters

    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`: false for padding, which is all on the right.
    """

    def __init__(self, mask: torch.Tensor) -> None:
        self.attention_mask = mask[None, :, None, :]
        """Shape `(1, batch_size, 1, length)`: the tokens that may be attended to."""
        self.num_places = mask.numel()
        """Tokens and padding together."""

    @abstractmethod
    def pack(self, states: torch.Tensor) -> torch.Tensor:
        """`(batch_size, length, dim)` to `(num_tokens, dim)`."""

    @abstractmethod
    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_tokens, dim)` to `(batch_size, length, dim)`."""

    @abstractmethod
    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The rows of tokens, from their sentences' batch indices and their positions."""

    @abstractmethod
    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        """`(length, dim)` to `(num_tokens, dim)`: the features of each token's position."""

    def split_heads(self, states: torch.Tensor, head_dim: int) -> torch.Tensor:
        """`(num_tokens, num_heads * head_dim)` to `(num_heads, batch_size, length, head_dim)`."""
        return self.unpack(states).unflatten(2, (-1, head_dim)).permute(2, 0, 1, 3)

    def merge_heads(self, states: torch.Tensor) -> torch.Tensor:
        """`(num_heads, batch_size, length, head_dim)` to `(num_tokens, num_heads * head_dim)`."""
        return self.pack(states.permute(1, 2, 0, 3).flatten(2))
