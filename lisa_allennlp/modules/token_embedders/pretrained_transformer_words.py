"""A Hugging Face encoder over words that checks the transformer's number of positions."""

import os
from typing import Any, Dict, Optional, Union

import torch
from allennlp.modules.token_embedders import PretrainedTransformerMismatchedEmbedder, TokenEmbedder

from lisa_allennlp.common.cached_transformers import in_allennlps_caches
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.stored_files import stored_path


@TokenEmbedder.register("pretrained_transformer_words")
class PretrainedTransformerWordsEmbedder(PretrainedTransformerMismatchedEmbedder):
    """
    AllenNLP's `pretrained_transformer_mismatched`, which also rejects a `max_length` above the
    transformer's number of positions. Otherwise the first sentence with too many word pieces would
    end a run, and on a GPU the error would not name the cause.

    A word is embedded as the mean of its word pieces. Sentences of more than `max_length` word
    pieces are embedded in segments.

    # Parameters

    model_name : `str`
        The name of a model on the Hugging Face Hub, or a folder with its files.
    max_length : `int`, optional (default = `512`)
        The number of word pieces, special ones included; the same as the
        `pretrained_transformer_words` indexer's.
    load_weights : `bool`, optional (default = `True`)
        Whether to load the pretrained weights, which a trained model does not need.
    tokenizer_kwargs, transformer_kwargs : `Dict[str, Any]`, optional
        As for AllenNLP's embedder.
    serialization_dir : `Union[str, PathLike]`, optional
        The folder of the model, which AllenNLP passes. Without `load_weights`, a transformer stored
        there comes first.
    **kwargs
        The other options of AllenNLP's embedder.
    """

    def __init__(
        self,
        model_name: str,
        max_length: int = 512,
        load_weights: bool = True,
        tokenizer_kwargs: Optional[Dict[str, Any]] = None,
        transformer_kwargs: Optional[Dict[str, Any]] = None,
        serialization_dir: Union[str, os.PathLike, None] = None,
        **kwargs: Any,
    ) -> None:
        stored = None if load_weights else stored_path(model_name, serialization_dir)
        name = stored or model_name
        if stored is not None:
            kwargs = {key: kwargs[key] for key in kwargs if not key.startswith("override_weights")}
        with in_allennlps_caches(name, stored is not None, tokenizer_kwargs):
            super().__init__(
                name,
                max_length=max_length,
                load_weights=load_weights,
                transformer_kwargs={"trust_remote_code": False, **(transformer_kwargs or {})},
                **kwargs,
            )
        transformer = self._matched_embedder.transformer_model
        if isinstance(getattr(transformer, "pooler", None), torch.nn.Module):
            # It reads whole sentences. No word depends on it, and workers of a distributed training
            # would wait for its gradient.
            transformer.pooler.requires_grad_(False)
        positions = _num_positions(transformer)
        if positions is not None and max_length > positions:
            raise ConfigurationError(
                f"max_length is {max_length}, but the transformer '{model_name}' has positions for "
                f"{positions} word pieces; expected at most {positions}, for both its token "
                "embedder and its token indexer"
            )


def _num_positions(transformer: torch.nn.Module) -> Optional[int]:
    """The number of embedded positions, or `None` if no such embedding is found."""
    for name, module in transformer.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            # RoBERTa and related models start positions after the padding index.
            first = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - first
    return None
