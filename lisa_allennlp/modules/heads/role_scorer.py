"""Scores of semantic roles for all frames of a batch at once (LISA section 2.4)."""

import torch

from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.self_attention import LEAKY_RELU_SLOPE
from lisa_allennlp.nn.cpu.packed_tokens import TokenLayout, num_spare_rows, with_spare

COMPILED_FRAMES = 16
"""What the number of frames is a multiple of in reduced precision: they cost more than rows."""


class RoleScorer(torch.nn.Module):
    """
    Projects tokens to predicate and role representations and scores each predicate against the
    tokens of its sentence with a bilinear form per label (LISA, equation 6). The sentence is
    encoded once, however many predicates it has.

    # Parameters

    input_dim : `int`
    predicate_dim : `int`
    role_dim : `int`
    num_labels : `int`
    dropout : `float`
        Applied to both representations.
    """

    def __init__(
        self, input_dim: int, predicate_dim: int, role_dim: int, num_labels: int, dropout: float
    ) -> None:
        super().__init__()
        self._predicate_projection = torch.nn.Linear(input_dim, predicate_dim)
        self._role_projection = torch.nn.Linear(input_dim, role_dim)
        self._activation = torch.nn.LeakyReLU(LEAKY_RELU_SLOPE)
        self._dropout = Dropout(dropout)
        self._bilinear = LabelBilinear(predicate_dim, role_dim, num_labels)

    def forward(
        self,
        states: torch.Tensor,
        layout: TokenLayout,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
    ) -> torch.Tensor:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(num_tokens, input_dim)`.
        layout : `TokenLayout`
            Of the sentences that the tokens make.
        sentence_indices : `torch.LongTensor`
            Shape `(num_frames,)`: the row of each frame's sentence in the batch.
        predicate_indices : `torch.LongTensor`
            Shape `(num_frames,)`: the position of each frame's predicate in its sentence.

        # Returns

        `torch.Tensor`
            Logits of shape `(num_frames, length, num_labels)`.
        """
        num_frames = sentence_indices.numel()
        num_spare = num_spare_rows(num_frames, COMPILED_FRAMES)
        sentences = with_spare(sentence_indices, num_spare)
        positions = with_spare(predicate_indices, num_spare)
        predicate_states = states.index_select(0, layout.rows(sentences, positions))
        predicates = self._dropout(self._activation(self._predicate_projection(predicate_states)))
        roles = self._dropout(self._activation(self._role_projection(states)))

        def of_each_frame(features: torch.Tensor) -> torch.Tensor:
            return layout.unpack(features).index_select(0, sentences)

        return self._bilinear(predicates, roles, of_each_frame)[:num_frames]
