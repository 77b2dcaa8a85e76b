"""An LSTM that trains faster on single sentences."""

from typing import Any, Optional, Tuple

import torch
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PytorchSeq2SeqWrapper
from torch.autograd.function import once_differentiable


@Seq2SeqEncoder.register("fast_lstm")
class FastLstm(PytorchSeq2SeqWrapper):
    """
    One LSTM layer (dynamic window, equations 4 to 6): AllenNLP's `lstm` with the same parameters
    and parameter names. On a CPU it trains twice as fast with updates of one sentence.
    """

    def __init__(self, input_size: int, hidden_size: int, bidirectional: bool = False) -> None:
        super().__init__(
            torch.nn.LSTM(input_size, hidden_size, batch_first=True, bidirectional=bidirectional)
        )

    def forward(  # type: ignore[override]
        self, inputs: torch.Tensor, mask: Optional[torch.BoolTensor] = None
    ) -> torch.Tensor:
        """
        Maps `(batch_size, length, input_size)` to the states, `(batch_size, length, hidden_size)`,
        or to twice as many, forward then backward, if the layer is bidirectional; 0 at padding,
        which is all on the right.
        """
        if inputs.is_cpu and mask is None and len(inputs) == 1 and torch.is_grad_enabled():
            return self._states_of_one_sentence(inputs)
        return super().forward(inputs, mask)  # type: ignore[arg-type]

    def _states_of_one_sentence(self, inputs: torch.Tensor) -> torch.Tensor:
        """`forward`, in the precision of the weights even under autocast."""
        with torch.autocast("cpu", enabled=False):
            weights: Any = self._module.all_weights
            by_time = inputs.to(weights[0][0].dtype).transpose(0, 1).contiguous()
            states = [
                lstm_recurrence(
                    torch.nn.functional.linear(by_time, input_weight, input_bias + recurrent_bias),
                    recurrent_weight,
                    reverse=bool(direction),
                )
                for direction, (input_weight, recurrent_weight, input_bias, recurrent_bias) in (
                    enumerate(weights)
                )
            ]
        return torch.cat(states, dim=-1).transpose(0, 1)


def lstm_recurrence(gates: torch.Tensor, weight: torch.Tensor, reverse: bool) -> torch.Tensor:
    """
    Runs one direction of an LSTM, from the terms that the inputs and the biases add to each gate,
    `(length, batch_size, 4 * hidden_size)`, and `W`, `(4 * hidden_size, hidden_size)`. The gates
    are in PyTorch's order (input, forget, candidate, output):

        i, f, g, o = gates_t + W h_{t-1}        sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)
        c_t = f c_{t-1} + i g
        h_t = o tanh(c_t)

    A step reads all of `W`, which takes most of its time for a single sentence. Therefore the
    gradient of `W` is computed once for all steps, where PyTorch's own layers update it at every
    step.
    """
    return _Recurrence.apply(gates, weight, reverse)


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gates: torch.Tensor, weight: torch.Tensor, reverse: bool) -> torch.Tensor:
        activations, cells, states = _run(gates, weight, reverse)
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
    gates: torch.Tensor, weight: torch.Tensor, reverse: bool
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The gates after their activations, all `c` and all `h`."""
    length, batch_size, hidden_size = *gates.shape[:2], weight.size(1)
    activations = torch.empty_like(gates)
    cells = weight.new_empty(length, batch_size, hidden_size)
    states = torch.empty_like(cells)
    cell = state = weight.new_zeros(batch_size, hidden_size)
    squashed = torch.empty_like(cell)
    steps = list(zip(gates, activations, cells, states, strict=True))
    for from_inputs, gate, next_cell, next_state in reversed(steps) if reverse else steps:
        torch.addmm(from_inputs, state, weight.t(), out=gate)
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
    # For all steps, the factors that turn the gradient of c into those of i, f and g, and the
    # gradient of h into those of o and c.
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
    factors = of_cell, of_state, cell_of_state, forget_gate
    steps = list(zip(grad_states, *factors, grad_gates, by_gate, strict=True))
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
    """The values of the previous step at each step; zeros at the first."""
    zeros = torch.zeros_like(values[:1])
    return torch.cat([values[1:], zeros] if reverse else [zeros, values[:-1]])
