"""Recurrent networks that drop the same units at every time step."""

from typing import Callable, Dict, List, NamedTuple, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders.seq2seq_encoder import Seq2SeqEncoder

State = Tuple[torch.Tensor, torch.Tensor]
"""The hidden state and the memory of the cells, each `(2, batch_size, hidden_dim)`."""


class Cell(NamedTuple):
    """
    # Parameters

    num_gates : `int`
        How many vectors are computed from the input and from the hidden state.
    step : `Callable[[torch.Tensor, torch.Tensor, State], State]`
        From these two projections, of shape `(2, batch_size, num_gates * hidden_dim)`, and the
        state to the next state.
    """

    num_gates: int
    step: Callable[[torch.Tensor, torch.Tensor, State], State]


def _lstm(inputs: torch.Tensor, recurrent: torch.Tensor, state: State) -> State:
    """Hochreiter & Schmidhuber 1997, with forget gates; in PyTorch's order of the gates."""
    keep, forget, candidate, output = (inputs + recurrent).chunk(4, dim=-1)
    memory = forget.sigmoid() * state[1] + keep.sigmoid() * candidate.tanh()
    return output.sigmoid() * memory.tanh(), memory


def _cif_lstm(inputs: torch.Tensor, recurrent: torch.Tensor, state: State) -> State:
    """An LSTM whose input gate is 1 minus its forget gate (Greff et al. 2015)."""
    forget, candidate, output = (inputs + recurrent).chunk(3, dim=-1)
    forget = forget.sigmoid()
    memory = forget * state[1] + (1 - forget) * candidate.tanh()
    return output.sigmoid() * memory.tanh(), memory


def _gru(inputs: torch.Tensor, recurrent: torch.Tensor, state: State) -> State:
    """Cho et al. 2014, in PyTorch's form and order of the gates. It has no memory but its state."""
    reset, update, candidate = inputs.chunk(3, dim=-1)
    recurrent_reset, recurrent_update, recurrent_candidate = recurrent.chunk(3, dim=-1)
    reset = (reset + recurrent_reset).sigmoid()
    update = (update + recurrent_update).sigmoid()
    candidate = (candidate + reset * recurrent_candidate).tanh()
    hidden = (1 - update) * candidate + update * state[1]
    return hidden, hidden


CELLS: Dict[str, Cell] = {
    "lstm": Cell(4, _lstm),
    "cif_lstm": Cell(3, _cif_lstm),
    "gru": Cell(3, _gru),
}


