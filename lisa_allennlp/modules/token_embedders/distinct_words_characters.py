"""Word vectors from characters, computed once per distinct word."""

import torch
from allennlp.modules.token_embedders import TokenCharactersEncoder, TokenEmbedder

from lisa_allennlp.nn.distinct_words import encode_words


@TokenEmbedder.register("distinct_character_encoding")
class DistinctWordsCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `TokenCharactersEncoder`, with the same parameters and results. On a CPU each
    distinct word of a batch is encoded once.

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
        return encode_words(super().forward, token_characters)
