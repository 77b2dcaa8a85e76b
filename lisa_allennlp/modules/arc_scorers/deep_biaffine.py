"""The attention of Dozat & Manning's own parser."""

from allennlp.modules import FeedForward
from allennlp.nn import Activation

from lisa_allennlp.modules.arc_scorers.arc_scorer import ParseAttention
from lisa_allennlp.modules.arc_scorers.biaffine_labels import BiaffineLabels
from lisa_allennlp.modules.biaffine import BiaffineAttention


@ParseAttention.register("deep_biaffine")
class DeepBiaffine(ParseAttention):
    """
    Biaffine scores of small representations of the states (equations 2 to 6).

    Registered as a `ParseAttention` with name "deep_biaffine", the default.

    # Parameters

    input_dim : `int`
    num_labels : `int`
    arc_dim : `int`, optional (default = `500`)
    label_dim : `int`, optional (default = `100`)
    activation : `Activation`, optional (default = `relu`)
        Of the layers that make the representations.
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        arc_dim: int = 500,
        label_dim: int = 100,
        activation: Activation = Activation.by_name("relu")(),  # noqa: B008
    ) -> None:
        super().__init__(input_dim, num_labels)
        self.arc_dim, self.label_dim = arc_dim, label_dim
        self.arc_feedforward = FeedForward(input_dim, 1, arc_dim, activation)
        self.label_feedforward = FeedForward(input_dim, 1, label_dim, activation)
        self.arcs = BiaffineAttention(arc_dim)
        self.labels = BiaffineLabels(label_dim, num_labels)
