"""Groups sentences of similar length into batches, and divides long lists of sentences."""

import itertools
from typing import List, Sequence, Tuple

TOKENS_AT_ONCE = 512
"""The tokens of a run, unless a sentence has more: their values stay in the processor's cache."""


def batches_of_similar_length(lengths: Sequence[int], max_tokens: int) -> List[List[int]]:
    """
    Batches sentences by length, to keep padding low: returns positions in `lengths`, shortest
    first. A batch has at most `max_tokens` tokens, padding included, or one sentence.
    """
    batches: List[List[int]] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The other sentences of the batch are padded to the length of this one, the longest.
        if not batches or (len(batches[-1]) + 1) * lengths[position] > max_tokens:
            batches.append([])
        batches[-1].append(position)
    return batches


def batches_of_equal_length(lengths: Sequence[int]) -> List[Tuple[slice, int]]:
    """Returns consecutive sentences of equal length, and this length."""
    batches, start = [], 0
    for length, equal in itertools.groupby(lengths):
        end, step = start + len(list(equal)), max(1, TOKENS_AT_ONCE // length)
        for first in range(start, end, step):
            batches.append((slice(first, min(first + step, end)), length))
        start = end
    return batches


def consecutive_parts(lengths: Sequence[int], max_tokens: int) -> List[slice]:
    """
    Divides sentences into parts that keep their order. A part has at most `max_tokens` tokens; a
    longer sentence forms a part alone.

    >>> consecutive_parts([4, 1, 3, 9, 2], max_tokens=8)
    [slice(0, 3, None), slice(3, 4, None), slice(4, 5, None)]
    """
    parts, start, total = [], 0, 0
    for position, length in enumerate(lengths):
        if position > start and total + length > max_tokens:
            parts.append(slice(start, position))
            start, total = position, 0
        total += length
    return [*parts, slice(start, len(lengths))] if lengths else []