@Seq2SeqEncoder.register("variational_bidirectional_rnn")
class VariationalBidirectionalRnn(Seq2SeqEncoder):
    """
    Layers of recurrent networks that read the sentence in both directions, regularised as in Dozat
    & Manning 2017: in training, a unit of a layer's input is dropped at all tokens of a sentence or
    at none, and so is a unit of the hidden state on its way to the next step (Gal & Ghahramani
    2016). Both directions see the same dropped inputs. The hidden state is dropped only on its way
    to the next step, not on its way to the next layer.

    Registered as a `Seq2SeqEncoder` with name "variational_bidirectional_rnn".

    # Parameters

    input_dim : `int`
    hidden_dim : `int`, optional (default = `400`)
        In each direction.
    num_layers : `int`, optional (default = `3`)
    cell : `str`, optional (default = `"lstm"`)
        `lstm`, `cif_lstm` (coupled input and forget gates) or `gru`: the paper's comparison.
    input_dropout : `float`, optional (default = `0.33`)
    recurrent_dropout : `float`, optional (default = `0.33`)

    # Raises

    `ConfigurationError`
        If there is no such cell.
    """

    def __init__(
        self,
        input_dim: int,
        hidden_dim: int = 400,
        num_layers: int = 3,
        cell: str = "lstm",
        input_dropout: float = 0.33,
        recurrent_dropout: float = 0.33,
    ) -> None:
        super().__init__()
        if cell not in CELLS:
            raise ConfigurationError(f"cell is '{cell}'; expected one of {', '.join(CELLS)}")
        self._input_dim = input_dim
        self._hidden_dim = hidden_dim
        self._input_dropout = input_dropout
        self._recurrent_dropout = recurrent_dropout
        dims = [input_dim] + [2 * hidden_dim] * (num_layers - 1)
        self._layers = torch.nn.ModuleList(
            BidirectionalLayer(dim, hidden_dim, CELLS[cell]) for dim in dims
        )

    def get_input_dim(self) -> int:
        return self._input_dim

    def get_output_dim(self) -> int:
        return 2 * self._hidden_dim

    def is_bidirectional(self) -> bool:
        return True

    def forward(self, inputs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, input_dim)`.
        mask : `torch.Tensor`
            Shape `(batch_size, length)`, bool. All the padding is on the right.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, 2 * hidden_dim)`: forward, then backward; 0 at padding.
        """
        reversal = _reversal(mask)
        for layer in self._layers:
            inputs = inputs * self._keep(inputs.select(1, 0), self._input_dropout).unsqueeze(1)
            hidden = inputs.new_ones(2, inputs.size(0), self._hidden_dim)
            inputs = layer(inputs, reversal, self._keep(hidden, self._recurrent_dropout))
        return inputs * mask.unsqueeze(-1)

    def _keep(self, like: torch.Tensor, dropout: float) -> torch.Tensor:
        """A mask for all time steps, scaled so that sums keep their expected size."""
        ones = torch.ones_like(like)
        return torch.nn.functional.dropout(ones, dropout, self.training)


class BidirectionalLayer(torch.nn.Module):
    """
    One layer, both of whose directions are computed at once.

    # Parameters

    input_dim : `int`
    hidden_dim : `int`
    cell : `Cell`
    """

    def __init__(self, input_dim: int, hidden_dim: int, cell: Cell) -> None:
        super().__init__()
        self._cell = cell
        gates = cell.num_gates * hidden_dim
        # Index 0 is forward, 1 backward.
        self._input_weight = torch.nn.Parameter(torch.empty(2, input_dim, gates))
        self._input_bias = torch.nn.Parameter(torch.zeros(2, 1, gates))
        self._recurrent_weight = torch.nn.Parameter(torch.empty(2, hidden_dim, gates))
        self._recurrent_bias = torch.nn.Parameter(torch.zeros(2, 1, gates))
        for direction in range(2):
            for gate in self._input_weight.data[direction].chunk(cell.num_gates, dim=-1):
                torch.nn.init.xavier_uniform_(gate)
            for gate in self._recurrent_weight.data[direction].chunk(cell.num_gates, dim=-1):
                torch.nn.init.orthogonal_(gate)

    def forward(
        self, inputs: torch.Tensor, reversal: torch.Tensor, recurrent_mask: torch.Tensor
    ) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Shape `(batch_size, length, input_dim)`.
        reversal : `torch.Tensor`
            Shape `(batch_size, length)`: where each token of the reversed sentence stands.
        recurrent_mask : `torch.Tensor`
            Shape `(2, batch_size, hidden_dim)`: by what the hidden state is multiplied at every
            step, before it is projected.

        # Returns

        `torch.Tensor`
            Shape `(batch_size, length, 2 * hidden_dim)`.
        """
        batch_size, length, input_dim = inputs.shape
        both = torch.stack([inputs, _reorder(inputs, reversal)]).view(2, -1, input_dim)
        projected = torch.baddbmm(self._input_bias, both, self._input_weight)
        hidden = torch.zeros_like(recurrent_mask)
        state = hidden, hidden
        outputs: List[torch.Tensor] = []
        for step in projected.view(2, batch_size, length, -1).unbind(2):
            recurrent = torch.baddbmm(
                self._recurrent_bias, state[0] * recurrent_mask, self._recurrent_weight
            )
            state = self._cell.step(step, recurrent, state)
            outputs.append(state[0])
        forward, backward = torch.stack(outputs, dim=2)
        return torch.cat([forward, _reorder(backward, reversal)], dim=-1)


def _reversal(mask: torch.Tensor) -> torch.Tensor:
    """`(batch_size, length)`: positions from the last token to the first, then the padding's."""
    positions = torch.arange(mask.size(1), device=mask.device).expand_as(mask)
    return torch.where(mask, mask.sum(dim=1, keepdim=True) - 1 - positions, positions)


def _reorder(sequence: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    return sequence.gather(1, positions.unsqueeze(-1).expand_as(sequence))
