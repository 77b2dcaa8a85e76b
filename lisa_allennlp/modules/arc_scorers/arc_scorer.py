"""What all ways to score arcs and their labels share."""

from typing import Protocol

import torch
from allennlp.common import Registrable


class LabelForm(Protocol):
    """Scores labels of pairs of vectors."""

    def score_pairs(self, dependents: torch.Tensor, heads: torch.Tensor, /) -> torch.Tensor:
        """From two of shape `(num_pairs, dim)` to `(num_pairs, num_labels)`."""


class ArcScorer(torch.nn.Module, Registrable):
    """
    Scores arcs and their labels. Each token is represented as a dependent and as a head, once for
    arcs and once for labels; arcs and labels are scored by a form of two representations. In
    training a unit of a representation is dropped at all tokens of a sentence or at none.

    The first state of each sentence is the root's. It is nobody's dependent, so that scores are
    those of the tokens alone, and a token that depends on the root is its own head.

    Subclasses take `input_dim` (the size of the states), `num_labels` and `dropout` from the
    parser, and assign the attributes.

    # Attributes

    _arc_dependents, _arc_heads : `torch.nn.Module`
        From states, `(batch_size, length, input_dim)`, to representations with their dropout,
        `(batch_size, length, arc_dim)`.
    _arc_form : `torch.nn.Module`
        From dependents, `(batch_size, num_dependents, arc_dim)`, and heads,
        `(batch_size, num_heads, arc_dim)`, to `(batch_size, num_dependents, num_heads)`.
    _label_dependents, _label_heads : `torch.nn.Module`
        As for arcs, to `(batch_size, length, label_dim)`.
    _label_form : `LabelForm`
    """

    default_implementation = "deep_biaffine"

    _arc_dependents: torch.nn.Module
    _arc_heads: torch.nn.Module
    _arc_form: torch.nn.Module
    _label_dependents: torch.nn.Module
    _label_heads: torch.nn.Module
    _label_form: LabelForm

    def score_arcs(self, states: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(batch_size, 1 + length, input_dim)`, the root's first.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, length)`, in single precision: the score of token `q` as
            the head of token `t` at `[t, q]`, the root's at `[t, t]`.
        """
        scores = self._arc_form(self._arc_dependents(states[:, 1:]), self._arc_heads(states))
        return torch.diagonal_scatter(scores[..., 1:], scores[..., 0], dim1=1, dim2=2)

    def score_labels(self, states: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(batch_size, 1 + length, input_dim)`, the root's first.
        heads : `torch.LongTensor`
            Shape `(batch_size, length)`: the 0-based head of each token, not negative; a token
            that depends on the root is its own head.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, num_labels)`, in single precision: the scores of the
            labels of these arcs.
        """
        tokens = torch.arange(heads.size(1), device=heads.device)
        states_of_heads = torch.where(heads == tokens, 0, heads + 1)
        dependents, parents = self._label_dependents(states[:, 1:]), self._label_heads(states)
        parents = parents.gather(1, states_of_heads.unsqueeze(-1).expand_as(dependents))
        scores = self._label_form.score_pairs(dependents.flatten(0, 1), parents.flatten(0, 1))
        return scores.view(*heads.shape, -1).float()
