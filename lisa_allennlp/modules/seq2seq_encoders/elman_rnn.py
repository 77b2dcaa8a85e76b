"""Elman's recurrent network over a dynamic window."""

from typing import Optional

import torch
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.reset_gated_recurrence import ResetGatedRecurrence
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow


@Seq2SeqEncoder.register("elman_rnn")
class ElmanRnn(Seq2SeqEncoder):
    """
    A simple recurrent network that feeds its last state back through a reset gate (dynamic window,
    equations 15 and 16). It reads the sentence from left to right.

    Registered as a `Seq2SeqEncoder` with name "elman_rnn".

    >>> network = ElmanRnn(DynamicWindow(input_dim=5), hidden_dim=8)
    >>> network(torch.randn(2, 4, 5)).shape
    torch.Size([2, 4, 8])

    # Parameters

    window : `DynamicWindow`
        The network reads its filtered windows, and the reset gate its unfiltered ones.
    """

    def __init__(self, window: DynamicWindow, hidden_dim: int) -> None:
        super().__init__()
        self._window = window
        self._hidden_dim = hidden_dim
        self._recurrence = ResetGatedRecurrence(
            window.get_context_dim(), window.get_output_dim(), hidden_dim, hidden_dim
        )

    def get_input_dim(self) -> int:
        return self._window.get_input_dim()

    def get_output_dim(self) -> int:
        return self._hidden_dim

    def is_bidirectional(self) -> bool:
        return False

    def forward(
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, input_dim)`.
        mask : `torch.BoolTensor`, optional
            Shape `(batch_size, length)`. All padding is on the right.

        # Returns

        `torch.Tensor`
            The states, shape `(batch_size, length, hidden_dim)`.
        """
        reading = self._window.read(inputs, mask)
        return self._recurrence(reading.contexts, reading.filtered, lambda state, _: state)
