"""Bidirectional recurrent networks that drop the same units at every time step."""

from typing import Callable, Dict, NamedTuple, Tuple

import torch
from allennlp.modules import Seq2SeqEncoder

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.seq2seq_encoders import SizedEncoder

Step = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Tuple[torch.Tensor, torch.Tensor]]


class Cell(NamedTuple):
    num_gates: int
    """The number of vectors that are computed from the input and from the last hidden state."""
    step: Step
    """
    Maps the terms that the input and the last hidden state add to the gates, both of shape `(...,
    num_gates * hidden_dim)`, and the memory, `(..., hidden_dim)`, to the next state and memory.
    """


def lstm(
    inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Hochreiter & Schmidhuber 1997, with forget gates. The gates are in PyTorch's order (input,
    forget, candidate, output):

        c_t = f c_{t-1} + i g        h_t = o tanh(c_t)
    """
    i, f, g, o = (inputs + recurrent).chunk(4, dim=-1)
    memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
    return o.sigmoid() * memory.tanh(), memory


def cif_lstm(
    inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    An LSTM with coupled input and forget gates, `i = 1 - f` (Greff et al. 2015). The order of the
    gates is forget, candidate, output.
    """
    f, g, o = (inputs + recurrent).chunk(3, dim=-1)
    memory = torch.lerp(g.tanh(), memory, f.sigmoid())
    return o.sigmoid() * memory.tanh(), memory


