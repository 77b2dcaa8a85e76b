"""Arc scores from multi-layer perceptrons, as in earlier graph-based parsers."""

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout

from lisa_allennlp.modules.arc_scorers.arc_scorer import ArcScorer


@ArcScorer.register("mlp")
class MlpScorer(ArcScorer):
    """
    Scores an arc and its labels with perceptrons that have one hidden layer and read the states of
    the head and of the dependent (Kiperwasser & Goldberg 2016; Dozat & Manning 2017, section
    4.2.1). The representations are the terms that head and dependent add to the hidden units. They
    are computed once per token.

    Registered as an `ArcScorer` with name "mlp".

    >>> scorer = MlpScorer(input_dim=6, num_labels=3, arc_dim=4, label_dim=4)
    >>> scorer.score_arcs(torch.randn(2, 1 + 7, 6)).shape
    torch.Size([2, 7, 7])

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        The probability of dropping a unit of a representation.
    arc_dim : `int`, optional (default = `500`)
        The number of hidden units that score arcs.
    label_dim : `int`, optional (default = `100`)
        The number of hidden units that score labels.
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
