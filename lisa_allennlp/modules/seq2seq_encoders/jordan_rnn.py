"""Jordan's recurrent network over a dynamic window."""

from typing import Dict, Optional, Tuple

import torch
from allennlp.data import Vocabulary
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.reset_gated_recurrence import ResetGatedRecurrence
from lisa_allennlp.modules.scaled_dropout import ScaledDropout
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow


@Seq2SeqEncoder.register("jordan_rnn")
class JordanRnn(Seq2SeqEncoder):
    """
    A simple recurrent network that feeds its last output distribution back through a reset gate
    (dynamic window, equations 17 and 18). It reads the sentence from left to right. Unlike other
    encoders it contains the output layer, `output_layer`, which the model must use too.

    Registered as a `Seq2SeqEncoder` with name "jordan_rnn".

    >>> vocab = Vocabulary()
    >>> _ = vocab.add_tokens_to_namespace(["N", "N/N", "NP"], "supertag_labels")
    >>> network = JordanRnn(vocab, DynamicWindow(input_dim=5), hidden_dim=8)
    >>> states = network(torch.randn(2, 4, 5))
    >>> states.shape, network.output_layer(states).shape
    (torch.Size([2, 4, 8]), torch.Size([2, 4, 3]))

    # Parameters

    window : `DynamicWindow`
        The network reads its filtered windows, and the reset gate its unfiltered ones.
    dropout : `float`, optional (default = `0.5`)
        Applied to the states, which the output layer reads and `forward` returns.
    label_namespace : `str`, optional (default = `"supertag_labels"`)
        The namespace of the labels that the output layer predicts.
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
        self._label_namespace = label_namespace
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

    def vocabulary_axes(self) -> Dict[str, Tuple[Optional[str], ...]]:
        """The axes of its weights, as in `SentenceModel`: the last output is an input."""
        labels = self._label_namespace
        return {
            "output_layer.weight": (labels,),
            "output_layer.bias": (labels,),
            "_recurrence.recurrent_projection.weight": (None, labels),
            "_recurrence.recurrent_gate.weight": (None, labels),
        }

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
            The states after dropout, as the output layer reads them, shape
            `(batch_size, length, hidden_dim)`.
        """
        reading = self._window.read(inputs, mask)
        # Drawn for all positions at once, so that the same states are fed back and returned.
        kept = self._dropout(inputs.new_ones(*inputs.shape[:2], self._hidden_dim))
        states = self._recurrence(
            reading.contexts,
            reading.filtered,
            lambda state, position: self.output_layer(state * kept[:, position]).softmax(-1),
        )
        return states * kept
