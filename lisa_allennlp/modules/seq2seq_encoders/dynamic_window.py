"""
A context window with learned gates (Wu, Zhang and Zong 2016, "A Dynamic Window Neural Network for
CCG Supertagging").
"""

from typing import ClassVar, NamedTuple, Optional

import torch
from allennlp.common import Lazy, Registrable
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.initializers import Initializer

from lisa_allennlp.modules.dropout import ScaledDropout
from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder


class WindowGate(torch.nn.Module, Registrable):
    """
    Computes a gate for each of the `2 * window_size + 1` items of a context window. Subclasses take
    these sizes and may add parameters of their own.
    """

    default_implementation = "one_layer"

    is_average: ClassVar[bool] = False
    """Whether the gated items are summed rather than concatenated."""

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__()

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        """
        Returns gates from 0 to 1 for the items of each token, left to right,
        `(batch_size, length, num_items, input_dim)`: `(batch_size, length, num_items, 1)` for one
        per item, or the shape of `contexts` for one per dimension.
        """
        raise NotImplementedError


@WindowGate.register("one_layer")
class OneLayerGate(WindowGate):
    """`r_t = sigmoid(W_r c_t)`, one gate per item (equation 9)."""

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        self._projection = torch.nn.Linear(num_items * input_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return self._projection(contexts.flatten(start_dim=-2)).sigmoid().unsqueeze(-1)


@WindowGate.register("averaging")
class AveragingGate(OneLayerGate):
    """
    The usual attention (last row of Table 3): the weights are a softmax of `W_r c_t`, and the
    output is the weighted sum of the items.
    """

    is_average = True

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return self._projection(contexts.flatten(start_dim=-2)).softmax(dim=-1).unsqueeze(-1)


@WindowGate.register("mlp")
class MlpGate(WindowGate):
    """
    `r_t = sigmoid(W_2 tanh(W_1 c_t))`, one gate per item (equations 26 and 27). The paper does not
    give the size of the hidden layer.
    """

    def __init__(self, input_dim: int, num_items: int, hidden_dim: int = 200) -> None:
        super().__init__(input_dim, num_items)
        self._hidden = torch.nn.Linear(num_items * input_dim, hidden_dim)
        self._projection = torch.nn.Linear(hidden_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        hidden = self._hidden(contexts.flatten(start_dim=-2)).tanh()
        return self._projection(hidden).sigmoid().unsqueeze(-1)


@WindowGate.register("convolution")
class ConvolutionGate(WindowGate):
    """
    One layer with a convolution per dimension (equations 24 and 25, where the gates have the shape
    of the window). For each dimension d, `num_items` filters as wide as the window read dimension d
    of all items and return the items' gates, `r_t[:, d] = sigmoid(W_d c_t[:, d])`.
    """

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        # The last dimension is the items read, the one before the items gated.
        self.filter_weight = torch.nn.Parameter(torch.empty(input_dim, num_items, num_items))
        self.filter_bias = torch.nn.Parameter(torch.zeros(num_items, input_dim))
        bound = num_items**-0.5
        torch.nn.init.uniform_(self.filter_weight, -bound, bound)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        logits = torch.einsum("btid,dji->btjd", contexts, self.filter_weight) + self.filter_bias
        return logits.sigmoid()


@WindowGate.register("open")
class OpenGate(WindowGate):
    """
    All gates are 1 (equation 12): a plain context window or, with dropout on the gates, a window
    with word dropout.
    """

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return contexts.new_ones(*contexts.shape[:-1], 1)


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
class DynamicWindow(SizedEncoder):
    """
    A context window around each token in which a learned gate scales each word (section 3).
    AllenNLP's `compose` can put any encoder after it.

    Positions beyond the edges of a sentence have their own embedding, so that a token's window does
    not depend on the padding of its batch.

    >>> window = DynamicWindow(input_dim=5, window_size=1)
    >>> window(torch.randn(2, 4, 5)).shape
    torch.Size([2, 4, 15])

    # Parameters

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
        num_items = 2 * window_size + 1
        constructed = gate.construct(input_dim=input_dim, num_items=num_items)
        context_dim = num_items * input_dim
        output_dim = input_dim if constructed.is_average else context_dim
        super().__init__(input_dim, output_dim, bidirectional)
        self.context_dim = context_dim
        self._window_size = window_size
        self._num_items = num_items
        self._gate = constructed
        self._gate_dropout = ScaledDropout(gate_dropout)
        self._embedding_dropout = ScaledDropout(embedding_dropout)
        self.edge_embedding = torch.nn.Parameter(torch.empty(input_dim))
        torch.nn.init.normal_(self.edge_embedding, std=0.1)

    def forward(
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """
        Maps `(batch_size, length, input_dim)` to `(batch_size, length, output_dim)`: the
        concatenated gated items, `c~_t`, with `output_dim = (2 * window_size + 1) * input_dim`;
        with the gate `averaging`, their sum, with `output_dim = input_dim`. Padding is on the
        right.
        """
        return self.read(inputs, mask).filtered

    def read(self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None) -> WindowReading:
        contexts = self._contexts(self._embedding_dropout(inputs), mask)
        gates = self._gate(contexts)
        # All dimensions of an item share one mask, so that whole words are dropped.
        kept = self._gate_dropout(gates.new_ones(*gates.shape[:-1], 1))
        filtered = gates * kept * contexts
        filtered = filtered.sum(-2) if self._gate.is_average else filtered.flatten(start_dim=-2)
        return WindowReading(contexts.flatten(start_dim=-2), gates, filtered)

    def _contexts(self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor]) -> torch.Tensor:
        """Shape `(batch_size, length, num_items, input_dim)`."""
        if mask is not None:
            inputs = torch.where(mask.unsqueeze(-1), inputs, self.edge_embedding)
        edge = self.edge_embedding.expand(inputs.size(0), self._window_size, -1)
        padded = torch.cat([edge, inputs, edge], dim=1)
        return padded.unfold(1, self._num_items, 1).transpose(-1, -2)


@Initializer.register("fan_in_gaussian")
class FanInGaussianInitializer(Initializer):
    """
    Draws from a Gaussian with a standard deviation of `scale / sqrt(fan_in)` (dynamic window,
    section 4.2), where `fan_in` is a parameter's last dimension.
    """

    def __init__(self, scale: float = 0.1) -> None:
        self._scale = scale

    def __call__(self, tensor: torch.Tensor, **kwargs: object) -> None:
        torch.nn.init.normal_(tensor, std=self._scale * tensor.size(-1) ** -0.5)
