"""Embeddings of a word's first and last characters."""

from typing import Dict, Optional, Tuple

import torch
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import TokenEmbedder


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
        """The axes of its weights, as in `SentenceModel`."""
        return {"_embedding.weight": (self._namespace,)}

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """Maps `(batch_size, length, 2 * num_characters)` to `(batch_size, length, output_dim)`."""
        return self._embedding(token_characters).flatten(start_dim=-2)
