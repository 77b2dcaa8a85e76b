"""What is asked of every other parser's trees."""

from typing import List, Sequence

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.parse_sources import ParseSource

SENTENCES = [Sentence(["a", "b"]), Sentence(["c"])]


class FixedParses(ParseSource):
    """Gives the trees that it was made with."""

    def __init__(self, parses: List[List[int]]) -> None:
        self._parses = parses

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        return self._parses


def test_trees_that_fit_are_passed_on() -> None:
    assert FixedParses([[1, 1], [0]]).parse(SENTENCES) == [[1, 1], [0]]


@pytest.mark.parametrize(
    "parses, message",
    [
        ([[1, 1]], "found 1 trees; expected 2, one per sentence"),
        ([[1, 1], [0, 0]], "found 2 heads in the tree of 'c'; expected 1, one per word"),
        ([[1], [0]], "found 1 heads in the tree of 'a b'; expected 2, one per word"),
        ([[1, 2], [0]], "found 2 as the head of 'b' in the tree of 'a b'; .* position below 2"),
        ([[-1, 1], [0]], "found -1 as the head of 'a'"),
        ([[1, 0], [0]], r"found the cycle 1 \(a\) <- 2 \(b\) <- 1 \(a\) in the heads of 'a b'"),
    ],
)
def test_others_are_refused(parses: List[List[int]], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        FixedParses(parses).parse(SENTENCES)
