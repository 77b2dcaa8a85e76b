"""An indexer for the capitalisation of words."""

from typing import Dict, List

from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from lisa_allennlp.data.formats.ccg.words import CAPITALIZATIONS, capitalization

_NUMBERS = {name: number for number, name in enumerate(CAPITALIZATIONS, start=1)}


@TokenIndexer.register("capitalization")
class CapitalizationIndexer(TokenIndexer):
    """
    Represents a word by its capitalisation (dynamic window, equation 1): an index from 1 to 5, in
    the order of `lisa_allennlp.data.formats.ccg.words.CAPITALIZATIONS`; 0 is padding. An
    `embedding` for this indexer has `num_embeddings` 6.

    Registered as a `TokenIndexer` with name "capitalization".

        >>> words = ["cat", "The", "IBM", "iPod", "1984"]
        >>> CapitalizationIndexer().tokens_to_indices([Token(w) for w in words], Vocabulary())
        {'tokens': [1, 2, 3, 4, 5]}
    """

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        # The indices are fixed.
        pass

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"tokens": [_NUMBERS[capitalization(token.text or "")] for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"tokens": []}
