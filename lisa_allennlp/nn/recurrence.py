"""
The recurrent cells that Dozat & Manning 2017 compare, and the recurrence over a sentence in both
directions.
"""

from typing import Callable, Dict, NamedTuple, Tuple

import torch

from lisa_allennlp.nn.cpu.bidirectional_recurrence import recurrence_with_derivatives
from lisa_allennlp.nn.device import is_on_cpu

Step = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Tuple[torch.Tensor, torch.Tensor]]


class Cell(NamedTuple):
    """
    A recurrent cell.

    # Parameters

    num_gates : `int`
        The number of vectors that are computed from the input and from the last hidden state.
    step : `Callable`
        Maps the terms that the input and the last hidden state add to the gates, both of shape
        `(..., num_gates * hidden_dim)`, and the memory, `(..., hidden_dim)`, to the next hidden
        state and memory.
    """

    num_gates: int
    step: Step


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


def bidirectional_recurrence(
    projected: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    dropout_mask: torch.Tensor,
    token_mask: torch.Tensor,
    cell: str,
) -> torch.Tensor:
    """
    Runs both directions of a layer together: while one reads the first token, the other reads the
    last. Under autocast, products have its precision, and the states have the precision of
    `dropout_mask`.

    >>> length, batch_size, hidden_dim = 5, 2, 3
    >>> projected = torch.randn(2, length, batch_size, 4 * hidden_dim)
    >>> weight, bias = torch.randn(2, hidden_dim, 4 * hidden_dim), torch.zeros(2, 1, 4 * hidden_dim)
    >>> keep_all = torch.ones(2, batch_size, hidden_dim)
    >>> mask = torch.ones(length, batch_size, dtype=torch.bool)
    >>> bidirectional_recurrence(projected, weight, bias, keep_all, mask, "lstm").shape
    torch.Size([5, 2, 6])

    # Parameters

    projected : `torch.Tensor`
        Shape `(2, length, batch_size, num_gates * hidden_dim)`: the terms that each token adds to
        the gates of the forward and the backward direction.
    weight : `torch.Tensor`
        Shape `(2, hidden_dim, num_gates * hidden_dim)`.
    bias : `torch.Tensor`
        Shape `(2, 1, num_gates * hidden_dim)`.
    dropout_mask : `torch.Tensor`
        Shape `(2, batch_size, hidden_dim)`: multiplies the hidden state at every step, before
        `weight`.
    token_mask : `torch.Tensor`
        Shape `(length, batch_size)`, bool. At padding the state is 0.
    cell : `str`
        One of `CELLS`.

    # Returns

    `torch.Tensor`
        The hidden states, shape `(length, batch_size, 2 * hidden_dim)`: forward, then backward.
    """
    if is_on_cpu(projected):
        return recurrence_with_derivatives(projected, weight, bias, dropout_mask, token_mask, cell)
    return plain_recurrence(projected, weight, bias, dropout_mask, token_mask, cell)


def plain_recurrence(
    projected: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    dropout_mask: torch.Tensor,
    token_mask: torch.Tensor,
    cell: str,
) -> torch.Tensor:
    """`bidirectional_recurrence` by autograd."""
    kept = token_mask.unsqueeze(-1).to(dropout_mask.dtype)
    hidden = memory = torch.zeros_like(dropout_mask)
    states = []
    # The backward direction reads the tokens in reverse.
    read = _in_reading_order(projected.to(memory.dtype))
    for inputs, keep in zip(read, _in_reading_order(torch.stack([kept, kept])), strict=True):
        recurrent = torch.baddbmm(bias, hidden * dropout_mask, weight).to(memory.dtype)
        hidden, memory = CELLS[cell].step(inputs, recurrent, memory)
        hidden, memory = hidden * keep, memory * keep
        states.append(hidden)
    forward, backward = torch.stack(states, dim=1)
    return torch.cat([forward, backward.flip(0)], dim=-1)


def _in_reading_order(sequences: torch.Tensor) -> Tuple[torch.Tensor, ...]:
    """The input of both directions at each step, from `(2, length, ...)` in text order."""
    return torch.stack([sequences[0], sequences[1].flip(0)]).unbind(1)
