"""Scores by multi-layer perceptrons, as in earlier graph-based parsers."""

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout

from lisa_allennlp.modules.arc_scorers.arc_scorer import ArcScorer


@ArcScorer.register("mlp")
class MlpScorer(ArcScorer):
    """
    An arc and its label are each scored by a perceptron with one hidden layer that reads the states
    of the head and of the dependent (Kiperwasser & Goldberg 2016; Dozat & Manning 2017, section
    4.2.1). The representations are what each of the two adds to the hidden units, computed once per
    token.

    Registered as an `ArcScorer` with name "mlp".

    # Parameters

    input_dim : `int`
    num_labels : `int`
    dropout : `float`, optional (default = `0.0`)
        The probability to drop a unit of a representation.
    arc_dim : `int`, optional (default = `500`)
        Hidden units of the scores of arcs.
    label_dim : `int`, optional (default = `100`)
        Hidden units of the scores of labels.
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
        self._arc_form = _MlpArcs(arc_dim)
        self._label_form = _MlpLabels(label_dim, num_labels)


class _MlpArcs(torch.nn.Module):
    """`v^T tanh(d_i + h_j)` for each dependent `d_i` and head `h_j`."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, 1, bias=False)

    def forward(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(dependents.unsqueeze(2) + heads.unsqueeze(1))
        return self._output(hidden).squeeze(-1).float()


class _MlpLabels(torch.nn.Module):
    """`V tanh(d + h) + b` for each dependent `d` and its head `h`."""

    def __init__(self, dim: int, num_labels: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, num_labels)

    def score_pairs(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        return self._output(torch.tanh(dependents + heads))
