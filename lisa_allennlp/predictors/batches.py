"""Which of many sentences go through a network together."""

from typing import Iterator, List, Sequence


def groups_of_similar_length(lengths: Sequence[int], max_tokens: int) -> Iterator[List[int]]:
    """
    # Parameters

    lengths : `Sequence[int]`
        The number of tokens of each sentence.
    max_tokens : `int`
        How many tokens a group may have with padding; a longer sentence is a group by itself.

    # Returns

    `Iterator[List[int]]`
        Groups of positions in `lengths`, from the shortest to the longest.
    """
    group: List[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The last of a group is its longest: the others are padded to its length.
        if group and (len(group) + 1) * lengths[position] > max_tokens:
            yield group
            group = []
        group.append(position)
    if group:
        yield group
