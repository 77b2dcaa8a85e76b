"""Groups sentences of similar length into batches, and divides long lists of sentences."""

import itertools
from typing import Iterator, List, Sequence, Tuple

TOKENS_AT_ONCE = 512
"""The tokens of a run, unless a sentence has more: their values stay in the processor's cache."""


def batches_of_similar_length(lengths: Sequence[int], max_tokens: int) -> Iterator[List[int]]:
    """
    Batches sentences by length, to keep padding low: yields positions in `lengths`, from the
    shortest to the longest sentence. A batch has at most `max_tokens` tokens, padding included; a
    longer sentence forms a batch alone.
    """
    batch: List[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The other sentences of the batch are padded to the length of this one, the longest.
        if batch and (len(batch) + 1) * lengths[position] > max_tokens:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def batches_of_equal_length(lengths: Sequence[int]) -> Iterator[Tuple[slice, int]]:
    """Yields which sentences of equal length follow each other, and this length."""
    start = 0
    for length, equal in itertools.groupby(lengths):
        end, step = start + len(list(equal)), max(1, TOKENS_AT_ONCE // length)
        for first in range(start, end, step):
            yield slice(first, min(first + step, end)), length
        start = end


def consecutive_parts(lengths: Sequence[int], max_tokens: int) -> Iterator[Tuple[int, int]]:
    """
    Divides sentences into parts that keep their order: yields the positions of the first sentence
    of each part and of the one after its last. A part has at most `max_tokens` tokens; a longer
    sentence forms a part alone.

    >>> list(consecutive_parts([4, 1, 3, 9, 2], max_tokens=8))
    [(0, 3), (3, 4), (4, 5)]
    """
    start = total = 0
    for position, length in enumerate(lengths):
        if position > start and total + length > max_tokens:
            yield start, position
            start, total = position, 0
        total += length
    if start < len(lengths):
        yield start, len(lengths)
