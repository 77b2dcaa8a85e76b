"""Syntactic heads of LISA's encoder: they predict the tree that one attention head attends to."""

from typing import NamedTuple

import torch
from allennlp.common import Registrable

from lisa_allennlp.modules.arc_scorers import LabelForm, MlpArcs, MlpLabels
from lisa_allennlp.modules.biaffine import BiaffineAttention, LabelBilinear
from lisa_allennlp.modules.dropout import Dropout, StateDropout
from lisa_allennlp.modules.self_attention import LEAKY_RELU_SLOPE
from lisa_allennlp.nn.token_layout import TokenLayout


class ParseReading(NamedTuple):
    """
    The predictions of a syntactic head for a batch.

    # Parameters

    arc_scores : `torch.Tensor`
        Shape `(batch_size, length, length)`: the score of token `q` as the head of token `t` at
        `[:, t, q]`; that of the root at `[:, t, t]`. Padding is not yet masked.
    dependents : `torch.Tensor`
        Shape `(num_tokens, label_dim)`: the tokens as dependents, for labelling arcs, packed by the
        batch's `TokenLayout`.
    parents : `torch.Tensor`
        Shape `(batch_size, length, label_dim)`: the tokens as heads, for labelling arcs.
    """

    arc_scores: torch.Tensor
    dependents: torch.Tensor
    parents: torch.Tensor


class SyntacticHead(torch.nn.Module, Registrable):
    """
    The parser inside the encoder (LISA section 2.2). It scores arcs, and represents each token as a
    dependent and as a head for the labels of arcs. Subclasses implement `forward`. They take the
    encoder's `input_dim` (the size of the states), `arc_dim`, `label_dim`, `dropout` (its
    `parse_dropout`) and `variational_dropout`, as far as their constructors name them; a config
    leaves these out.
    """

    default_implementation = "deep_biaffine"

    def __init__(self, label_dim: int) -> None:
        super().__init__()
        self.label_dim = label_dim

    def forward(self, states: torch.Tensor, layout: TokenLayout) -> ParseReading:
        """Reads the layer below the syntactic head, states of shape `(num_tokens, input_dim)`."""
        raise NotImplementedError

    def make_label_form(self, num_labels: int) -> LabelForm:
        """Returns the label scorer of pairs of dependent and head; by default the bilinear form."""
        return LabelBilinear(self.label_dim, self.label_dim, num_labels)


@SyntacticHead.register("deep_biaffine")
class DeepBiaffineHead(SyntacticHead):
    """
    The head of the paper: dependents are queries, heads are keys (LISA, equation 4). One matrix
    product computes all four projections, and a leaky ReLU follows each. Dropout applies to all
    representations.
    """

    def __init__(
        self,
        input_dim: int,
        arc_dim: int,
        label_dim: int,
        dropout: float,
        variational_dropout: bool = False,
    ) -> None:
        super().__init__(label_dim)
        self._sizes = [arc_dim, arc_dim, label_dim, label_dim]
        self._projection = torch.nn.Sequential(
            torch.nn.Linear(input_dim, sum(self._sizes)),
            torch.nn.LeakyReLU(LEAKY_RELU_SLOPE, inplace=True),
        )
        self._dropout = StateDropout(dropout, variational_dropout)
        self._arc_attention = BiaffineAttention(arc_dim)

    def forward(self, states: torch.Tensor, layout: TokenLayout) -> ParseReading:
        projected = self._dropout(self._projection(states), layout)
        queries, keys, dependents, parents = projected.split(self._sizes, dim=-1)
        arc_scores = self._arc_attention(layout.unpack(queries), layout.unpack(keys))
        return ParseReading(arc_scores, dependents, layout.unpack(parents))


@SyntacticHead.register("shallow_biaffine")
class ShallowBiaffineHead(SyntacticHead):
    """
    Biaffine scores of the states themselves, as the arc scorer of this name (Dozat & Manning 2017,
    section 4.2.1), with a dropout mask for each of the four uses of a state. It ignores the
    encoder's `arc_dim` and `label_dim`.
    """

    def __init__(self, input_dim: int, dropout: float) -> None:
        super().__init__(input_dim)
        self._dropout = Dropout(dropout)
        self._arc_attention = BiaffineAttention(input_dim)

    def forward(self, states: torch.Tensor, layout: TokenLayout) -> ParseReading:
        queries, keys, dependents, parents = (self._dropout(states) for _ in range(4))
        arc_scores = self._arc_attention(layout.unpack(queries), layout.unpack(keys))
        return ParseReading(arc_scores, dependents, layout.unpack(parents))


@SyntacticHead.register("mlp")
class MlpHead(SyntacticHead):
    """
    Scores arcs and labels with perceptrons of one hidden layer, which read the states of head and
    dependent, as the arc scorer of this name (Kiperwasser & Goldberg 2016). The hidden units of all
    pairs of tokens take `batch_size * length^2 * arc_dim` numbers. Dropout applies to the terms
    that head and dependent add to them.
    """

    def __init__(self, input_dim: int, arc_dim: int, label_dim: int, dropout: float) -> None:
        super().__init__(label_dim)
        self._sizes = [arc_dim, arc_dim, label_dim, label_dim]
        self._projection = torch.nn.Sequential(
            torch.nn.Linear(input_dim, sum(self._sizes)), Dropout(dropout)
        )
        self._arc_form = MlpArcs(arc_dim)

    def forward(self, states: torch.Tensor, layout: TokenLayout) -> ParseReading:
        *of_arcs, dependents, parents = self._projection(states).split(self._sizes, dim=-1)
        arc_scores = self._arc_form(*map(layout.unpack, of_arcs))
        return ParseReading(arc_scores, dependents, layout.unpack(parents))

    def make_label_form(self, num_labels: int) -> LabelForm:
        return MlpLabels(self.label_dim, num_labels)
