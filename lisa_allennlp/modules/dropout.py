"""Dropout as a layer."""

import torch

from lisa_allennlp.nn.dropout import dropout


class Dropout(torch.nn.Dropout):
    """`torch.nn.Dropout` with the project's own `dropout`, which is faster on a CPU."""

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """Returns a tensor of the shape of the input."""
        return dropout(input, self.p, self.training)
