"""The base class of arc scorers."""

from typing import Protocol

import torch
from allennlp.common import Registrable


class LabelForm(Protocol):
    """Scores the labels of pairs of vectors."""

    def score_pairs(self, dependents: torch.Tensor, heads: torch.Tensor, /) -> torch.Tensor:
        """Maps two tensors of shape `(num_pairs, dim)` to `(num_pairs, num_labels)`."""


class ArcScorer(torch.nn.Module, Registrable):
    """
    Scores arcs and their labels. Each token has four representations: as a dependent and as a head,
    for arcs and for labels. A form of two representations scores an arc or its labels. In training,
    all tokens of a sentence share one dropout mask per representation.

    The first state of each sentence is the root's, which is not a dependent. Scores therefore have
    no row or column for the root, and a token that depends on it is its own head.

    Subclasses take `input_dim` (the size of the states), `num_labels` and `dropout` from the
    parser, and assign the attributes.

    >>> scorer = ArcScorer.by_name("deep_biaffine")(input_dim=6, num_labels=3)
    >>> states = torch.randn(2, 1 + 4, 6)
    >>> scorer.score_arcs(states).shape
    torch.Size([2, 4, 4])
    >>> scorer.score_labels(states, heads=torch.tensor([[1, 1, 1, 2], [0, 0, 1, 1]])).shape
    torch.Size([2, 4, 3])

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
        From pairs of label representations to the scores of labels.
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
            Shape `(batch_size, 1 + length, input_dim)`; the root is first.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, length)`, in single precision: the score of token `q` as the
            head of token `t` at `[:, t, q]`, and the score of the root as its head at `[:, t, t]`.
        """
        scores = self._arc_form(self._arc_dependents(states[:, 1:]), self._arc_heads(states))
        return torch.diagonal_scatter(scores[..., 1:], scores[..., 0], dim1=1, dim2=2)

    def score_labels(self, states: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        states : `torch.Tensor`
            Shape `(batch_size, 1 + length, input_dim)`; the root is first.
        heads : `torch.LongTensor`
            Shape `(batch_size, length)`: the 0-based head of each token, not negative; a token that
            depends on the root is its own head.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, num_labels)`, in single precision: the scores of the labels
            of these arcs.
        """
        tokens = torch.arange(heads.size(1), device=heads.device)
        states_of_heads = torch.where(heads == tokens, 0, heads + 1)
        dependents, parents = self._label_dependents(states[:, 1:]), self._label_heads(states)
        parents = parents.gather(1, states_of_heads.unsqueeze(-1).expand_as(dependents))
        scores = self._label_form.score_pairs(dependents.flatten(0, 1), parents.flatten(0, 1))
        return scores.view(*heads.shape, -1).float()
