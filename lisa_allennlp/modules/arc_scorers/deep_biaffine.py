"""The arc scorer of Dozat & Manning's parser."""

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout
from allennlp.nn import Activation

from lisa_allennlp.modules.arc_scorers.arc_scorer import ArcScorer
from lisa_allennlp.modules.biaffine import BiaffineAttention, LabelBilinear


@ArcScorer.register("deep_biaffine")
class DeepBiaffine(ArcScorer):
    """
    Biaffine scores of representations that are smaller than the states (Dozat & Manning 2017,
    equations 2 to 6).

    Registered as an `ArcScorer` with name "deep_biaffine", the default.

    >>> scorer = DeepBiaffine(input_dim=800, num_labels=45, dropout=0.33)
    >>> scorer.score_arcs(torch.randn(2, 1 + 7, 800)).shape
    torch.Size([2, 7, 7])

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        The probability of dropping a unit of a representation.
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
