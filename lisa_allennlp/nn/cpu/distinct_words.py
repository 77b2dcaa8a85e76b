"""
Words from their characters on a CPU: each distinct word of a batch once. (On a GPU, finding the
distinct words would make the host wait.)
"""

from typing import Callable

import torch

NUM_WORDS_STEP = 64
"""What the number of words is made a multiple of."""


def encode_words(
    encode: Callable[[torch.Tensor], torch.Tensor], characters: torch.Tensor
) -> torch.Tensor:
    """
    `lisa_allennlp.nn.distinct_words.encode_words`. Words are padded so that tensors have few
    different sizes: PyTorch compiles a convolution for each new one, and keeps it in memory.
    """
    words, places = torch.unique(characters.flatten(0, 1), dim=0, return_inverse=True)
    num_words, width = words.shape
    spare_width = (1 << (width - 1).bit_length()) - width
    spare = (0, spare_width, 0, -num_words % NUM_WORDS_STEP)
    encoded = encode(torch.nn.functional.pad(words, spare).unsqueeze(0)).squeeze(0)
    # A look-up, whose gradient is faster than that of an index.
    return torch.nn.functional.embedding(places.view(characters.shape[:2]), encoded)
