"""Attention by multi-layer perceptrons, as in earlier graph-based parsers."""

import torch
from allennlp.modules import FeedForward
from allennlp.nn import Activation

from lisa_allennlp.modules.arc_scorers.arc_scorer import ParseAttention


@ParseAttention.register("mlp")
class MlpAttention(ParseAttention):
    """
    An arc and its label are each scored by a perceptron with one hidden layer that reads the states
    of the head and of the dependent (Kiperwasser & Goldberg 2016; Dozat & Manning 2017, section
    4.2.1). What each of the two adds to the hidden units is computed once a token; units are
    dropped from these parts.

    Registered as a `ParseAttention` with name "mlp".

    # Parameters

    input_dim : `int`
    num_labels : `int`
    arc_dim : `int`, optional (default = `500`)
        Hidden units of the scores of arcs.
    label_dim : `int`, optional (default = `100`)
        Hidden units of the scores of labels.
    """

    def __init__(
        self, input_dim: int, num_labels: int, arc_dim: int = 500, label_dim: int = 100
    ) -> None:
        super().__init__(input_dim, num_labels)
        self.arc_dim, self.label_dim = arc_dim, label_dim
        linear = Activation.by_name("linear")()
        self.arc_feedforward = FeedForward(input_dim, 1, arc_dim, linear)
        self.label_feedforward = FeedForward(input_dim, 1, label_dim, linear)
        self.arcs = _MlpArcs(arc_dim)
        self.labels = _MlpLabels(label_dim, num_labels)


class _MlpArcs(torch.nn.Module):
    """`v^T tanh(d_i + h_j)` for each dependent `d_i` and head `h_j`."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, 1, bias=False)

    def forward(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """From two of shape `(batch_size, length, dim)` to `(batch_size, length, length)`."""
        hidden = torch.tanh(dependents.unsqueeze(2) + heads.unsqueeze(1))
        return self._output(hidden).squeeze(-1).float()


class _MlpLabels(torch.nn.Module):
    """`V tanh(h + d) + b` for each token's head `h` and the token `d`."""

    def __init__(self, dim: int, num_labels: int) -> None:
        super().__init__()
        self._output = torch.nn.Linear(dim, num_labels)

    def forward(self, heads: torch.Tensor, dependents: torch.Tensor) -> torch.Tensor:
        """From two of shape `(batch_size, length, dim)` to `(batch_size, length, num_labels)`."""
        return self._output(torch.tanh(heads + dependents)).float()
