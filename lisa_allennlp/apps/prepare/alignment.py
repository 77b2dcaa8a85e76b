"""
Pairing the sentences of two annotations of the same document.

    >>> propbank = [["PRP", "VBD"], ["DT", "NN", "VBD"], ["UH"]]
    >>> ud = [["PRP", "VBD"], ["UH"]]
    >>> align_sentences(propbank, ud)
    [(0, 0), (2, 1)]
"""

from typing import List, Sequence, Tuple

Tags = Sequence[str]

_GAP = -1.0
_TRUSTED_AGREEMENT = 0.5


def agreement(first: Tags, second: Tags) -> float:
    """Returns the share of tokens with equal tags; 0 for sentences of different lengths."""
    if len(first) != len(second) or not first:
        return 0.0
    return sum(map(str.__eq__, first, second)) / len(first)


def align_sentences(first: Sequence[Tags], second: Sequence[Tags]) -> List[Tuple[int, int]]:
    """
    Pairs the sentences of two sides in order (Needleman & Wunsch 1970). A pair of equally long
    sentences scores 1 plus the share of equal tags, any other pair 0, and a sentence without a
    partner -1. Sentences are thus paired by position until one side splits or merges a sentence.
    Returns pairs of positions, ascending on both sides, of sentences that can differ in length.
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
    Whether an equally long pair is certainly the same sentence: at least half of the tags agree, or
    the sentences before and after it are `pairs` of `align_sentences`, too.
    """
    row, column = pairs[index]
    if agreement(first[row], second[column]) >= _TRUSTED_AGREEMENT:
        return True
    before = pairs[index - 1] if index else (-1, -1)
    after = pairs[index + 1] if index + 1 < len(pairs) else (len(first), len(second))
    return before == (row - 1, column - 1) and after == (row + 1, column + 1)
