"""Groups sentences of similar length into batches."""

from typing import Iterator, List, Sequence


def batches_of_similar_length(lengths: Sequence[int], max_tokens: int) -> Iterator[List[int]]:
    """
    Batches sentences by length, to keep padding low.

    >>> list(batches_of_similar_length([4, 1, 3, 9], max_tokens=8))
    [[1, 2], [0], [3]]

    # Parameters

    lengths : `Sequence[int]`
        The number of tokens of each sentence.
    max_tokens : `int`
        The largest number of tokens of a batch, padding included. A longer sentence forms a batch
        alone.

    # Returns

    `Iterator[List[int]]`
        Batches of positions in `lengths`, from the shortest to the longest sentence.
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
