"""An indexer for the word pieces of a pretrained transformer."""

import os
from typing import Any, Dict, List, Optional, Union

from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from lisa_allennlp.models_on_disk.archives.cached_transformers import in_allennlps_caches
from lisa_allennlp.models_on_disk.model_folder import stored_path
from lisa_allennlp.text.tokens import LONGEST_WORD, unescape_brackets


@TokenIndexer.register("pretrained_transformer_words")
class PretrainedTransformerWordsIndexer(PretrainedTransformerMismatchedIndexer):
    """
    AllenNLP's `pretrained_transformer_mismatched`, with the unknown piece for words without word
    pieces, such as a zero-width space. AllenNLP's embedder fails on a sentence of such words only.

    # Parameters

    model_name : `str`
        A model of the Hugging Face Hub, or a folder with its files.
    max_length : `int`, optional (default = `512`)
        In word pieces, including those added at the ends. Longer sentences are split into segments
        of this length. Use the `max_length` of the embedder (`pretrained_transformer_words`).
    serialization_dir : `Union[str, PathLike]`, optional
        The folder of the model, which AllenNLP passes. A tokenizer stored there comes first.
    """

    def __init__(
        self,
        model_name: str,
        max_length: Optional[int] = 512,
        tokenizer_kwargs: Optional[Dict[str, Any]] = None,
        serialization_dir: Union[str, os.PathLike, None] = None,
        **kwargs: Any,
    ) -> None:
        stored = stored_path(model_name, serialization_dir)
        name = stored or model_name
        with in_allennlps_caches(name, stored is not None, tokenizer_kwargs):
            super().__init__(name, max_length=max_length, **kwargs)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        indices = super().tokens_to_indices(tokens, vocabulary)
        # AllenNLP marks words without word pieces by (-1, -1).
        has_pieces = [offset != (-1, -1) for offset in indices["offsets"]]
        unknown_piece = self._tokenizer.unk_token
        if all(has_pieces) or unknown_piece is None:
            return indices
        unknown = Token(unknown_piece)
        known = [t if has else unknown for t, has in zip(tokens, has_pieces, strict=True)]
        return super().tokens_to_indices(known, vocabulary)


@TokenIndexer.register("pretrained_encoder")
class PretrainedEncoderIndexer(PretrainedTransformerWordsIndexer):
    """
    Indexes the word pieces of a sentence for the embedder `pretrained_encoder`, which makes the
    segments of long sentences itself. Brackets are indexed as they are typed, `(` for `-LRB-`.
    """

    def __init__(self, model_name: str, **kwargs: Any) -> None:
        super().__init__(model_name, max_length=None, **kwargs)

    def tokens_to_indices(self, tokens: List[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        typed = [unescape_brackets(token.ensure_text())[:LONGEST_WORD] for token in tokens]
        return super().tokens_to_indices([Token(word) for word in typed], vocabulary)
