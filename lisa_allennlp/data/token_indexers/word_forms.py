"""Indexers for the form of a word: in lower case, its first and last characters, its capitals."""

import re
from functools import lru_cache
from typing import Dict, List

import torch
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

_DIGIT = re.compile(r"[0-9]")

_PADDING = 0


def map_digits(word: str) -> str:
    return _DIGIT.sub("9", word)


def normalize_word(word: str) -> str:
    """Replaces every digit by 9 and converts to lower case: the key of a word embedding."""
    return map_digits(word).lower()


@TokenIndexer.register("normalized_words")
class NormalizedWordsIndexer(SingleIdTokenIndexer):
    """A `single_id` indexer that also replaces every digit by 9 (dynamic window, section 4.1)."""

    def __init__(
        self,
        namespace: str = "tokens",
        lowercase_tokens: bool = True,
        digits_to_nine: bool = True,
        token_min_padding_length: int = 0,
    ) -> None:
        super().__init__(
            namespace,
            lowercase_tokens=lowercase_tokens,
            token_min_padding_length=token_min_padding_length,
        )
        self._digits_to_nine = digits_to_nine

    def _get_feature_value(self, token: Token) -> str:
        text = super()._get_feature_value(token)
        return map_digits(text) if self._digits_to_nine else text


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

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]
    ) -> Dict[str, torch.Tensor]:
        rows = tokens["token_characters"]
        shape = (padding_lengths["token_characters"], 2 * self._num_characters)
        padded = torch.full(shape, _PADDING, dtype=torch.long)
        if rows:
            padded[: len(rows)] = torch.tensor(rows, dtype=torch.long)
        return {"token_characters": padded}


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
