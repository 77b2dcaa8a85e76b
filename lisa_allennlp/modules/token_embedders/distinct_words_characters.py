"""Words by their characters, each distinct word of a batch once."""

import torch
from allennlp.modules.token_embedders import TokenCharactersEncoder, TokenEmbedder

NARROWEST, NUM_WORDS_STEP = 8, 64
"""The width of the shortest words' tensor, and what the number of words is made a multiple of."""


@TokenEmbedder.register("distinct_character_encoding")
class DistinctWordsCharactersEncoder(TokenCharactersEncoder):
    """
    AllenNLP's `TokenCharactersEncoder`, with the same parameters and results, that on a CPU encodes
    each distinct word of a batch once, and words of up to 8, 16, 32 ... characters apart, so that a
    long word does not lengthen all others. The sizes of the tensors are few: PyTorch compiles its
    convolutions for each new one and keeps them, which had grown to hundreds of megabytes.

    On a GPU, where finding the distinct words would make the processor wait, all are encoded.

    Registered as a `TokenEmbedder` with name "distinct_character_encoding".

    # Parameters

    embedding : `Embedding`
    encoder : `Seq2VecEncoder`
        One for which padding does not change what it makes of a word, such as `cnn`.
    dropout : `float`, optional (default = `0.0`)
        After the encoder; the same for all occurrences of a word in a batch.
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
        if token_characters.device.type != "cpu":
            return super().forward(token_characters)
        words, places = torch.unique(token_characters.flatten(0, 1), dim=0, return_inverse=True)
        lengths = (words != 0).sum(dim=-1)
        encoded, rows = [], []
        shorter, width = -1, NARROWEST
        while shorter < words.size(1):
            those = ((lengths > shorter) & (lengths <= width)).nonzero().squeeze(1)
            if those.numel():
                rows.append(those)
                encoded.append(self._encode(words.index_select(0, those), width))
            shorter, width = width, 2 * width
        # Where each word has come to stand; a look-up's gradient is faster than that of an index.
        order = torch.cat(rows).argsort()[places].view(token_characters.shape[:2])
        return torch.nn.functional.embedding(order, torch.cat(encoded))

    def _encode(self, words: torch.Tensor, width: int) -> torch.Tensor:
        """Words of up to so many characters, of shape `(num_words, output_dim)`."""
        num_words, num_characters = words.shape
        spare = (0, width - num_characters, 0, -num_words % NUM_WORDS_STEP)
        padded = torch.nn.functional.pad(words, spare)
        return super().forward(padded.unsqueeze(0)).squeeze(0)[:num_words]
