"""Arc scorers: they score arcs and their labels from an encoder's states."""

from typing import Protocol

import torch
from allennlp.common import Registrable
from allennlp.modules.input_variational_dropout import InputVariationalDropout
from allennlp.nn import Activation

from lisa_allennlp.modules.biaffine import BiaffineAttention, LabelBilinear


class LabelForm(Protocol):
    def score_pairs(self, dependents: torch.Tensor, heads: torch.Tensor, /) -> torch.Tensor:
        """Maps two tensors of shape `(num_pairs, dim)` to `(num_pairs, num_labels)`."""


class ArcScorer(torch.nn.Module, Registrable):
    """
    Scores arcs and their labels. Each token has four representations: as a dependent and as a head,
    for arcs and for labels. A form of two representations scores an arc or its labels. In training,
    all tokens of a sentence share one dropout mask per representation.

    The first state of each sentence is the root's, which is not a dependent. Scores therefore have
    no row or column for the root, and a token that depends on it is its own head.

    Subclasses take `input_dim` (the size of the states), `num_labels` and `dropout` (the
    probability of dropping a unit of a representation) from the parser, and assign the attributes.

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
        Scores states, `(batch_size, 1 + length, input_dim)`, the root first, in single precision:
        `(batch_size, length, length)`, where `[:, t, q]` is the score of token `q` as the head of
        token `t`, and `[:, t, t]` the score of the root.
        """
        scores = self._arc_form(self._arc_dependents(states[:, 1:]), self._arc_heads(states))
        return torch.diagonal_scatter(scores[..., 1:], scores[..., 0], dim1=1, dim2=2)

    def score_labels(self, states: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """
        Scores, in single precision, `(batch_size, length, num_labels)` labels of the arcs to heads,
        `(batch_size, length)`, 0-based and not negative; a root is its own head.
        """
        tokens = torch.arange(heads.size(1), device=heads.device)
        states_of_heads = torch.where(heads == tokens, 0, heads + 1)
        dependents, parents = self._label_dependents(states[:, 1:]), self._label_heads(states)
        parents = parents.gather(1, states_of_heads.unsqueeze(-1).expand_as(dependents))
        scores = self._label_form.score_pairs(dependents.flatten(0, 1), parents.flatten(0, 1))
        return scores.view(*heads.shape, -1).float()


@ArcScorer.register("deep_biaffine")
class DeepBiaffine(ArcScorer):
    """
    Biaffine scores of representations that are smaller than the states (Dozat & Manning 2017,
    equations 2 to 6).

    # Parameters

    activation : `Activation`, optional (default = `relu`)
        The nonlinearity of the layers that compute the representations.
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        dropout: float = 0.0,
        arc_dim: int = 500,
        label_dim: int = 100,
        activation: Activation = Activation.by_name("relu")(),  # noqa: B008
    ) -> None:
        super().__init__()

        def layer(dim: int) -> torch.nn.Module:
            linear = torch.nn.Linear(input_dim, dim)
            return torch.nn.Sequential(linear, activation, InputVariationalDropout(dropout))

        self._arc_dependents, self._arc_heads = layer(arc_dim), layer(arc_dim)
        self._label_dependents, self._label_heads = layer(label_dim), layer(label_dim)
        self._arc_form = BiaffineAttention(arc_dim)
        self._label_form = LabelBilinear(label_dim, label_dim, num_labels)


@ArcScorer.register("shallow_biaffine")
class ShallowBiaffine(ArcScorer):
    """
    Biaffine scores of the encoder's states themselves (Dozat & Manning 2017, section 4.2.1), with a
    dropout mask for each of the four uses of a state. The label form has `(input_dim + 1)^2`
    weights per label.
    """

    def __init__(self, input_dim: int, num_labels: int, dropout: float = 0.0) -> None:
        super().__init__()
        self._arc_dependents = InputVariationalDropout(dropout)
        self._arc_heads = InputVariationalDropout(dropout)
        self._label_dependents = InputVariationalDropout(dropout)
        self._label_heads = InputVariationalDropout(dropout)
        self._arc_form = BiaffineAttention(input_dim)
        self._label_form = LabelBilinear(input_dim, input_dim, num_labels)


@ArcScorer.register("mlp")
class MlpScorer(ArcScorer):
    """
    Scores an arc and its labels with perceptrons that have one hidden layer, of `arc_dim` or
    `label_dim` units, and read the states of the head and of the dependent (Kiperwasser & Goldberg
    2016; Dozat & Manning 2017, section 4.2.1). The representations are the terms that head and
    dependent add to the hidden units. They are computed once per token.
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        dropout: float = 0.0,
        arc_dim: int = 500,
        label_dim: int = 100,
    ) -> None:
        super().__init__()

        def layer(dim: int) -> torch.nn.Module:
            linear = torch.nn.Linear(input_dim, dim)
            return torch.nn.Sequential(linear, InputVariationalDropout(dropout))

        self._arc_dependents, self._arc_heads = layer(arc_dim), layer(arc_dim)
        self._label_dependents, self._label_heads = layer(label_dim), layer(label_dim)
        self._arc_form = MlpArcs(arc_dim)
        self._label_form = MlpLabels(label_dim, num_labels)


class MlpArcs(torch.nn.Module):
    """`v^T tanh(d_i + h_j)` for each dependent `d_i` and head `h_j`."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, 1, bias=False)

    def forward(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(dependents.unsqueeze(2) + heads.unsqueeze(1))
        return self._output(hidden).squeeze(-1).float()


class MlpLabels(torch.nn.Module):
    """`V tanh(d + h) + b` for each dependent `d` and its head `h`."""

    def __init__(self, dim: int, num_labels: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, num_labels)

    def score_pairs(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        return self._output(torch.tanh(dependents + heads))
