"""Which sentences of two annotations of one document are the same sentence."""

from typing import List, Sequence, Tuple

Tags = Sequence[str]

_GAP = -1.0
_TRUSTED_AGREEMENT = 0.5


def agreement(first: Tags, second: Tags) -> float:
    """The share of tokens with the same tag, 0 for sentences of different lengths."""
    if len(first) != len(second) or not first:
        return 0.0
    return sum(map(str.__eq__, first, second)) / len(first)


def align_sentences(first: Sequence[Tags], second: Sequence[Tags]) -> List[Tuple[int, int]]:
    """
    Pairs the sentences of two sides in order (Needleman & Wunsch 1970). A pair counts 1 plus the
    share of equal tags if it has as many tokens on both sides, else nothing; a sentence without
    partner costs 1. So sentences stay paired by their numbers until one side has split or merged
    one.

    # Parameters

    first : `Sequence[Tags]`
        The tags of each sentence on the one side.
    second : `Sequence[Tags]`
        The same of the other side.

    # Returns

    `List[Tuple[int, int]]`
        Pairs of positions, both ascending. The two sentences of a pair can differ in length.
    """
    scores = [[_GAP * column for column in range(len(second) + 1)]]
    for row, tags in enumerate(first, start=1):
        above = scores[-1]
        current = [_GAP * row]
        for column, other in enumerate(second, start=1):
            paired = above[column - 1] + _pair_score(tags, other)
            current.append(max(paired, above[column] + _GAP, current[-1] + _GAP))
        scores.append(current)
    return _trace(first, second, scores)


def _pair_score(first: Tags, second: Tags) -> float:
    return 1.0 + agreement(first, second) if len(first) == len(second) else 0.0


def _trace(
    first: Sequence[Tags], second: Sequence[Tags], scores: List[List[float]]
) -> List[Tuple[int, int]]:
    pairs = []
    row, column = len(first), len(second)
    while row and column:
        score = scores[row][column]
        if score == scores[row - 1][column - 1] + _pair_score(first[row - 1], second[column - 1]):
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif score == scores[row - 1][column] + _GAP:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]


def is_trusted(
    index: int, pairs: Sequence[Tuple[int, int]], first: Sequence[Tags], second: Sequence[Tags]
) -> bool:
    """
    Whether a pair of equally long sentences is sure to be one sentence: most of its tags agree, or
    it stands right between the neighbours of other pairs, where no other partner is left.

    # Parameters

    index : `int`
        The position of the pair in `pairs`.
    pairs : `Sequence[Tuple[int, int]]`
        From `align_sentences`.
    first : `Sequence[Tags]`
    second : `Sequence[Tags]`

    # Returns

    `bool`
    """
    row, column = pairs[index]
    if agreement(first[row], second[column]) >= _TRUSTED_AGREEMENT:
        return True
    before = pairs[index - 1] if index else (-1, -1)
    after = pairs[index + 1] if index + 1 < len(pairs) else (len(first), len(second))
    return before == (row - 1, column - 1) and after == (row + 1, column + 1)
