"""
The recurrent cells that Dozat & Manning 2017 compare, and the recurrence over a sentence in both
directions.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import torch
from torch.autograd.function import once_differentiable

from lisa_allennlp.nn.precision import in_product_precision

_tanh_backward, _sigmoid_backward = torch.ops.aten.tanh_backward, torch.ops.aten.sigmoid_backward

Step = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], Tuple[torch.Tensor, torch.Tensor]]


class Cell(NamedTuple):
    """A recurrent cell."""

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
    last. Returns the hidden states, `(length, batch_size, 2 * hidden_dim)`, forward, then backward,
    and 0 at padding. Under autocast, products have its precision, and the states have the precision
    of `dropout_mask`.

    # Parameters

    projected : `torch.Tensor`
        Shape `(2, length, batch_size, num_gates * hidden_dim)`: the terms that each token adds to
        the gates of the forward and the backward direction.
    weight, bias : `torch.Tensor`
        Shapes `(2, hidden_dim, num_gates * hidden_dim)` and `(2, 1, num_gates * hidden_dim)`.
    dropout_mask : `torch.Tensor`
        Shape `(2, batch_size, hidden_dim)`: multiplies the hidden state at every step, before
        `weight`.
    token_mask : `torch.Tensor`
        Shape `(length, batch_size)`, bool.
    """
    if cell == "lstm":
        return LstmRecurrence.apply(
            *map(in_product_precision, (projected, weight, bias)), dropout_mask, token_mask
        )
    return recurrence_by_autograd(projected, weight, bias, dropout_mask, token_mask, cell)


def recurrence_by_autograd(
    projected: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    dropout_mask: torch.Tensor,
    token_mask: torch.Tensor,
    cell: str,
) -> torch.Tensor:
    """`bidirectional_recurrence` of any cell, as its equations."""
    kept = token_mask.unsqueeze(-1).to(dropout_mask.dtype)
    hidden = memory = torch.zeros_like(dropout_mask)
    states = []
    read = _in_reading_order(projected.to(memory.dtype)).unbind(1)
    keeps = _in_reading_order(torch.stack([kept, kept])).unbind(1)
    for inputs, keep in zip(read, keeps, strict=True):
        recurrent = torch.baddbmm(bias, hidden * dropout_mask, weight).to(memory.dtype)
        hidden, memory = CELLS[cell].step(inputs, recurrent, memory)
        hidden, memory = hidden * keep, memory * keep
        states.append(hidden)
    forward, backward = torch.stack(states, dim=1)
    return torch.cat([forward, backward.flip(0)], dim=-1)


def _in_reading_order(sequences: torch.Tensor) -> torch.Tensor:
    """Turns `(2, length, ...)` from text order to the order of reading, or back."""
    return torch.stack([sequences[0], sequences[1].flip(0)])


class LstmRecurrence(torch.autograd.Function):
    """
    `bidirectional_recurrence` of LSTMs with its own derivatives. Autograd computes the gradient of
    the weights with one product per step; here one product covers all steps. The derivatives of the
    cell also take fewer operations.
    """

    @staticmethod
    def forward(
        ctx: Any,
        projected: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        dropout_mask: torch.Tensor,
        token_mask: torch.Tensor,
    ) -> torch.Tensor:
        _, length, batch_size, _ = projected.shape
        dim = dropout_mask.size(-1)
        kept = torch.stack([token_mask, token_mask.flip(0)], dim=1).unsqueeze(-1)
        kept = kept.to(dropout_mask.dtype)
        dropped = projected.new_zeros(2, length, batch_size, dim)
        outputs = dropout_mask.new_empty(length, batch_size, 2, dim)
        memory = torch.zeros_like(dropout_mask)
        saved: List[Tuple[torch.Tensor, ...]] = []
        for step in range(length):
            recurrent = torch.baddbmm(bias, dropped[:, step], weight).to(memory.dtype)
            gates = _at(projected, step).to(memory.dtype) + recurrent
            i, f, g, o = gates.chunk(4, dim=-1)
            gates[..., : 2 * dim].sigmoid_()
            g.tanh_()
            o.sigmoid_()
            next_memory = (f * memory).addcmul_(i, g)
            squashed = next_memory.tanh()
            saved.append((gates, memory, squashed))
            hidden, memory = o * squashed * kept[step], next_memory * kept[step]
            outputs[step, :, 0] = hidden[0]
            outputs[length - 1 - step, :, 1] = hidden[1]
            if step + 1 < length:
                dropped[:, step + 1] = hidden.mul_(dropout_mask)
        ctx.saved = saved
        ctx.save_for_backward(weight, dropout_mask, kept, dropped)
        return outputs.view(length, batch_size, 2 * dim)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_outputs: torch.Tensor) -> Tuple[Optional[torch.Tensor], ...]:
        weight, dropout_mask, kept, dropped = ctx.saved_tensors
        length, batch_size, _ = grad_outputs.shape
        above = grad_outputs.view(length, batch_size, 2, -1).permute(2, 0, 1, 3)
        # In the order of reading.
        grads = weight.new_empty(2, length, batch_size, weight.size(-1))
        transposed = weight.transpose(1, 2).contiguous()
        grad_hidden = torch.zeros_like(dropout_mask)
        grad_memory = torch.zeros_like(dropout_mask)
        for step in reversed(range(length)):
            gates, memory, squashed = ctx.saved[step]
            i, f, g, o = gates.chunk(4, dim=-1)
            grad_hidden = (grad_hidden + _at(above, step)) * kept[step]
            grad_memory = grad_memory * kept[step] + _tanh_backward(grad_hidden * o, squashed)
            grad_gates = torch.empty_like(gates)
            of_i, of_f, of_g, of_o = grad_gates.chunk(4, dim=-1)
            _sigmoid_backward.grad_input(grad_memory * g, i, grad_input=of_i)
            _sigmoid_backward.grad_input(grad_memory * memory, f, grad_input=of_f)
            _tanh_backward.grad_input(grad_memory * i, g, grad_input=of_g)
            _sigmoid_backward.grad_input(grad_hidden * squashed, o, grad_input=of_o)
            grads[:, step] = grad_gates
            grad_memory = grad_memory * f
            grad_hidden = torch.bmm(grads[:, step], transposed) * dropout_mask
        flat = grads.flatten(1, 2)
        grad_weight = torch.bmm(dropped.flatten(1, 2).transpose(1, 2), flat)
        return _in_reading_order(grads), grad_weight, flat.sum(dim=1, keepdim=True), None, None


def _at(sequences: torch.Tensor, step: int) -> torch.Tensor:
    """The input of both directions at one step, from `(2, length, ...)` in text order."""
    return torch.stack([sequences[0, step], sequences[1, sequences.size(1) - 1 - step]])
