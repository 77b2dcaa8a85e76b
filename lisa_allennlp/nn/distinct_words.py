"""Word vectors from characters."""

from typing import Callable

import torch

from lisa_allennlp.nn.cpu import distinct_words
from lisa_allennlp.nn.device import is_on_cpu

WordEncoder = Callable[[torch.Tensor], torch.Tensor]
"""
Maps characters, shape `(batch_size, length, num_characters)`, 0 at padding, to word vectors, shape
`(batch_size, length, dim)`. Padding must not change its result.
"""


def encode_words(encode: WordEncoder, characters: torch.Tensor) -> torch.Tensor:
    """
    Returns `encode(characters)`. On a CPU each distinct word is encoded once.

    >>> def add_up(characters):
    ...     return characters.sum(dim=-1, keepdim=True).float()
    >>> words = torch.tensor([[[1, 2, 3], [4, 0, 0], [1, 2, 3]]])
    >>> encode_words(add_up, words).squeeze(-1)
    tensor([[6., 4., 6.]])

    # Parameters

    characters : `torch.LongTensor`
        Shape `(batch_size, length, num_characters)`, 0 at padding.

    # Returns

    `torch.Tensor`
        Shape `(batch_size, length, dim)`.
    """
    if is_on_cpu(characters):
        return distinct_words.encode_words(encode, characters)
    return encode(characters)
