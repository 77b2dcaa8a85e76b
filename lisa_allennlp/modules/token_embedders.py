"""Token embedders registered as AllenNLP's `TokenEmbedder`, an initializer, and stateless ELMo."""

import os
from typing import Any, Dict, Optional, Sequence, Tuple, TypeVar, Union

import torch
from allennlp.data import Vocabulary
from allennlp.modules.elmo_lstm import ElmoLstm
from allennlp.modules.token_embedders import (
    Embedding,
    PretrainedTransformerMismatchedEmbedder,
    TokenCharactersEncoder,
    TokenEmbedder,
)
from allennlp.nn import Initializer

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.archives.cached_transformers import in_allennlps_caches
from lisa_allennlp.models_on_disk.model_folder import stored_path

NARROWEST = 8
"""Words are padded to this number of characters, which the filters of a `cnn` may need."""

Module = TypeVar("Module", bound=torch.nn.Module)


@TokenEmbedder.register("affix_characters")
class AffixCharactersEmbedder(TokenEmbedder):
    """
    Concatenates the embeddings of the characters that the `affix_characters` indexer returns
    (dynamic window, equation 1). `num_characters` (on each side) and `namespace` are the indexer's.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        embedding_dim: int = 5,
        num_characters: int = 5,
        namespace: str = "affix_characters",
    ) -> None:
        super().__init__()
        self._namespace = namespace
        self._output_dim = 2 * num_characters * embedding_dim
        # Padding has an embedding like any character, since it shows that a word is short.
        self._embedding = torch.nn.Embedding(vocab.get_vocab_size(namespace), embedding_dim)

    def get_output_dim(self) -> int:
        return self._output_dim

    def vocabulary_axes(self) -> Dict[str, Tuple[Optional[str], ...]]:
        return {"_embedding.weight": (self._namespace,)}

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """Maps `(batch_size, length, 2 * num_characters)` to `(batch_size, length, output_dim)`."""
        return self._embedding(token_characters).flatten(start_dim=-2)


@TokenEmbedder.register("distinct_character_encoding")
class DistinctWordsCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `TokenCharactersEncoder`, with the same parameters and results. On a CPU each
    distinct word of a batch is encoded once. (On a GPU, finding the distinct words would make the
    host wait.)

    # Parameters

    encoder : `Seq2VecEncoder`
        Its vector for a word must not depend on padding; `cnn` meets this condition.
    dropout : `float`, optional (default = `0.0`)
        Applied after the encoder. On a CPU all occurrences of a word in a batch share one mask.
    """

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """Maps `(batch_size, length, num_characters)`, zero for padding, to `(..., output_dim)`."""
        if not token_characters.is_cpu:
            return super().forward(token_characters)
        flat = token_characters.flatten(0, 1)
        words, rows = torch.unique(flat, dim=0, return_inverse=True)
        words = torch.nn.functional.pad(words, (0, max(0, NARROWEST - words.size(1))))
        vectors = super().forward(words.unsqueeze(0)).squeeze(0)
        # The gradient of `embedding` is faster than that of indexing.
        return torch.nn.functional.embedding(rows.view(token_characters.shape[:2]), vectors)


