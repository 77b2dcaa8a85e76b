"""Word vectors from characters, computed once per distinct word."""

import torch
from allennlp.modules.token_embedders import TokenCharactersEncoder, TokenEmbedder

NARROWEST = 8
"""Words are padded to this number of characters, which the filters of a `cnn` may need."""


@TokenEmbedder.register("distinct_character_encoding")
class DistinctWordsCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `TokenCharactersEncoder`, with the same parameters and results. On a CPU each
    distinct word of a batch is encoded once. (On a GPU, finding the distinct words would make the
    host wait.)

    Registered as a `TokenEmbedder` with name "distinct_character_encoding".

    >>> from allennlp.modules.seq2vec_encoders import CnnEncoder
    >>> from allennlp.modules.token_embedders import Embedding
    >>> cnn = CnnEncoder(embedding_dim=4, num_filters=3, ngram_filter_sizes=(2,))
    >>> encoder = DistinctWordsCharactersEncoder(Embedding(4, num_embeddings=30), cnn)
    >>> words = torch.tensor([[[20, 8, 5], [1, 14, 0], [20, 8, 5]]])
    >>> encoder(words).shape
    torch.Size([1, 3, 3])

    # Parameters

    encoder : `Seq2VecEncoder`
        Its vector for a word must not depend on padding; `cnn` meets this condition.
    dropout : `float`, optional (default = `0.0`)
        Applied after the encoder. On a CPU all occurrences of a word in a batch share one mask.
    """

    def forward(self, token_characters: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        token_characters : `torch.LongTensor`
            Shape `(batch_size, length, num_characters)`, zero for padding.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, output_dim)`.
        """
        if not token_characters.is_cpu:
            return super().forward(token_characters)
        flat = token_characters.flatten(0, 1)
        words, rows = torch.unique(flat, dim=0, return_inverse=True)
        words = torch.nn.functional.pad(words, (0, max(0, NARROWEST - words.size(1))))
        vectors = super().forward(words.unsqueeze(0)).squeeze(0)
        # The gradient of `embedding` is faster than that of indexing.
        return torch.nn.functional.embedding(rows.view(token_characters.shape[:2]), vectors)
