"""Scores of pairs of vectors: of arcs (LISA's syntactic head, the D&M parser), labels and roles."""

from typing import Callable

import torch

PAIRS_AT_ONCE = 256
"""
How many pairs `score_pairs` scores at a time. Their forms take 4.6 MB for 45 labels of 100 x 100,
which stay in the core's cache until the second product.
"""


class BiaffineAttention(torch.nn.Module):
    """
    Scores every pair of a query and a key with `q^T U k + u^T k`: a bilinear form plus a prior of
    the key alone, for arcs the prior of a token to be a head (Dozat & Manning 2017, equation 2;
    LISA, equation 4). Dependents are queries and heads are keys. Both `U` and `u` start at zero, as
    in the authors' parser: no arc is preferred before anything has been learned.

    # Parameters

    dim : `int`
        The size of queries and of keys.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._query_to_key = torch.nn.Linear(dim, dim)
        torch.nn.init.zeros_(self._query_to_key.weight)
        torch.nn.init.zeros_(self._query_to_key.bias)

    def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        queries : `torch.Tensor`
            Shape `(batch_size, num_queries, dim)`.
        keys : `torch.Tensor`
            Shape `(batch_size, num_keys, dim)`.

        # Returns

        `torch.Tensor`
            Scores of shape `(batch_size, num_queries, num_keys)`, in single precision.
        """
        return self.compare(self.preferred_keys(queries), keys)

    def preferred_keys(self, queries: torch.Tensor) -> torch.Tensor:
        """`U^T q + u`, with which keys are compared: shape `(..., dim)`, like the queries."""
        return self._query_to_key(queries)

    @staticmethod
    def compare(preferred_keys: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """
        The scores of `forward`, always in single precision: small differences between them decide,
        and products of this size are not faster in reduced precision.
        """
        with torch.autocast(keys.device.type, enabled=False):
            return torch.bmm(preferred_keys.float(), keys.float().transpose(1, 2))


class LabelBilinear(torch.nn.Module):
    """
    Scores each label for pairs of vectors: `[left; 1]^T U_l [right; 1]`, that is a bilinear form
    with a bias on both sides (LISA, equation 6; Dozat & Manning 2017, equation 3).

    The form is applied in two steps, left then right, so that one left vector is projected once
    however many right vectors it meets: a predicate is compared with all tokens of its sentence.

    # Parameters

    left_dim : `int`
    right_dim : `int`
    num_labels : `int`
    """

    def __init__(self, left_dim: int, right_dim: int, num_labels: int) -> None:
        super().__init__()
        self._num_labels = num_labels
        # A left vector becomes a matrix with one column per label. What labels score by one of the
        # vectors alone is kept apart: as a bias it would be copied into each of these matrices.
        self._left_to_form = torch.nn.Linear(left_dim, right_dim * num_labels, bias=False)
        self._left_to_labels = torch.nn.Linear(left_dim, num_labels)
        self._right_to_labels = torch.nn.Linear(right_dim, num_labels, bias=False)
        for parameter in self.parameters():
            torch.nn.init.zeros_(parameter)

    def forward(
        self,
        left: torch.Tensor,
        right: torch.Tensor,
        choose: Callable[[torch.Tensor], torch.Tensor],
    ) -> torch.Tensor:
        """
        # Parameters

        left : `torch.Tensor`
            Shape `(num_items, left_dim)`.
        right : `torch.Tensor`
            Shape `(num_vectors, right_dim)`: each once, however many items it is paired with.
        choose : `Callable[[torch.Tensor], torch.Tensor]`
            Makes of a tensor of shape `(num_vectors, dim)` one of `(num_items, num_right, dim)`:
            the rows of the vectors that each item is paired with.

        # Returns

        `torch.Tensor`
            Scores of shape `(num_items, num_right, num_labels)`.
        """
        of_one = choose(self._right_to_labels(right)) + self._left_to_labels(left).unsqueeze(1)
        return self._score(left, choose(right), of_one)

    def score_pairs(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """
        The scores of each left vector with one right vector, faster than `forward`.

        # Parameters

        left : `torch.Tensor`
            Shape `(num_pairs, left_dim)`.
        right : `torch.Tensor`
            Shape `(num_pairs, right_dim)`.

        # Returns

        `torch.Tensor`
            Shape `(num_pairs, num_labels)`.
        """
        of_one = self._left_to_labels(left) + self._right_to_labels(right)
        parts = (
            part.split(PAIRS_AT_ONCE) for part in (left, right.unsqueeze(1), of_one.unsqueeze(1))
        )
        return torch.cat([self._score(*block) for block in zip(*parts, strict=True)]).squeeze(1)

    def _score(self, left: torch.Tensor, right: torch.Tensor, of_one: torch.Tensor) -> torch.Tensor:
        """The sum of the bilinear form and of what one of the vectors alone scores."""
        form = self._left_to_form(left).view(left.size(0), right.size(2), self._num_labels)
        return torch.baddbmm(of_one, right, form)
