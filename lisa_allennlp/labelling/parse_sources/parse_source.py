"""The base class of other parsers."""

from typing import FrozenSet, List, Optional, Sequence

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.data.sentence import Sentence


class ParseSource(Registrable):
    """
    A parser of sentences that are already split into words. A subclass wraps a library's parser and
    implements `heads`.

    >>> class LastWordIsRoot(ParseSource):
    ...     def heads(self, sentences):
    ...         lengths = [len(sentence.words) for sentence in sentences]
    ...         return [[length - 1] * length for length in lengths]
    >>> LastWordIsRoot().parse([Sentence(["He", "slept"]), Sentence(["Go"])])
    [[1, 1], [0]]
    """

    @property
    def pos_tags(self) -> Optional[FrozenSet[str]]:
        """
        The parts of speech that the parser was trained on, if it needs the `pos` of each sentence;
        `None` if it reads words alone.
        """
        return None

    def parse(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        """
        # Parameters

        sentences : `Sequence[Sentence]`
            With words and, if the parser has `pos_tags`, with `pos`. No sentence is empty.

        # Returns

        `List[List[int]]`
            The 0-based position of each word's head; a root is its own head.

        # Raises

        `ConfigurationError`
            If the parser returns no tree, one that does not fit its sentence, or a cycle.
        """
        parses = self.heads(sentences)
        if len(parses) != len(sentences):
            raise ConfigurationError(
                f"parser: found {len(parses)} trees; expected {len(sentences)}, one per sentence"
            )
        for sentence, heads in zip(sentences, parses, strict=True):
            _check(sentence.words, heads)
        return parses

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        """The heads that `parse` checks and returns."""
        raise NotImplementedError


def _check(words: Sequence[str], heads: Sequence[int]) -> None:
    sentence = f"'{' '.join(words)}'"
    if len(heads) != len(words):
        raise ConfigurationError(
            f"parser: found {len(heads)} heads in the tree of {sentence}; expected {len(words)}, "
            "one per word"
        )
    for position, head in enumerate(heads):
        if not 0 <= head < len(words):
            raise ConfigurationError(
                f"parser: found {head} as the head of '{words[position]}' in the tree of "
                f"{sentence}; expected a 0-based position below {len(words)}"
            )
    cycle = find_cycle(heads)
    if cycle is not None:
        raise ConfigurationError(
            f"parser: found the cycle {shown_cycle(cycle, words)} in the heads of {sentence}; "
            "expected a tree"
        )
