"""The base class of other parsers."""

from typing import List, Sequence

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError


class ParseSource(Registrable):
    """
    A parser of sentences that are already split into words. A subclass wraps a library's parser and
    implements `heads`.

    >>> class LastWordIsRoot(ParseSource):
    ...     def heads(self, sentences):
    ...         return [[len(words) - 1] * len(words) for words in sentences]
    >>> LastWordIsRoot().parse([["He", "slept"], ["Go"]])
    [[1, 1], [0]]
    """

    def parse(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
        """
        # Parameters

        sentences : `Sequence[Sequence[str]]`
            The words of each sentence. No sentence is empty.

        # Returns

        `List[List[int]]`
            The 0-based position of each word's head; a root is its own head.

        # Raises

        `ConfigurationError`
            If the parser returns no tree or one that does not fit its sentence.
        """
        parses = self.heads(sentences)
        if len(parses) != len(sentences):
            raise ConfigurationError(
                f"parser: found {len(parses)} trees; expected {len(sentences)}, one per sentence"
            )
        for words, heads in zip(sentences, parses, strict=True):
            _check(words, heads)
        return parses

    def heads(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
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
