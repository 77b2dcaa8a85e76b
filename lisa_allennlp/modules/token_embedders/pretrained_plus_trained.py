"""Pretrained word vectors that stay as they are, and what training adds to them."""

from typing import Optional

import torch
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding, TokenEmbedder


@TokenEmbedder.register("pretrained_plus_trained")
class PretrainedPlusTrainedEmbedding(TokenEmbedder):
    """
    A word's vector is the sum of its pretrained vector, which stays fixed, and of one that is
    trained from zero (Dozat & Manning 2017, appendix). A word that training data lacks, but for
    which there is a pretrained vector, has that and nothing added to it.

    Registered as a `TokenEmbedder` with name "pretrained_plus_trained".

    # Parameters

    embedding_dim : `int`
    vocab : `Vocabulary`
    pretrained_file : `str`, optional (default = `None`)
        Word vectors in a format that AllenNLP's `Embedding` reads. AllenNLP leaves the argument
        out when it loads a trained model, which has the vectors among its weights.
    vocab_namespace : `str`, optional (default = `"tokens"`)
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
        """
        # Parameters

        tokens : `torch.Tensor`
            Shape `(batch_size, length)`, numbers of words.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, embedding_dim)`.
        """
        return self._pretrained(tokens) + self._trained(tokens)
