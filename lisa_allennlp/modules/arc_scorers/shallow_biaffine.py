"""Biaffine arc scores of an encoder's states."""

from allennlp.modules.input_variational_dropout import InputVariationalDropout

from lisa_allennlp.modules.arc_scorers.arc_scorer import ArcScorer
from lisa_allennlp.modules.biaffine import BiaffineAttention, LabelBilinear


@ArcScorer.register("shallow_biaffine")
class ShallowBiaffine(ArcScorer):
    """
    Biaffine scores of the encoder's states themselves (Dozat & Manning 2017, section 4.2.1). The
    label form has `(input_dim + 1)^2` weights per label.

    Registered as an `ArcScorer` with name "shallow_biaffine".

    >>> import torch
    >>> scorer = ShallowBiaffine(input_dim=6, num_labels=3)
    >>> scorer.score_arcs(torch.randn(2, 1 + 7, 6)).shape
    torch.Size([2, 7, 7])

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        The probability of dropping a unit of the states. Dependents and heads have masks of their
        own, for arcs and for labels.
    """

    def __init__(self, input_dim: int, num_labels: int, dropout: float = 0.0) -> None:
        super().__init__()
        self._arc_dependents = InputVariationalDropout(dropout)
        self._arc_heads = InputVariationalDropout(dropout)
        self._label_dependents = InputVariationalDropout(dropout)
        self._label_heads = InputVariationalDropout(dropout)
        self._arc_form = BiaffineAttention(input_dim)
        self._label_form = LabelBilinear(input_dim, input_dim, num_labels)
