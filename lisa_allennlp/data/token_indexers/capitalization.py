"""An indexer for the capitalisation of words."""

from functools import lru_cache
from typing import Dict, List

from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

CAPITALIZATIONS = ("lower", "initial", "upper", "mixed", "none")
_NUMBERS = {name: number for number, name in enumerate(CAPITALIZATIONS, start=1)}


@lru_cache(maxsize=1 << 16)
def capitalization(word: str) -> str:
    """
    Returns one of `CAPITALIZATIONS`: `lower` (`cat`), `initial` (`The`, `I`), `upper` (`IBM`),
    `mixed` (`iPod`, `McNally`), or `none` for words without cased letters (`9`, `,`).
    """
    letters = [character for character in word if character.lower() != character.upper()]
    if not letters:
        return "none"
    is_upper = [character != character.lower() for character in letters]
    if not any(is_upper):
        return "lower"
    if is_upper[0] and not any(is_upper[1:]):
        return "initial"
    return "upper" if all(is_upper) else "mixed"


@TokenIndexer.register("capitalization")
class CapitalizationIndexer(TokenIndexer):
    """
    Represents a word by its capitalisation (dynamic window, equation 1): an index from 1 to 5, in
    the order of `CAPITALIZATIONS`; 0 is padding. An `embedding` for this indexer has
    `num_embeddings` 6.
    """

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        # The indices are fixed.
        pass

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"tokens": [_NUMBERS[capitalization(token.text or "")] for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"tokens": []}
