"""Dropout between the layers of composed encoders."""

from typing import Optional

import torch
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.scaled_dropout import ScaledDropout


@Seq2SeqEncoder.register("scaled_dropout")
class ScaledDropoutEncoder(Seq2SeqEncoder):
    """
    `ScaledDropout` as a layer that `compose` can put after an encoder.

    Registered as a `Seq2SeqEncoder` with name "scaled_dropout".

    >>> ScaledDropoutEncoder(input_dim=2, dropout=0.5).eval()(torch.ones(1, 1, 2))
    tensor([[[0.5000, 0.5000]]])

    # Parameters

    bidirectional : `bool`, optional (default = `False`)
        The value of `is_bidirectional()`. `compose` requires the same value from all its encoders.
    """

    def __init__(self, input_dim: int, dropout: float = 0.5, bidirectional: bool = False) -> None:
        super().__init__()
        self._input_dim = input_dim
        self._dropout = ScaledDropout(dropout)
        self._bidirectional = bidirectional

    def get_input_dim(self) -> int:
        return self._input_dim

    def get_output_dim(self) -> int:
        return self._input_dim

    def is_bidirectional(self) -> bool:
        return self._bidirectional

    def forward(
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, input_dim)`.
        mask : `torch.BoolTensor`, optional
            Not used: `compose` passes it.

        # Returns

        `torch.Tensor`
            The same shape.
        """
        return self._dropout(inputs)
