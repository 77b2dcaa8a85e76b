"""A Hugging Face encoder over words, held to the positions that it has."""

from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import PretrainedTransformerMismatchedEmbedder, TokenEmbedder

# Mends how AllenNLP's classes load tokenizers.
import lisa_allennlp.common.cached_transformers  # noqa: F401


@TokenEmbedder.register("pretrained_transformer_words")
class PretrainedTransformerWordsEmbedder(PretrainedTransformerMismatchedEmbedder):
    """
    AllenNLP's `pretrained_transformer_mismatched`, which refuses a `max_length` that is more than
    the transformer has positions. Without that, the first sentence with more word pieces than
    positions ends a run, on a GPU without a word of the cause.

    A word is embedded as the mean of its word pieces. Sentences of more than `max_length` word
    pieces are embedded in segments.

    # Parameters

    model_name : `str`
        The name of a model of the Hugging Face Hub, or a folder with its files.
    max_length : `int`, optional (default = `512`)
        In word pieces, those added at the ends included; the same as the
        `pretrained_transformer_words` indexer's.
    **kwargs
        The other options of AllenNLP's embedder.

    # Raises

    `ConfigurationError`
        If the transformer has fewer positions.
    """

    def __init__(self, model_name: str, max_length: int = 512, **kwargs: Any) -> None:
        super().__init__(model_name, max_length=max_length, **kwargs)
        positions = _num_positions(self._matched_embedder.transformer_model)
        if positions is not None and max_length > positions:
            raise ConfigurationError(
                f"max_length is {max_length}, but the transformer '{model_name}' has positions for "
                f"{positions} word pieces; expected a max_length of at most {positions}, for both "
                "its token embedder and its token indexer"
            )


def _num_positions(transformer: torch.nn.Module) -> Optional[int]:
    """How many positions are embedded; `None` where they are not, or under another name."""
    for name, module in transformer.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            # RoBERTa and its kin count positions from after the number of their padding.
            first = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - first
    return None
