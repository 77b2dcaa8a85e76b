"""Given predicates as an input of the network, and predicted ones as its output."""

from typing import Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError


def append_indicator(
    embedded: torch.Tensor,
    predicate_indicator: Optional[torch.Tensor],
    embedding: Optional[torch.nn.Module],
) -> torch.Tensor:
    """
    Appends an embedding that marks the predicate of each instance (LISA section 4.1).

    # Parameters

    embedded : `torch.Tensor`
        Shape `(batch_size, length, dim)`.
    predicate_indicator : `torch.LongTensor`, optional
        Shape `(batch_size, length)`: 1 for the predicate, 0 for other tokens, negative for padding.
    embedding : `torch.nn.Module`, optional
        Embeds the two values of the indicator. `None` for a network that finds predicates itself.

    # Returns

    `torch.Tensor`
        Shape `(batch_size, length, dim + indicator_dim)`.

    # Raises

    `ConfigurationError`
        If there is an indicator but no embedding, or the other way round.
    """
    if embedding is None and predicate_indicator is None:
        return embedded
    if embedding is None:
        raise ConfigurationError(
            "found a predicate_indicator, but the model has no predicate_indicator_embedding; "
            "expected a reader without one_predicate_per_instance"
        )
    if predicate_indicator is None:
        raise ConfigurationError(
            "found no predicate_indicator, which the model's predicate_indicator_embedding needs; "
            "expected a reader with one_predicate_per_instance"
        )
    return torch.cat([embedded, embedding(predicate_indicator.clamp(min=0))], dim=-1)


def find_predicates(
    probabilities: torch.Tensor,
    threshold: float,
    mask: torch.Tensor,
    given_predicates: Optional[torch.Tensor] = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Finds the predicates of a batch.

    >>> probabilities = torch.tensor([[0.9, 0.2, 0.7], [0.1, 0.6, 0.0]])
    >>> find_predicates(probabilities, 0.5, mask=torch.ones(2, 3, dtype=torch.bool))
    (tensor([0, 0, 1]), tensor([0, 2, 1]))

    # Parameters

    probabilities : `torch.Tensor`
        Shape `(batch_size, length)`: each token's probability of being a predicate.
    threshold : `float`
        Tokens with a probability above it are predicates.
    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`.
    given_predicates : `torch.LongTensor`, optional
        Shape `(batch_size, length)`: 1 for a predicate, 0 for other tokens, negative where the
        probability decides.

    # Returns

    `Tuple[torch.LongTensor, torch.LongTensor]`
        The row and the position of each predicate, sorted by row, then by position.
    """
    is_predicate = probabilities > threshold
    if given_predicates is not None:
        is_predicate = torch.where(given_predicates >= 0, given_predicates > 0, is_predicate)
    rows, positions = (is_predicate & mask).nonzero(as_tuple=True)
    return rows, positions
