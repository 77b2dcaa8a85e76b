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