@TokenEmbedder.register("pretrained_plus_trained")
class PretrainedPlusTrainedEmbedding(TokenEmbedder):
    """
    Embeds a word as the sum of its pretrained vector, which stays fixed, and a trained vector,
    which starts at zero (Dozat & Manning 2017, appendix). A word that has a pretrained vector but
    is not in the training data keeps that vector unchanged.

    # Parameters

    pretrained_file : `str`, optional (default = `None`)
        Word vectors in a format that AllenNLP's `Embedding` reads. AllenNLP omits this argument
        when it loads a trained model, because the weights include the vectors.
    """

    def __init__(
        self,
        embedding_dim: int,
        vocab: Vocabulary,
        pretrained_file: Optional[str] = None,
        vocab_namespace: str = "tokens",
    ) -> None:
        super().__init__()
        self._pretrained = Embedding(
            embedding_dim,
            trainable=False,
            vocab_namespace=vocab_namespace,
            pretrained_file=pretrained_file,
            vocab=vocab,
        )
        self._trained = Embedding(embedding_dim, vocab_namespace=vocab_namespace, vocab=vocab)
        torch.nn.init.zeros_(self._trained.weight)

    def get_output_dim(self) -> int:
        return self._pretrained.get_output_dim()

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Maps the indices of words, `(batch_size, length)`, to `(..., embedding_dim)`."""
        return self._pretrained(tokens) + self._trained(tokens)


@Initializer.register("unit_variance")
class UnitVariance(Initializer):
    """
    Divides pretrained word vectors by the standard deviation of all their values, as `vocab.py` of
    the authors' code and of Dozat & Manning's do. A config names it in the model's `initializer`,
    for the weights of an embedder.

    >>> vectors = torch.tensor([[3.0, -1.0], [1.0, -3.0]])
    >>> UnitVariance()(vectors)
    >>> bool(vectors.square().mean().isclose(torch.tensor(1.0)))
    True
    """

    @torch.no_grad()
    def __call__(self, tensor: torch.Tensor, **kwargs: Any) -> None:
        tensor /= tensor.std(correction=0)


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
        with in_allennlps_caches(name, stored is not None, tokenizer_kwargs, transformer_kwargs):
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


@TokenEmbedder.register("pretrained_encoder")
class PretrainedEncoderEmbedder(PretrainedTransformerWordsEmbedder):
    """
    Embeds a word as its first word piece: the last layer of a pretrained transformer beside a
    learned mix of all its layers. The indexer has the same name.

    A sentence of more than `max_length` word pieces is encoded in segments that overlap by half,
    and a piece is read from the segment in which it is farthest from the ends.

    The parameters are those of `pretrained_transformer_words`.
    """

    def __init__(self, model_name: str, max_length: int = 512, **kwargs: Any) -> None:
        super().__init__(model_name, max_length, last_layer_only=False, **kwargs)
        self._max_length = max_length

    def get_output_dim(self) -> int:
        return 2 * super().get_output_dim()

    def forward(  # type: ignore[override]
        self,
        token_ids: torch.Tensor,
        mask: torch.Tensor,
        offsets: torch.Tensor,
        wordpiece_mask: torch.Tensor,
        type_ids: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        Maps the indices of word pieces, `(batch_size, num_pieces)`, and the first and last piece of
        each word, `(batch_size, length, 2)`, to `(batch_size, length, output_dim)`.
        """
        size, firsts = self._max_length, offsets[:, :, 0]
        rows = torch.arange(len(token_ids), device=token_ids.device).unsqueeze(-1)
        if token_ids.size(1) > size:
            # As of the sentence alone, whatever the longest one of the batch is.
            last = (wordpiece_mask.sum(-1, keepdim=True) - size).clamp(min=0)
            start = token_ids[:, :1]
            token_ids, wordpiece_mask = (_segments(t, size) for t in (token_ids, wordpiece_mask))
            token_ids[:, 1:, 0] = start
            num_segments, step = token_ids.size(1), size // 2
            last = torch.div(last + step - 1, step, rounding_mode="floor")
            segments = torch.minimum(((firsts - size // 4) // step).clamp(min=0), last)
            rows, firsts = rows * num_segments + segments, firsts - segments * step
            token_ids, wordpiece_mask = token_ids.flatten(0, 1), wordpiece_mask.flatten(0, 1)
        transformer: Any = self._matched_embedder.transformer_model
        vectors = transformer.get_input_embeddings()(token_ids)
        layers = self._layers(vectors, wordpiece_mask.float())
        return self._mix([layer[rows, firsts] for layer in layers])

    def encode(self, pieces: torch.Tensor) -> torch.Tensor:
        """Encodes segments without padding: `(..., dim)` to `(..., output_dim)`."""
        return self._mix(self._layers(pieces, None))

    def _layers(self, pieces: torch.Tensor, mask: Optional[torch.Tensor]) -> Sequence[torch.Tensor]:
        transformer: Any = self._matched_embedder.transformer_model
        return transformer(inputs_embeds=pieces, attention_mask=mask).hidden_states[1:]

    def _mix(self, layers: Sequence[torch.Tensor]) -> torch.Tensor:
        mix: Any = self._matched_embedder._scalar_mix
        return torch.cat([layers[-1], mix(layers)], dim=-1)


def _segments(of_pieces: torch.Tensor, size: int) -> torch.Tensor:
    """`(batch_size, num_pieces)` to segments that overlap by half, `(batch_size, number, size)`."""
    step = size // 2
    missing = -(of_pieces.size(1) - size) % step
    return torch.nn.functional.pad(of_pieces, (0, missing)).unfold(1, size, step).clone()


def _num_positions(transformer: torch.nn.Module) -> Optional[int]:
    for name, module in transformer.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            # RoBERTa and related models start positions after the padding index.
            first = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - first
    return None


class StatelessElmoLstm(ElmoLstm):
    """
    AllenNLP's `ElmoLstm`, with the same parameters, but every sentence starts from a zero state.
    AllenNLP keeps the final states of a batch's rows and starts the next batch's rows from them, so
    that the same sentence is embedded differently after different sentences.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stateful = False

    def _update_states(self, final_states: Any, restoration_indices: torch.Tensor) -> None:
        """Keeps nothing: `ElmoLstm` calls this even if it is not stateful."""


def make_elmo_stateless(module: Module) -> Module:
    """Replaces every ELMo in a module by a stateless one, in place. Parameters keep their names."""
    for part in module.modules():
        if isinstance(part, ElmoLstm):
            # Another module in its place would need the names of its parents' attributes.
            part.__class__ = StatelessElmoLstm
            part.stateful = False
            part.reset_states()
    return module
