"""POS tags and predicates as one classification (LISA section 2.3)."""

from typing import Sequence, Tuple

import torch


class JointTagger(torch.nn.Module):
    """
    One softmax over the joint space of POS tags and `tag:predicate` labels. Each of the two tasks
    sums the probabilities over the values of the other.

    >>> tagger = JointTagger(8, pos_indices=[0, 1, 1], is_predicate=[False, False, True])
    >>> joint = torch.tensor([[[0.25, 0.25, 0.5]]])  # NN, VB, VB:predicate
    >>> tagger.marginalise(joint.log())
    (tensor([[1]]), tensor([[0.5000]]))

    # Parameters

    pos_indices : `Sequence[int]`
        For each joint label, the index of its POS tag. The tags count from 0 without gaps.
    is_predicate : `Sequence[bool]`
        For each joint label, whether it marks a predicate.
    """

    _to_pos: torch.Tensor
    _is_predicate: torch.Tensor

    def __init__(
        self, input_dim: int, pos_indices: Sequence[int], is_predicate: Sequence[bool]
    ) -> None:
        super().__init__()
        self._projection = torch.nn.Linear(input_dim, len(pos_indices))
        to_pos = torch.zeros(len(pos_indices), max(pos_indices, default=-1) + 1)
        to_pos[torch.arange(len(pos_indices)), torch.tensor(pos_indices, dtype=torch.long)] = 1.0
        self.register_buffer("_to_pos", to_pos, persistent=False)
        self.register_buffer(
            "_is_predicate", torch.tensor(is_predicate, dtype=torch.float), persistent=False
        )

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(..., input_dim)`.

        # Returns

        `torch.Tensor`
            Logits of shape `(..., num_joint_labels)`.
        """
        return self._projection(states)

    def marginalise(self, logits: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        # Parameters

        logits : `torch.Tensor`
            Shape `(batch_size, length, num_joint_labels)`.

        # Returns

        `Tuple[torch.LongTensor, torch.Tensor]`
            The index of each token's most probable POS tag, and each token's probability of being a
            predicate, both of shape `(batch_size, length)`.
        """
        probabilities = logits.softmax(dim=-1)
        pos = (probabilities @ self._to_pos).argmax(dim=-1)
        return pos, probabilities @ self._is_predicate

    def pos_probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`
            As for `marginalise`.

        # Returns

        `torch.Tensor`
            The probability of each token's most probable POS tag, of shape `(batch_size, length)`.
        """
        return (logits.softmax(dim=-1) @ self._to_pos).amax(dim=-1)
