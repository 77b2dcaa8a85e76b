"""Biaffine scores, in the form in which the parser asks for them."""

import torch

from lisa_allennlp.modules.bilinear import LabelBilinear


class BiaffineArcs(torch.nn.Module):
    """
    `h_j^T U d_i + u^T h_j` for each dependent `d_i` and head `h_j` (Dozat & Manning 2017, equation
    2); all zero at first. The products of pairs are in single precision, whatever the other's is,
    since their differences decide.

    # Parameters

    dim : `int`
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._dependent_to_head = torch.nn.Linear(dim, dim)
        torch.nn.init.zeros_(self._dependent_to_head.weight)
        torch.nn.init.zeros_(self._dependent_to_head.bias)

    def forward(self, dependents: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        dependents : `torch.Tensor`
            Shape `(batch_size, length, dim)`.
        heads : `torch.Tensor`
            Shape `(batch_size, length, dim)`.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, length)`.
        """
        expected = self._dependent_to_head(dependents)
        with torch.autocast(heads.device.type, enabled=False):
            return torch.bmm(expected.float(), heads.float().transpose(1, 2))


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
        dim = heads.size(-1)
        scores = self._bilinear(dependents.reshape(-1, dim), heads.reshape(-1, 1, dim))
        return scores.view(*heads.shape[:-1], -1).float()
