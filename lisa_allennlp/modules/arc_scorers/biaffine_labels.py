"""Biaffine scores of labels, in the form in which the parser asks for them."""

import torch

from lisa_allennlp.modules.biaffine import LabelBilinear


class BiaffineLabels(torch.nn.Module):
    """
    `LabelBilinear` of each token and its head (Dozat & Manning 2017, equation 3); all zero at
    first.

    # Parameters

    dim : `int`
    num_labels : `int`
    """

    def __init__(self, dim: int, num_labels: int) -> None:
        super().__init__()
        self._bilinear = LabelBilinear(dim, dim, num_labels)

    def forward(self, heads: torch.Tensor, dependents: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        heads : `torch.Tensor`
            Shape `(batch_size, length, dim)`.
        dependents : `torch.Tensor`
            Shape `(batch_size, length, dim)`.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, num_labels)`.
        """
        scores = self._bilinear.score_pairs(dependents.flatten(0, -2), heads.flatten(0, -2))
        return scores.view(*heads.shape[:-1], -1).float()
