"""The sum of fixed pretrained word vectors and trained ones."""

from typing import Optional

import torch
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding, TokenEmbedder


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
