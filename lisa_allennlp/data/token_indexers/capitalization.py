"""How words are capitalised."""

from typing import Dict, List

from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from lisa_allennlp.data.formats.ccg.words import CAPITALIZATIONS, capitalization

_NUMBERS = {name: number for number, name in enumerate(CAPITALIZATIONS, start=1)}


@TokenIndexer.register("capitalization")
class CapitalizationIndexer(TokenIndexer):
    """
    Represents a word by how it is capitalised (dynamic window, equation 1): a number from 1 to 5,
    in the order of `lisa_allennlp.data.formats.ccg.words.CAPITALIZATIONS`; 0 is padding. An
    `embedding` of them therefore has `num_embeddings` 6.
    """

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        # The numbers are fixed.
        pass

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"tokens": [_NUMBERS[capitalization(token.text or "")] for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"tokens": []}
