"""Biaffine attention without the small representations."""

import torch

from lisa_allennlp.modules.arc_scorers.arc_scorer import ParseAttention
from lisa_allennlp.modules.arc_scorers.biaffine_labels import BiaffineLabels
from lisa_allennlp.modules.biaffine import BiaffineAttention


@ParseAttention.register("shallow_biaffine")
class ShallowBiaffine(ParseAttention):
    """
    Biaffine scores of the encoder's states themselves (section 4.2.1). Its label scores have
    `(input_dim + 1)^2` weights a label.

    Registered as a `ParseAttention` with name "shallow_biaffine".

    # Parameters

    input_dim : `int`
    num_labels : `int`
    """

    def __init__(self, input_dim: int, num_labels: int) -> None:
        super().__init__(input_dim, num_labels)
        self.arc_dim = self.label_dim = input_dim
        self.arc_feedforward = _States(input_dim)
        self.label_feedforward = _States(input_dim)
        self.arcs = BiaffineAttention(input_dim)
        self.labels = BiaffineLabels(input_dim, num_labels)

    def dropout_each(self, dropout: float) -> float:
        # The same units pass twice, and are kept with the product of the probabilities.
        return 1 - (1 - dropout) ** 0.5


class _States(torch.nn.Identity):
    """In the place of a `FeedForward`."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._dim = dim

    def get_output_dim(self) -> int:
        return self._dim
