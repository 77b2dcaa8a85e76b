"""The embeddings of a word's first and last characters, side by side."""

import torch
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import TokenEmbedder


@TokenEmbedder.register("affix_characters")
class AffixCharactersEmbedder(TokenEmbedder):
    """
    Looks up the characters that the indexer of the same name gives and concatenates their
    embeddings (dynamic window, equation 1).

    # Parameters

    vocab : `Vocabulary`
    embedding_dim : `int`, optional (default = `5`)
        The size of a character's embedding.
    num_characters : `int`, optional (default = `5`)
        The number of characters on each side, as the indexer has it.
    namespace : `str`, optional (default = `"affix_characters"`)
        The indexer's.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        embedding_dim: int = 5,
        num_characters: int = 5,
        namespace: str = "affix_characters",
    ) -> None:
        super().__init__()
        self._output_dim = 2 * num_characters * embedding_dim
        # Padding has an embedding like any character: that a word is short is worth knowing.
        self._embedding = torch.nn.Embedding(vocab.get_vocab_size(namespace), embedding_dim)

    def get_output_dim(self) -> int:
        return self._output_dim

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        token_characters : `torch.LongTensor`
            Shape `(batch_size, length, 2 * num_characters)`.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, 2 * num_characters * embedding_dim)`.
        """
        return self._embedding(token_characters).flatten(start_dim=-2)
