"""Which tokens are predicates: as the network is told, and as it says."""

from typing import Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError


def append_indicator(
    embedded: torch.Tensor,
    predicate_indicator: Optional[torch.Tensor],
    embedding: Optional[torch.nn.Module],
) -> torch.Tensor:
    """
    Tells the network which predicate an instance is about (LISA section 4.1).

    # Parameters

    embedded : `torch.Tensor`
        Shape `(batch_size, length, dim)`.
    predicate_indicator : `torch.LongTensor`, optional
        Shape `(batch_size, length)`: 1 for the predicate, 0 for another token, negative for
        padding.
    embedding : `torch.nn.Module`, optional
        Of the two values of the indicator. `None` for a network that finds predicates itself.

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
    # Parameters

    probabilities : `torch.Tensor`
        Shape `(batch_size, length)`: of being a predicate.
    threshold : `float`
        A predicate's probability is above this.
    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`.
    given_predicates : `torch.LongTensor`, optional
        Shape `(batch_size, length)`: 1 for a predicate, 0 for another token, negative where the
        probability decides.

    # Returns

    `Tuple[torch.LongTensor, torch.LongTensor]`
        The row and the position of each predicate, in the order of rows, then of positions.
    """
    is_predicate = probabilities > threshold
    if given_predicates is not None:
        is_predicate = torch.where(given_predicates >= 0, given_predicates > 0, is_predicate)
    rows, positions = (is_predicate & mask).nonzero(as_tuple=True)
    return rows, positions
