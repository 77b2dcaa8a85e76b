"""The part of an LSTM that has to go from token to token."""

from typing import Any, Tuple

import torch
from torch.autograd.function import once_differentiable

from lisa_allennlp.nn.precision import in_product_precision

_CLOSED = -1e4


def lstm_recurrence(gates: torch.Tensor, weight: torch.Tensor, reverse: bool) -> torch.Tensor:
    """
    Runs one direction of an LSTM (dynamic window, equations 4 to 6; the gates in PyTorch's order:
    input, forget, candidate, output):

        i, f, g, o = gates_t + W h_{t-1}        sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)
        c_t = f c_{t-1} + i g
        h_t = o tanh(c_t)

    A step reads the whole of `W`, which for a single sentence takes all of its time. So the
    gradient of `W` is computed for all steps at once, where PyTorch's own layers change it at each.
    Where autocast is on, the sums of each gate have its precision; all else stays as it is.

    # Parameters

    gates : `torch.Tensor`
        Shape `(length, batch_size, 4 * hidden_size)`: what the inputs and the biases add to each
        gate. `close_padding` makes padding leave no trace.
    weight : `torch.Tensor`
        Shape `(4 * hidden_size, hidden_size)`: `W`.
    reverse : `bool`
        Whether to go from the last token to the first.

    # Returns

    `torch.Tensor`
        `h`, shape `(length, batch_size, hidden_size)`.
    """
    if torch.is_grad_enabled() and (gates.requires_grad or weight.requires_grad):
        return _Recurrence.apply(gates, weight, reverse)
    return _run(gates, weight, reverse, keep=False)[2]


def close_padding(gates: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    Closes the gates of padding: its state and its memory are 0, as before the first token. Works in
    place.

    # Parameters

    gates : `torch.Tensor`
        Shape `(length, batch_size, 4 * hidden_size)`, as for `lstm_recurrence`.
    mask : `torch.BoolTensor`
        Shape `(batch_size, length)`.

    # Returns

    `torch.Tensor`
        `gates`.
    """
    # In place, and by position: a mask as index would be as slow as a pass through all gates.
    gates[(~mask.transpose(0, 1)).nonzero(as_tuple=True)] = _CLOSED
    return gates


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gates: torch.Tensor, weight: torch.Tensor, reverse: bool) -> torch.Tensor:
        activations, cells, states = _run(gates, weight, reverse, keep=True)
        ctx.save_for_backward(activations, cells, states, weight)
        ctx.reverse = reverse
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, None]:
        activations, cells, states, weight = ctx.saved_tensors
        grad_gates = _run_back(grad_states, activations, cells, weight, ctx.reverse)
        previous = _before(states, ctx.reverse)
        grad_weight = grad_gates.flatten(end_dim=1).t() @ previous.flatten(end_dim=1)
        return grad_gates, grad_weight, None


def _run(
    gates: torch.Tensor, weight: torch.Tensor, reverse: bool, keep: bool
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """
    The gates after their activations, all `c`, and all `h`. Unless they are to be kept, the former
    two are only those of the last step, in memory that all steps share and that stays in a cache.
    """
    length, batch_size, hidden_size = *gates.shape[:2], weight.size(1)
    num_kept = length if keep else 1
    activations = weight.new_empty(num_kept, batch_size, 4 * hidden_size).expand(length, -1, -1)
    cells = weight.new_empty(num_kept, batch_size, hidden_size).expand(length, -1, -1)
    states = weight.new_empty(length, batch_size, hidden_size)
    cell = state = weight.new_zeros(batch_size, hidden_size)
    squashed = torch.empty_like(cell)
    is_reduced = torch.is_autocast_enabled(weight.device.type)
    transposed = in_product_precision(weight).t()
    steps = list(zip(gates, activations, cells, states, strict=True))
    for from_inputs, gate, next_cell, next_state in reversed(steps) if reverse else steps:
        if is_reduced:
            gate.copy_(torch.addmm(from_inputs, state, transposed))
        else:
            torch.addmm(from_inputs, state, transposed, out=gate)
        input_gate, forget_gate, candidate, output_gate = gate.chunk(4, -1)
        gate[:, : 2 * hidden_size].sigmoid_()
        candidate.tanh_()
        output_gate.sigmoid_()
        torch.mul(forget_gate, cell, out=next_cell).addcmul_(input_gate, candidate)
        torch.mul(output_gate, torch.tanh(next_cell, out=squashed), out=next_state)
        cell, state = next_cell, next_state
    return activations, cells, states


def _run_back(
    grad_states: torch.Tensor,
    activations: torch.Tensor,
    cells: torch.Tensor,
    weight: torch.Tensor,
    reverse: bool,
) -> torch.Tensor:
    """The gradient of the gates before their activations, of the shape of `activations`."""
    input_gate, forget_gate, candidate, output_gate = activations.chunk(4, -1)
    squashed = cells.tanh()
    # What the gradients of c (of i, f and g) and of h (of o) are multiplied by, for all steps.
    of_cell = torch.stack(
        [
            candidate * input_gate * (1 - input_gate),
            _before(cells, reverse) * forget_gate * (1 - forget_gate),
            input_gate * (1 - candidate.square()),
        ],
        dim=2,
    )
    of_state = squashed * output_gate * (1 - output_gate)
    cell_of_state = output_gate * (1 - squashed.square())
    grad_gates = torch.empty_like(activations)
    by_gate = grad_gates.unflatten(-1, (4, -1))
    steps = list(
        zip(
            grad_states,
            of_cell,
            of_state,
            cell_of_state,
            forget_gate,
            grad_gates,
            by_gate,
            strict=True,
        )
    )
    grad_state = torch.zeros_like(cells[0])
    grad_cell = torch.zeros_like(grad_state)
    for from_above, at_cell, at_state, to_cell, forget, grad_gate, parts in (
        steps if reverse else reversed(steps)
    ):
        grad_state = grad_state + from_above
        grad_cell = torch.addcmul(grad_cell, grad_state, to_cell)
        torch.mul(grad_cell.unsqueeze(1), at_cell, out=parts[:, :3])
        torch.mul(grad_state, at_state, out=parts[:, 3])
        grad_cell = grad_cell * forget
        grad_state = grad_gate @ weight
    return grad_gates


def _before(values: torch.Tensor, reverse: bool) -> torch.Tensor:
    """Of each step the value of the one before it: zeros at the first."""
    zeros = torch.zeros_like(values[:1])
    return torch.cat([values[1:], zeros] if reverse else [zeros, values[:-1]])
