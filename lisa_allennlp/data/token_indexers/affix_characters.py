"""An indexer for the first and last characters of words."""

from typing import Dict, List

import torch
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from lisa_allennlp.data.token_indexers.normalized_words import map_digits

_PADDING = 0


@TokenIndexer.register("affix_characters")
class AffixCharactersIndexer(TokenIndexer):
    """
    Represents a word by its first and last characters (dynamic window, equation 1). In a shorter
    word, the first characters are padded on the right and the last ones on the left. The output
    `token_characters` has shape `(num_tokens, 2 * num_characters)`.

    # Parameters

    num_characters : `int`, optional (default = `5`)
        The number of characters at each end of a word.
    digits_to_nine : `bool`, optional (default = `True`)
        Replace every digit by 9 (dynamic window, section 4.1).
    """

    def __init__(
        self,
        namespace: str = "affix_characters",
        num_characters: int = 5,
        digits_to_nine: bool = True,
        lowercase_characters: bool = False,
        token_min_padding_length: int = 0,
    ) -> None:
        super().__init__(token_min_padding_length)
        self._namespace = namespace
        self._num_characters = num_characters
        self._digits_to_nine = digits_to_nine
        self._lowercase_characters = lowercase_characters

    def _text(self, token: Token) -> str:
        text = map_digits(token.text or "") if self._digits_to_nine else token.text or ""
        return text.lower() if self._lowercase_characters else text

    def count_vocab_items(self, token: Token, counter: Dict[str, Dict[str, int]]) -> None:
        text = self._text(token)
        length = self._num_characters
        for character in text if len(text) <= 2 * length else text[:length] + text[-length:]:
            counter[self._namespace][character] += 1

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"token_characters": [self._affixes(token, vocabulary) for token in tokens]}

    def _affixes(self, token: Token, vocabulary: Vocabulary) -> List[int]:
        length = self._num_characters
        text = self._text(token)
        numbers = [vocabulary.get_token_index(c, self._namespace) for c in text[:length]]
        padding = [_PADDING] * (length - len(numbers))
        last = [vocabulary.get_token_index(c, self._namespace) for c in text[-length:]]
        return numbers + padding + padding + last

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> Dict[str, int]:
        length = len(indexed_tokens["token_characters"])
        return {"token_characters": max(length, self._token_min_padding_length)}

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]
    ) -> Dict[str, torch.Tensor]:
        rows = tokens["token_characters"]
        shape = (padding_lengths["token_characters"], 2 * self._num_characters)
        padded = torch.full(shape, _PADDING, dtype=torch.long)
        if rows:
            padded[: len(rows)] = torch.tensor(rows, dtype=torch.long)
        return {"token_characters": padded}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"token_characters": []}
