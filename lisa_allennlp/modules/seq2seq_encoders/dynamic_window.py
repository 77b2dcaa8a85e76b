"""A context window with learned gates."""

from typing import NamedTuple, Optional

import torch
from allennlp.common import Lazy
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.modules.scaled_dropout import ScaledDropout
from lisa_allennlp.modules.window_gates import WindowGate


class WindowReading(NamedTuple):
    """
    The result of reading a dynamic window around each token.

    # Parameters

    contexts : `torch.Tensor`
        Shape `(batch_size, length, num_items * input_dim)`: the whole window, `c_t` of equation 2.
    gates : `torch.Tensor`
        Shape `(batch_size, length, num_items, 1)`, or `(..., num_items, input_dim)` for a gate per
        dimension: `r_t` of equation 9, before dropout.
    filtered : `torch.Tensor`
        Shape `(batch_size, length, output_dim)`: the gated window, equation 7.
    """

    contexts: torch.Tensor
    gates: torch.Tensor
    filtered: torch.Tensor


@Seq2SeqEncoder.register("dynamic_window")
class DynamicWindow(Seq2SeqEncoder):
    """
    A context window around each token in which a learned gate scales each word ("A Dynamic Window
    Neural Network for CCG Supertagging", section 3). AllenNLP's `compose` can put any encoder after
    it.

    Positions beyond the edges of a sentence have their own embedding, so that a token's window does
    not depend on the padding of its batch.

    Registered as a `Seq2SeqEncoder` with name "dynamic_window".

    >>> window = DynamicWindow(input_dim=5, window_size=1)
    >>> window(torch.randn(2, 4, 5)).shape
    torch.Size([2, 4, 15])

    # Parameters

    input_dim : `int`
        The size of an embedded token.
    window_size : `int`, optional (default = `1`)
        The number of tokens on each side: 4 for the paper's MLP, 1 for its recurrent networks.
    gate : `Lazy[WindowGate]`, optional (default = `one_layer`)
        The network that computes the gates. Its sizes follow from the window.
    gate_dropout : `float`, optional (default = `0.5`)
        The probability of closing a gate in training, which drops the whole word. At test time
        gates are scaled instead (equations 10 and 11).
    embedding_dropout : `float`, optional (default = `0.0`)
        Dropout on the dimensions of the embedded tokens, with the same scaling.
    bidirectional : `bool`, optional (default = `False`)
        The value of `is_bidirectional()`. `compose` requires the same value from all its encoders:
        set it to `true` if a bidirectional encoder follows.
    """

    def __init__(
        self,
        input_dim: int,
        window_size: int = 1,
        gate: Lazy[WindowGate] = Lazy(WindowGate),  # noqa: B008
        gate_dropout: float = 0.5,
        embedding_dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self._input_dim = input_dim
        self._window_size = window_size
        self._num_items = 2 * window_size + 1
        self._bidirectional = bidirectional
        self._gate = gate.construct(input_dim=input_dim, num_items=self._num_items)
        self._gate_dropout = ScaledDropout(gate_dropout)
        self._embedding_dropout = ScaledDropout(embedding_dropout)
        self.edge_embedding = torch.nn.Parameter(torch.empty(input_dim))
        torch.nn.init.normal_(self.edge_embedding, std=0.1)

    def get_input_dim(self) -> int:
        return self._input_dim

    def get_context_dim(self) -> int:
        """The size of a whole window, `c_t`."""
        return self._num_items * self._input_dim

    def get_output_dim(self) -> int:
        return self._input_dim if self._gate.is_average else self.get_context_dim()

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
            Shape `(batch_size, length)`. All padding is on the right.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, output_dim)`: the concatenated gated items, `c~_t`, with
            `output_dim = (2 * window_size + 1) * input_dim`; with the gate `averaging`, the sum of
            the items, with `output_dim = input_dim`.
        """
        return self.read(inputs, mask).filtered

    def read(self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None) -> WindowReading:
        """As `forward`, but returns the whole window and the gates too."""
        contexts = self._contexts(self._embedding_dropout(inputs), mask)
        gates = self._gate(contexts)
        # All dimensions of an item share one mask, so that whole words are dropped.
        kept = self._gate_dropout(gates.new_ones(*gates.shape[:-1], 1))
        filtered = gates * kept * contexts
        filtered = filtered.sum(-2) if self._gate.is_average else filtered.flatten(start_dim=-2)
        return WindowReading(contexts.flatten(start_dim=-2), gates, filtered)

    def _contexts(self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor]) -> torch.Tensor:
        """The windows' items, shape `(batch_size, length, num_items, input_dim)`."""
        if mask is not None:
            inputs = torch.where(mask.unsqueeze(-1), inputs, self.edge_embedding)
        edge = self.edge_embedding.expand(inputs.size(0), self._window_size, -1)
        padded = torch.cat([edge, inputs, edge], dim=1)
        return padded.unfold(1, self._num_items, 1).transpose(-1, -2)
