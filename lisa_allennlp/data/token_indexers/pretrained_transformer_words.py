"""Word pieces of words, at least one for each."""

from typing import Any, List

from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

# Mends how AllenNLP's classes load tokenizers.
import lisa_allennlp.common.cached_transformers  # noqa: F401


@TokenIndexer.register("pretrained_transformer_words")
class PretrainedTransformerWordsIndexer(PretrainedTransformerMismatchedIndexer):
    """
    AllenNLP's `pretrained_transformer_mismatched`, with the unknown piece for words of which the
    transformer's tokenizer leaves nothing, such as a zero-width character. AllenNLP's embedder
    fails on a sentence of such words alone.

    # Parameters

    model_name : `str`
        The name of a model of the Hugging Face Hub, or a folder with its files.
    max_length : `int`, optional (default = `512`)
        In word pieces, those added at the ends included: longer sentences are split into segments
        of that length. The same as the `pretrained_transformer_words` embedder's.
    **kwargs
        The other options of AllenNLP's indexer.
    """

    def __init__(self, model_name: str, max_length: int = 512, **kwargs: Any) -> None:
        super().__init__(model_name, max_length=max_length, **kwargs)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        indices = super().tokens_to_indices(tokens, vocabulary)
        # How AllenNLP says that a word has no piece.
        has_pieces = [offset != (-1, -1) for offset in indices["offsets"]]
        unknown_piece = self._tokenizer.unk_token
        if all(has_pieces) or unknown_piece is None:
            return indices
        unknown = Token(unknown_piece)
        known = [t if has else unknown for t, has in zip(tokens, has_pieces, strict=True)]
        return super().tokens_to_indices(known, vocabulary)
