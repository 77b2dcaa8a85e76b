"""The scores of a batch, as decoding asks for them."""

from typing import Optional, Protocol

import numpy


class EncodedBatch(Protocol):
    """
    A batch of B sentences with at most T tokens that a network has encoded. All padding is on the
    right. Scores are in single precision, indices are 64-bit integers.

    # Parameters

    lengths : `numpy.ndarray`
        (B,), the number of tokens of each sentence.
    joint_logits : `numpy.ndarray`
        (B, T, num_joint_tags).
    arc_scores : `numpy.ndarray`, optional
        (B, T, T), where `[b, t, q]` scores token q as the head of token t. Padding is not masked.
        `None` for SA.
    """

    @property
    def lengths(self) -> numpy.ndarray: ...

    @property
    def joint_logits(self) -> numpy.ndarray: ...

    @property
    def arc_scores(self) -> Optional[numpy.ndarray]: ...

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        """Scores the labels of the arcs from (B, T) heads: (B, T, num_head_tags)."""

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        """Scores the roles of F >= 1 predicates: (F,) and (F,) to (F, T, num_roles)."""

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        """Scores (F, C) candidate rolesets, negative for padding, of F predicates: (F, C)."""
