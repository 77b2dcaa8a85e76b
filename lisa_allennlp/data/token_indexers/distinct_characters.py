"""An indexer for the characters of words, which indexes each distinct word once."""

import itertools
from typing import Any, Dict, List, Optional

import numpy
import torch
from allennlp.data import Token, Vocabulary
from allennlp.data.token_indexers import TokenCharactersIndexer, TokenIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from lisa_allennlp.text.tokens import LONGEST_WORD

CACHED_WORDS = 1 << 17


@TokenIndexer.register("distinct_characters")
class DistinctCharactersIndexer(TokenCharactersIndexer):
    """
    AllenNLP's `characters`, with the same parameters and, for words of at most `LONGEST_WORD`
    characters, the same results; of longer words it indexes the beginning. The indices of a word's
    characters are kept for its next occurrence, and padding is vectorised.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._known: Dict[str, List[int]] = {}
        self._vocabulary: Optional[Vocabulary] = None
        self._size = 0

    def tokens_to_indices(
        self, tokens: List[Token], vocabulary: Vocabulary
    ) -> Dict[str, List[List[int]]]:
        known = self._known_words(vocabulary)
        words = [token.ensure_text()[:LONGEST_WORD] for token in tokens]
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            computed = super().tokens_to_indices([Token(word) for word in new], vocabulary)
            first = len(self._start_tokens)
            own = computed["token_characters"][first : first + len(new)]
            known.update(zip(new, own, strict=True))
        indices = [known[word] for word in words]
        if self._start_tokens or self._end_tokens:
            around = super().tokens_to_indices([], vocabulary)["token_characters"]
            first = len(self._start_tokens)
            indices = [*around[:first], *indices, *around[first:]]
        return {"token_characters": indices}

    def _known_words(self, vocabulary: Vocabulary) -> Dict[str, List[int]]:
        size = vocabulary.get_vocab_size(self._namespace)
        is_same = self._vocabulary is vocabulary and self._size == size
        if not is_same or len(self._known) > CACHED_WORDS:
            self._known, self._vocabulary, self._size = {}, vocabulary, size
        return self._known

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: Dict[str, int]
    ) -> Dict[str, torch.Tensor]:
        words = tokens["token_characters"][: padding_lengths["token_characters"]]
        width = padding_lengths["num_token_characters"]
        lengths = numpy.fromiter(map(len, words), dtype=numpy.int64, count=len(words))
        if lengths.max(initial=0) > width:
            return super().as_padded_tensor_dict(tokens, padding_lengths)
        padded = numpy.zeros((padding_lengths["token_characters"], width), dtype=numpy.int64)
        flat = itertools.chain.from_iterable(words)
        is_character = numpy.arange(width) < lengths[:, None]
        padded[: len(words)][is_character] = numpy.fromiter(flat, numpy.int64, lengths.sum())
        return {"token_characters": torch.from_numpy(padded)}
