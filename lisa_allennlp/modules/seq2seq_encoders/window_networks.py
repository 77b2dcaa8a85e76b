"""The simple recurrent networks of Elman and Jordan over a dynamic window."""

from typing import Callable, Dict, Optional, Tuple

import torch
from allennlp.data import Vocabulary
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.dropout import ScaledDropout
from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder
from lisa_allennlp.modules.seq2seq_encoders.dynamic_window import DynamicWindow


class ResetGatedRecurrence(torch.nn.Module):
    """
    A simple recurrent layer over a dynamic window, with a gate on its recurrent input (dynamic
    window, equations 15 to 18):

        g_t = sigmoid(w c_t + u s_{t-1})            a scalar
        h_t = tanh(W c~_t + V (g_t s_{t-1}))

    `c_t` is the whole window and `c~_t` the filtered one. The recurrent input `s` is computed from
    the last state `h`: it is `h` itself in Elman's network and the output distribution in Jordan's.

    The dimensions are those of `c`, `c~`, `s` and `h`.
    """

    def __init__(
        self, context_dim: int, filtered_dim: int, recurrent_dim: int, hidden_dim: int
    ) -> None:
        super().__init__()
        self._recurrent_dim = recurrent_dim
        self.input_projection = torch.nn.Linear(filtered_dim, hidden_dim)
        self.recurrent_projection = torch.nn.Linear(recurrent_dim, hidden_dim, bias=False)
        self.context_gate = torch.nn.Linear(context_dim, 1)
        self.recurrent_gate = torch.nn.Linear(recurrent_dim, 1, bias=False)

    def forward(
        self,
        contexts: torch.Tensor,
        filtered: torch.Tensor,
        feed_back: Callable[[torch.Tensor, int], torch.Tensor],
    ) -> torch.Tensor:
        """
        Returns all `h_t`, `(batch_size, length, hidden_dim)`, from contexts,
        `(batch_size, length, context_dim)`, and filtered windows,
        `(batch_size, length, filtered_dim)`. `feed_back` maps `h_t` and the position `t` to `s_t`,
        `(batch_size, recurrent_dim)`.
        """
        from_inputs = self.input_projection(filtered)
        gates_from_inputs = self.context_gate(contexts)
        recurrent = contexts.new_zeros(contexts.size(0), self._recurrent_dim)
        states = []
        for position in range(contexts.size(1)):
            gate = gates_from_inputs[:, position] + self.recurrent_gate(recurrent)
            remembered = self.recurrent_projection(gate.sigmoid() * recurrent)
            state = (from_inputs[:, position] + remembered).tanh()
            states.append(state)
            recurrent = feed_back(state, position)
        return torch.stack(states, dim=1)


@Seq2SeqEncoder.register("elman_rnn")
class ElmanRnn(SizedEncoder):
    """
    A simple recurrent network that feeds its last state back through a reset gate (dynamic window,
    equations 15 and 16). It reads the sentence from left to right.

    # Parameters

    window : `DynamicWindow`
        The network reads its filtered windows, and the reset gate its unfiltered ones.
    """

    def __init__(self, window: DynamicWindow, hidden_dim: int) -> None:
        super().__init__(window.get_input_dim(), hidden_dim)
        self._window = window
        self._recurrence = ResetGatedRecurrence(
            window.context_dim, window.get_output_dim(), hidden_dim, hidden_dim
        )

    def forward(
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """Maps `(batch_size, length, input_dim)` to `(batch_size, length, hidden_dim)`."""
        reading = self._window.read(inputs, mask)
        return self._recurrence(reading.contexts, reading.filtered, lambda state, _: state)


@Seq2SeqEncoder.register("jordan_rnn")
class JordanRnn(SizedEncoder):
    """
    A simple recurrent network that feeds its last output distribution back through a reset gate
    (dynamic window, equations 17 and 18). It reads the sentence from left to right. Unlike other
    encoders it contains the output layer, `output_layer`, which the model must use too.

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
        super().__init__(window.get_input_dim(), hidden_dim)
        self._window = window
        self._label_namespace = label_namespace
        num_labels = vocab.get_vocab_size(label_namespace)
        self._recurrence = ResetGatedRecurrence(
            window.context_dim, window.get_output_dim(), num_labels, hidden_dim
        )
        self._dropout = ScaledDropout(dropout)
        self.output_layer = torch.nn.Linear(hidden_dim, num_labels)

    def vocabulary_axes(self) -> Dict[str, Tuple[Optional[str], ...]]:
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
        """Maps `(batch_size, length, input_dim)` to states after dropout, `(..., hidden_dim)`."""
        reading = self._window.read(inputs, mask)
        # Drawn for all positions at once, so that the same states are fed back and returned.
        kept = self._dropout(inputs.new_ones(*inputs.shape[:2], self.get_output_dim()))
        states = self._recurrence(
            reading.contexts,
            reading.filtered,
            lambda state, position: self.output_layer(state * kept[:, position]).softmax(-1),
        )
        return states * kept
