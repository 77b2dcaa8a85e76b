"""Rolesets scored by a linear map of the predicate's state."""

import torch

from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.heads.sense_tagger import SenseTagger


@SenseTagger.register("linear")
class LinearSenseTagger(SenseTagger):
    """
    One row of weights per roleset. Only the rows of the candidates are read.

    Registered as a `SenseTagger` with name "linear".

    >>> tagger = LinearSenseTagger(input_dim=4, num_senses=9)
    >>> tagger(torch.randn(2, 4), torch.tensor([[3, 5, 8], [2, -1, -1]])).logits.shape
    torch.Size([2, 3])

    # Parameters

    input_dim, num_senses :
        As for `SenseTagger`.
    dropout : `float`, optional (default = `0.3`)
        Applied to the states.
    """

    def __init__(self, input_dim: int, num_senses: int, dropout: float = 0.3) -> None:
        super().__init__(input_dim, num_senses)
        self._dropout = Dropout(dropout)
        self._projection = torch.nn.Linear(input_dim, num_senses)

    def score(self, states: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """As in `SenseTagger`."""
        states = self._dropout(states).unsqueeze(-1)
        weight = torch.nn.functional.embedding(candidates, self._projection.weight)
        logits = torch.matmul(weight, states.to(weight.dtype)).squeeze(-1)
        return logits + self._projection.bias[candidates]
