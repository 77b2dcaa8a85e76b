"""Scores of semantic roles for all frames of a batch at once (LISA section 2.4)."""

import torch

from lisa_allennlp.modules.biaffine import LabelBilinear
from lisa_allennlp.modules.dropout import Dropout
from lisa_allennlp.modules.self_attention import LEAKY_RELU_SLOPE
from lisa_allennlp.nn.token_layout import TokenLayout


class RoleScorer(torch.nn.Module):
    """
    Projects tokens to predicate and role representations, and scores each predicate against the
    tokens of its sentence with a bilinear form per label (LISA, equation 6). Each sentence is
    encoded once for all its predicates.

    >>> from lisa_allennlp.nn.padded_tokens import lay_out
    >>> layout = lay_out(torch.ones(2, 4, dtype=torch.bool))
    >>> scorer = RoleScorer(6, predicate_dim=3, role_dim=3, num_labels=5, dropout=0.0)
    >>> sentences, predicates = torch.tensor([0, 0, 1]), torch.tensor([1, 3, 2])
    >>> scorer(torch.randn(8, 6), layout, sentences, predicates).shape
    torch.Size([3, 4, 5])

    # Parameters

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
            The layout of the batch.
        sentence_indices : `torch.LongTensor`
            Shape `(num_frames,)`: the batch index of each frame's sentence.
        predicate_indices : `torch.LongTensor`
            Shape `(num_frames,)`: the position of each frame's predicate in its sentence.

        # Returns

        `torch.Tensor`
            Logits of shape `(num_frames, length, num_labels)`.
        """
        rows = layout.rows(sentence_indices, predicate_indices)
        predicates = self._project(self._predicate_projection, states.index_select(0, rows))
        roles = self._project(self._role_projection, states)

        def of_each_frame(features: torch.Tensor) -> torch.Tensor:
            return layout.unpack(features).index_select(0, sentence_indices)

        return self._bilinear(predicates, roles, of_each_frame)

    def _project(self, projection: torch.nn.Linear, states: torch.Tensor) -> torch.Tensor:
        return self._dropout(self._activation(projection(states)))
