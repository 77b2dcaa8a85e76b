"""Which of many sentences go through a network together."""

from typing import Iterator, List, Sequence


def batches_of_similar_length(lengths: Sequence[int], max_tokens: int) -> Iterator[List[int]]:
    """
    >>> list(batches_of_similar_length([4, 1, 3, 9], max_tokens=8))
    [[1, 2], [0], [3]]

    # Parameters

    lengths : `Sequence[int]`
        The number of tokens of each sentence.
    max_tokens : `int`
        How many tokens a batch may have with padding; a longer sentence is a batch by itself.

    # Returns

    `Iterator[List[int]]`
        Batches of positions in `lengths`, from the shortest to the longest.
    """
    batch: List[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The last of a batch is its longest: the others are padded to its length.
        if batch and (len(batch) + 1) * lengths[position] > max_tokens:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
