"""Words by their characters, each distinct word of a batch once."""

import torch
from allennlp.modules.token_embedders import TokenCharactersEncoder, TokenEmbedder

from lisa_allennlp.nn.distinct_words import encode_words


@TokenEmbedder.register("distinct_character_encoding")
class DistinctWordsCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `TokenCharactersEncoder`, with the same parameters and results. On a CPU each
    distinct word of a batch is encoded once.

    Registered as a `TokenEmbedder` with name "distinct_character_encoding".

    # Parameters

    embedding : `Embedding`
    encoder : `Seq2VecEncoder`
        One whose result for a word does not depend on padding, such as `cnn`.
    dropout : `float`, optional (default = `0.0`)
        After the encoder. On a CPU all occurrences of a word in a batch lose the same elements.
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
