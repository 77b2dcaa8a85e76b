"""What all ways to score arcs and their labels share."""

import torch
from allennlp.common import Registrable


class ParseAttention(Registrable):
    """
    How the D&M parser scores arcs and labels: the modules that it calls. Subclasses take the
    parameters here and their own.

    # Parameters

    input_dim : `int`
        The size of the encoder's states.
    num_labels : `int`

    # Attributes

    arc_dim : `int`
        The size of the representations for arcs.
    label_dim : `int`
        The size of those for labels.
    arc_feedforward : `torch.nn.Module`
        A `FeedForward`, or what has its `get_output_dim`. Maps states to representations for arcs;
        the parser makes a copy, so that heads and dependents get one each.
    label_feedforward : `torch.nn.Module`
        The same for labels.
    arcs : `torch.nn.Module`
        From representations of dependents and of heads, each `(batch_size, length, arc_dim)`, to
        scores of shape `(batch_size, length, length)`: dependents, then heads.
    labels : `torch.nn.Module`
        From representations of each token's head and of the token itself, each
        `(batch_size, length, label_dim)`, to scores of shape `(batch_size, length, num_labels)`.
    """

    default_implementation = "deep_biaffine"

    arc_dim: int
    label_dim: int
    arc_feedforward: torch.nn.Module
    label_feedforward: torch.nn.Module
    arcs: torch.nn.Module
    labels: torch.nn.Module

    def __init__(self, input_dim: int, num_labels: int) -> None:
        self.input_dim = input_dim
        self.num_labels = num_labels

    def dropout_each(self, dropout: float) -> float:
        """
        The parser drops units of the states and again units of the representations. Both at this
        rate make the `dropout` that it is meant to have.
        """
        return dropout
