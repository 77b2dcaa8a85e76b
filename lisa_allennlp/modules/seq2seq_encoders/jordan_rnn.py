"""Jordan's recurrent network over a dynamic window."""

from typing import Optional

import torch
from allennlp.data import Vocabulary
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.reset_gated_recurrence import ResetGatedRecurrence
from lisa_allennlp.modules.scaled_dropout import ScaledDropout
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow


@Seq2SeqEncoder.register("jordan_rnn")
class JordanRnn(Seq2SeqEncoder):
    """
    The simple recurrent network whose recurrent input is its last output distribution, let through
    by a reset gate (dynamic window, equations 17 and 18). It reads the sentence from left to right.
    It therefore has the output layer that otherwise comes after an encoder, `output_layer`; the
    model is to use that one too.

    # Parameters

    vocab : `Vocabulary`
    window : `DynamicWindow`
        Its filtered windows are the network's inputs; the reset gate reads the unfiltered ones.
    hidden_dim : `int`
    dropout : `float`, optional (default = `0.5`)
        On the states that the output layer reads, and so on those that are returned.
    label_namespace : `str`, optional (default = `"supertag_labels"`)
        What the output layer predicts.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        window: DynamicWindow,
        hidden_dim: int,
        dropout: float = 0.5,
        label_namespace: str = "supertag_labels",
    ) -> None:
        super().__init__()
        self._window = window
        self._hidden_dim = hidden_dim
        num_labels = vocab.get_vocab_size(label_namespace)
        self._recurrence = ResetGatedRecurrence(
            window.get_context_dim(), window.get_output_dim(), num_labels, hidden_dim
        )
        self._dropout = ScaledDropout(dropout)
        self.output_layer = torch.nn.Linear(hidden_dim, num_labels)

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
            Shape `(batch_size, length)`; padding is on the right.

        # Returns

        `torch.Tensor`
            The states after dropout, shape `(batch_size, length, hidden_dim)`: what the output
            layer has read.
        """
        reading = self._window.read(inputs, mask)
        # One mask for all positions at once, so that what is fed back is what is returned.
        kept = self._dropout(inputs.new_ones(*inputs.shape[:2], self._hidden_dim))
        states = self._recurrence(
            reading.contexts,
            reading.filtered,
            lambda state, position: self.output_layer(state * kept[:, position]).softmax(-1),
        )
        return states * kept
