"""What other parsers have in common."""

from typing import List, Sequence

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError


class ParseSource(Registrable):
    """
    A parser of sentences that are split into words already. Subclasses wrap one library's and
    implement `heads`.
    """

    def parse(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
        """
        # Parameters

        sentences : `Sequence[Sequence[str]]`
            The words of each sentence, at least one.

        # Returns

        `List[List[int]]`
            The position of each word's head, 0-based, a root being its own head.

        # Raises

        `ConfigurationError`
            If the parser gives no tree, or one that does not fit its sentence.
        """
        parses = self.heads(sentences)
        if len(parses) != len(sentences):
            raise ConfigurationError(
                f"parser: found {len(parses)} trees; expected one for each of {len(sentences)} "
                "sentences"
            )
        for words, heads in zip(sentences, parses, strict=True):
            _check(words, heads)
        return parses

    def heads(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
        """As `parse`, which checks what this returns."""
        raise NotImplementedError


def _check(words: Sequence[str], heads: Sequence[int]) -> None:
    sentence = f"'{' '.join(words)}'"
    if len(heads) != len(words):
        raise ConfigurationError(
            f"parser: found {len(heads)} heads in the tree of {sentence}; expected one for each "
            f"of its {len(words)} words"
        )
    for position, head in enumerate(heads):
        if not 0 <= head < len(words):
            raise ConfigurationError(
                f"parser: found {head} as the head of '{words[position]}' in the tree of "
                f"{sentence}; expected a 0-based position below {len(words)}"
            )
