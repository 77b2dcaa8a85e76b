"""Vectors of words from their characters."""

from typing import Callable

import torch

from lisa_allennlp.nn.cpu import distinct_words
from lisa_allennlp.nn.device import is_on_cpu

WordEncoder = Callable[[torch.Tensor], torch.Tensor]
"""
Maps characters, shape `(batch_size, length, num_characters)`, zero for padding, to words, shape
`(batch_size, length, dim)`. Padding does not change its result.
"""


def encode_words(encode: WordEncoder, characters: torch.Tensor) -> torch.Tensor:
    """
    # Parameters

    characters : `torch.LongTensor`
        Shape `(batch_size, length, num_characters)`, zero for padding.

    # Returns

    `torch.Tensor`
        Shape `(batch_size, length, dim)`: `encode(characters)`.
    """
    if is_on_cpu(characters):
        return distinct_words.encode_words(encode, characters)
    return encode(characters)
