"""The base class of the heads that choose the roleset of each predicate."""

from typing import NamedTuple

import torch
from allennlp.common import Registrable


class SenseScores(NamedTuple):
    """
    # Parameters

    logits : `torch.Tensor`
        Shape `(num_predicates, num_candidates)`, in single precision; very low for padding.
    candidates : `torch.LongTensor`
        Shape `(num_predicates, num_candidates)`: indices of rolesets, negative for padding.
    """

    logits: torch.Tensor
    candidates: torch.Tensor

    def best(self) -> torch.Tensor:
        """
        The index of each predicate's best roleset, negative without candidates.

        >>> SenseScores(torch.tensor([[0.0, 1.0]]), torch.tensor([[7, 5]])).best()
        tensor([5])
        """
        return self.candidates.gather(1, self.logits.argmax(1, keepdim=True)).squeeze(1)


class SenseTagger(torch.nn.Module, Registrable):
    """
    Scores the rolesets that each predicate may have.

    # Parameters

    input_dim : `int`
        The size of the token states. A config leaves it out.
    num_senses : `int`
        The number of rolesets in the training data. A config leaves it out.
    """

    default_implementation = "linear"

    def __init__(self, input_dim: int, num_senses: int) -> None:
        super().__init__()
        self.input_dim = input_dim
        self.num_senses = num_senses

    def forward(self, states: torch.Tensor, candidates: torch.Tensor) -> SenseScores:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(num_predicates, input_dim)`.
        candidates : `torch.LongTensor`
            As in `SenseScores`.
        """
        logits = self.score(states, candidates.clamp(min=0)).float()
        lowest = torch.finfo(logits.dtype).min
        return SenseScores(logits.masked_fill(candidates < 0, lowest), candidates)

    def score(self, states: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """
        Subclasses implement this.

        # Parameters

        states, candidates :
            As in `forward`, but without negative numbers.

        # Returns

        `torch.Tensor`
            Logits of shape `(num_predicates, num_candidates)`.
        """
        raise NotImplementedError