def gru(
    inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    Cho et al. 2014, in PyTorch's form and order of the gates (reset, update, candidate):

        n = tanh(x_n + r h_n)        h_t = (1 - z) n + z h_{t-1}

    The memory is the hidden state.
    """
    (r, z, n), (of_r, of_z, of_n) = inputs.chunk(3, dim=-1), recurrent.chunk(3, dim=-1)
    candidate = (n + (r + of_r).sigmoid() * of_n).tanh()
    hidden = torch.lerp(candidate, memory, (z + of_z).sigmoid())
    return hidden, hidden


CELLS: Dict[str, Cell] = {"lstm": Cell(4, lstm), "cif_lstm": Cell(3, cif_lstm), "gru": Cell(3, gru)}


@Seq2SeqEncoder.register("variational_bidirectional_rnn")
class VariationalBidirectionalRnn(SizedEncoder):
    """
    Bidirectional recurrent layers, regularised as in Dozat & Manning 2017. In training, one dropout
    mask per sentence applies to a layer's inputs at all tokens, and another one to the hidden state
    on its way to the next step (Gal & Ghahramani 2016). Both directions read the same masked
    inputs. The recurrent mask does not apply to the states that the next layer reads.

    >>> encoder = VariationalBidirectionalRnn(input_dim=5, hidden_dim=4, num_layers=2)
    >>> mask = torch.tensor([[True, True, True], [True, True, False]])
    >>> encoder(torch.randn(2, 3, 5), mask).shape
    torch.Size([2, 3, 8])

    # Parameters

    hidden_dim : `int`, optional (default = `400`)
        The size of the states of each direction.
    cell : `str`, optional (default = `"lstm"`)
        One of the cells that the paper compares: `lstm`, `cif_lstm` (coupled input and forget
        gates) or `gru`.
    input_dropout : `float`, optional (default = `0.33`)
        The probability of dropping a unit of a layer's input.
    recurrent_dropout : `float`, optional (default = `0.33`)
        The probability of dropping a unit of the hidden state.
    highway : `bool`, optional (default = `False`)
        Whether each layer mixes its states with a projection of its inputs: `g h + (1 - g) W x`,
        with gates `g = sigmoid(V x + b)`. The paper's network does not. With it, the states of
        different tokens differ from the first step on, which helps when there are few epochs.
    """

    def __init__(
        self,
        input_dim: int,
        hidden_dim: int = 400,
        num_layers: int = 3,
        cell: str = "lstm",
        input_dropout: float = 0.33,
        recurrent_dropout: float = 0.33,
        highway: bool = False,
    ) -> None:
        super().__init__(input_dim, 2 * hidden_dim, bidirectional=True)
        if cell not in CELLS:
            raise ConfigurationError(f"cell is '{cell}'; expected one of {', '.join(CELLS)}")
        self._hidden_dim = hidden_dim
        self._input_dropout = input_dropout
        self._recurrent_dropout = recurrent_dropout
        dims = [input_dim] + [2 * hidden_dim] * (num_layers - 1)
        self._layers = torch.nn.ModuleList(
            BidirectionalLayer(dim, hidden_dim, cell) for dim in dims
        )
        self._highways = torch.nn.ModuleList(
            Highway(dim, 2 * hidden_dim) for dim in dims if highway
        )

    def forward(self, inputs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """
        Maps `(batch_size, length, input_dim)` to `(batch_size, length, 2 * hidden_dim)`: forward,
        then backward; 0 at padding, which is all on the right.
        """
        by_time = inputs.transpose(0, 1)
        token_mask = mask.transpose(0, 1)
        for number, layer in enumerate(self._layers):
            by_time = by_time * self._keep(by_time.select(0, 0), self._input_dropout)
            hidden = by_time.new_ones(2, by_time.size(1), self._hidden_dim)
            states = layer(by_time, token_mask, self._keep(hidden, self._recurrent_dropout))
            by_time = self._highways[number](by_time, states) if self._highways else states
        return by_time.transpose(0, 1) * mask.unsqueeze(-1)

    def _keep(self, like: torch.Tensor, dropout: float) -> torch.Tensor:
        ones = torch.ones_like(like)
        return torch.nn.functional.dropout(ones, dropout, self.training)


class BidirectionalLayer(torch.nn.Module):
    def __init__(self, input_dim: int, hidden_dim: int, cell: str) -> None:
        super().__init__()
        num_gates, self._step = CELLS[cell]
        gates = num_gates * hidden_dim
        # Index 0 is forward, 1 backward.
        self._input_weight = torch.nn.Parameter(torch.empty(2, input_dim, gates))
        self._input_bias = torch.nn.Parameter(torch.zeros(2, 1, gates))
        self._recurrent_weight = torch.nn.Parameter(torch.empty(2, hidden_dim, gates))
        self._recurrent_bias = torch.nn.Parameter(torch.zeros(2, 1, gates))
        for direction in range(2):
            for gate in self._input_weight.data[direction].chunk(num_gates, dim=-1):
                torch.nn.init.xavier_uniform_(gate)
            for gate in self._recurrent_weight.data[direction].chunk(num_gates, dim=-1):
                torch.nn.init.orthogonal_(gate)

    def forward(
        self, inputs: torch.Tensor, token_mask: torch.Tensor, recurrent_mask: torch.Tensor
    ) -> torch.Tensor:
        """
        Maps `(length, batch_size, input_dim)` to the hidden states, `(length, batch_size,
        2 * hidden_dim)`, forward, then backward, and 0 at padding. While one direction reads the
        first token, the other reads the last. Under autocast, products have its precision, and the
        states have that of `recurrent_mask`.

        # Parameters

        token_mask : `torch.Tensor`
            Shape `(length, batch_size)`, bool.
        recurrent_mask : `torch.Tensor`
            Shape `(2, batch_size, hidden_dim)`: multiplies the hidden state before each step.
        """
        flat = inputs.flatten(0, 1).expand(2, -1, -1)
        projected = torch.baddbmm(self._input_bias, flat, self._input_weight)
        projected = projected.view(2, *inputs.shape[:2], -1).to(recurrent_mask.dtype)
        kept = token_mask.unsqueeze(-1).to(recurrent_mask.dtype)
        hidden = memory = torch.zeros_like(recurrent_mask)
        states = []
        read = _in_reading_order(projected).unbind(1)
        keeps = _in_reading_order(torch.stack([kept, kept])).unbind(1)
        for own, keep in zip(read, keeps, strict=True):
            recurrent = torch.baddbmm(
                self._recurrent_bias, hidden * recurrent_mask, self._recurrent_weight
            ).to(memory.dtype)
            hidden, memory = self._step(own, recurrent, memory)
            hidden, memory = hidden * keep, memory * keep
            states.append(hidden)
        forward, backward = torch.stack(states, dim=1)
        return torch.cat([forward, backward.flip(0)], dim=-1)


def _in_reading_order(sequences: torch.Tensor) -> torch.Tensor:
    return torch.stack([sequences[0], sequences[1].flip(0)])


class Highway(torch.nn.Module):
    """A gated connection around a layer, with one gate per unit (Srivastava et al. 2015)."""

    def __init__(self, input_dim: int, dim: int) -> None:
        super().__init__()
        self._both = torch.nn.Linear(input_dim, 2 * dim)
        for weight in self._both.weight.data.chunk(2):
            torch.nn.init.xavier_uniform_(weight)
        torch.nn.init.zeros_(self._both.bias)

    def forward(self, inputs: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        """Mixes inputs, `(length, batch_size, input_dim)`, into states, `(..., dim)`."""
        gates, carried = self._both(inputs).to(states.dtype).chunk(2, dim=-1)
        return torch.lerp(carried, states, gates.sigmoid())
