"""The layout with rows for padding, and the choice between this one and the packed one."""

import torch

from lisa_allennlp.nn.cpu.packed_tokens import PackedTokens
from lisa_allennlp.nn.device import is_on_cpu
from lisa_allennlp.nn.token_layout import TokenLayout


def lay_out(mask: torch.Tensor) -> TokenLayout:
    """
    The layout of a batch's tokens: without rows for padding on a CPU, with them on other devices.

    >>> layout = lay_out(torch.tensor([[True, True, True], [True, False, False]]))
    >>> layout.pack(torch.randn(2, 3, 8)).shape
    torch.Size([4, 8])

    # Parameters

    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`: false for padding, which is all on the right.
    """
    return PackedTokens(mask) if is_on_cpu(mask) else PaddedTokens(mask)


class PaddedTokens(TokenLayout):
    """One row for each token and each position of padding, so that packing only makes views."""

    def __init__(self, mask: torch.Tensor) -> None:
        super().__init__(mask)
        self._shape = mask.shape

    def pack(self, states: torch.Tensor) -> torch.Tensor:
        return states.flatten(0, 1)

    def unpack(self, states: torch.Tensor) -> torch.Tensor:
        return states.unflatten(0, self._shape)

    def rows(self, sentence_indices: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return sentence_indices * self._shape[1] + positions

    def of_each_position(self, features: torch.Tensor) -> torch.Tensor:
        return features.repeat(self._shape[0], 1)
