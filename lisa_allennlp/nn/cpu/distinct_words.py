"""
Word vectors from characters on a CPU: each distinct word of a batch is encoded once, and short
words apart from long ones. (On a GPU, finding the distinct words would make the host wait.)
"""

from typing import Callable

import torch

NARROWEST, NUM_WORDS_STEP = 8, 64
"""The width of the shortest words' tensor, and the multiple that numbers of words are padded to."""


def encode_words(
    encode: Callable[[torch.Tensor], torch.Tensor], characters: torch.Tensor
) -> torch.Tensor:
    """
    `lisa_allennlp.nn.distinct_words.encode_words`. Words of up to 8, 16, 32 ... characters are
    encoded separately, so that one long word does not lengthen all others. The tensors have only a
    few sizes, since PyTorch compiles a convolution for each new size and keeps it in memory.

    >>> def add_up(characters):
    ...     print(tuple(characters.shape))
    ...     return characters.sum(dim=-1, keepdim=True)
    >>> words = torch.tensor([[[1, 2, 3], [4, 0, 0], [1, 2, 3]]])
    >>> encode_words(add_up, words).shape  # 64 words, padding included, of 8 characters
    (1, 64, 8)
    torch.Size([1, 3, 1])
    """
    words, places = torch.unique(characters.flatten(0, 1), dim=0, return_inverse=True)
    lengths = (words != 0).sum(dim=-1)
    encoded, rows = [], []
    shorter, width = -1, NARROWEST
    while shorter < words.size(1):
        group = ((lengths > shorter) & (lengths <= width)).nonzero().squeeze(1)
        if group.numel():
            rows.append(group)
            encoded.append(_encode_group(encode, words.index_select(0, group), width))
        shorter, width = width, 2 * width
    # The encoded row of each token's word. The gradient of `embedding` is faster than indexing's.
    order = torch.cat(rows).argsort()[places].view(characters.shape[:2])
    return torch.nn.functional.embedding(order, torch.cat(encoded))


def _encode_group(
    encode: Callable[[torch.Tensor], torch.Tensor], words: torch.Tensor, width: int
) -> torch.Tensor:
    """`(num_words, num_characters)` to `(num_words, dim)`; no word exceeds `width` characters."""
    num_words, num_characters = words.shape
    spare = (0, width - num_characters, 0, -num_words % NUM_WORDS_STEP)
    padded = torch.nn.functional.pad(words, spare)
    return encode(padded.unsqueeze(0)).squeeze(0)[:num_words]
