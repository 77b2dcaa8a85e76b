"""An indexer for words in lower case, with digits replaced by 9."""

import re
from typing import Any, Dict

from allennlp.data import Token
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenIndexer

_DIGIT = re.compile(r"[0-9]")


def map_digits(word: str) -> str:
    """Replaces every digit by 9 (dynamic window, section 4.1)."""
    return _DIGIT.sub("9", word)


def normalize_word(word: str) -> str:
    """Replaces every digit by 9 and converts to lower case: the key of a word embedding."""
    return map_digits(word).lower()


@TokenIndexer.register("normalized_words")
class NormalizedWordsIndexer(SingleIdTokenIndexer):
    """
    A `single_id` indexer that also replaces every digit by 9 (dynamic window, section 4.1).
    """

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

    def _to_params(self) -> Dict[str, Any]:
        return {
            "namespace": self.namespace,
            "lowercase_tokens": self.lowercase_tokens,
            "digits_to_nine": self._digits_to_nine,
            "token_min_padding_length": self._token_min_padding_length,
        }
