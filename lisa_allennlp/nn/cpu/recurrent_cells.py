"""
The cells of `lisa_allennlp.nn.recurrence` with their derivatives.

A cell maps the terms that the input and the last hidden state add to its gates, both of shape
`(2, batch_size, num_gates * hidden_dim)`, and its memory, `(2, batch_size, hidden_dim)`, to the
next hidden state and memory. The first dimension of all tensors is the direction.

    >>> inputs = recurrent = torch.zeros(2, 1, 3 * 2)
    >>> hidden, memory, saved = CELLS["gru"].forward(inputs, recurrent, torch.ones(2, 1, 2))
    >>> hidden[0]  # half the memory and half the candidate, 0
    tensor([[0.5000, 0.5000]])
"""

from abc import ABC, abstractmethod
from typing import Dict, Tuple

import torch

Saved = Tuple[torch.Tensor, ...]
"""The tensors from which a cell computes its derivatives."""


class Cell(ABC):
    """A kind of cell. It has no parameters."""

    @abstractmethod
    def forward(
        self, inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, Saved]:
        """
        # Parameters

        inputs, recurrent : `torch.Tensor`
            Shape `(2, batch_size, num_gates * hidden_dim)`.
        memory : `torch.Tensor`
            Shape `(2, batch_size, hidden_dim)`.

        # Returns

        `Tuple[torch.Tensor, torch.Tensor, Saved]`
            The hidden state and the memory, in the shape of `memory`; then the tensors that
            `backward` needs.
        """

    @abstractmethod
    def backward(
        self, saved: Saved, grad_hidden: torch.Tensor, grad_memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """
        # Parameters

        grad_hidden : `torch.Tensor`
            The gradient of the hidden state that `forward` returned.
        grad_memory : `torch.Tensor`
            The gradient of the memory that `forward` returned.

        # Returns

        `Tuple[torch.Tensor, torch.Tensor, torch.Tensor]`
            The gradients of the arguments of `forward`, in their order.
        """


class Lstm(Cell):
    """`c_t = f c_{t-1} + i g`, `h_t = o tanh(c_t)`."""

    def forward(
        self, inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, Saved]:
        gates = inputs + recurrent
        keep, forget, candidate, output = gates.chunk(4, dim=-1)
        torch.sigmoid_(gates[..., : 2 * memory.size(-1)])
        candidate.tanh_()
        output.sigmoid_()
        next_memory = (forget * memory).addcmul_(keep, candidate)
        squashed = next_memory.tanh()
        return output * squashed, next_memory, (gates, memory, squashed)

    def backward(
        self, saved: Saved, grad_hidden: torch.Tensor, grad_memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        gates, memory, squashed = saved
        keep, forget, candidate, output = gates.chunk(4, dim=-1)
        grad_memory = grad_memory + _through_tanh(grad_hidden * output, squashed)
        grad = torch.empty_like(gates)
        grad_keep, grad_forget, grad_candidate, grad_output = grad.chunk(4, dim=-1)
        _through_sigmoid(grad_memory * candidate, keep, grad_keep)
        _through_sigmoid(grad_memory * memory, forget, grad_forget)
        _through_tanh(grad_memory * keep, candidate, grad_candidate)
        _through_sigmoid(grad_hidden * squashed, output, grad_output)
        return grad, grad, grad_memory * forget


class CifLstm(Cell):
    """`c_t = f c_{t-1} + (1 - f) g`, `h_t = o tanh(c_t)`."""

    def forward(
        self, inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, Saved]:
        gates = inputs + recurrent
        forget, candidate, output = gates.chunk(3, dim=-1)
        forget.sigmoid_()
        candidate.tanh_()
        output.sigmoid_()
        next_memory = torch.lerp(candidate, memory, forget)
        squashed = next_memory.tanh()
        return output * squashed, next_memory, (gates, memory, squashed)

    def backward(
        self, saved: Saved, grad_hidden: torch.Tensor, grad_memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        gates, memory, squashed = saved
        forget, candidate, output = gates.chunk(3, dim=-1)
        grad_memory = grad_memory + _through_tanh(grad_hidden * output, squashed)
        grad_previous = grad_memory * forget
        grad = torch.empty_like(gates)
        grad_forget, grad_candidate, grad_output = grad.chunk(3, dim=-1)
        _through_sigmoid(grad_memory * (memory - candidate), forget, grad_forget)
        _through_tanh(grad_memory - grad_previous, candidate, grad_candidate)
        _through_sigmoid(grad_hidden * squashed, output, grad_output)
        return grad, grad, grad_previous


class Gru(Cell):
    """`n = tanh(x_n + r h_n)`, `h_t = (1 - z) n + z h_{t-1}`. The memory is the hidden state."""

    def forward(
        self, inputs: torch.Tensor, recurrent: torch.Tensor, memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, Saved]:
        dim = memory.size(-1)
        recurrent_candidate = recurrent[..., 2 * dim :].contiguous()
        gates = inputs + recurrent
        reset, update, candidate = gates.chunk(3, dim=-1)
        torch.sigmoid_(gates[..., : 2 * dim])
        torch.addcmul(inputs[..., 2 * dim :], reset, recurrent_candidate, out=candidate).tanh_()
        hidden = torch.lerp(candidate, memory, update)
        return hidden, hidden, (gates, memory, recurrent_candidate)

    def backward(
        self, saved: Saved, grad_hidden: torch.Tensor, grad_memory: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        gates, memory, recurrent_candidate = saved
        reset, update, candidate = gates.chunk(3, dim=-1)
        grad_hidden = grad_hidden + grad_memory
        grad_previous = grad_hidden * update
        grad = torch.empty_like(gates)
        grad_reset, grad_update, grad_candidate = grad.chunk(3, dim=-1)
        _through_tanh(grad_hidden - grad_previous, candidate, grad_candidate)
        _through_sigmoid(grad_hidden * (memory - candidate), update, grad_update)
        _through_sigmoid(grad_candidate * recurrent_candidate, reset, grad_reset)
        grad_recurrent = grad.clone()
        grad_recurrent.chunk(3, dim=-1)[2].mul_(reset)
        return grad, grad_recurrent, grad_previous


CELLS: Dict[str, Cell] = {"lstm": Lstm(), "cif_lstm": CifLstm(), "gru": Gru()}


def _through_tanh(
    grad: torch.Tensor, value: torch.Tensor, out: torch.Tensor | None = None
) -> torch.Tensor:
    """The gradient of the argument of `tanh`, from the gradient of its `value`."""
    return torch.addcmul(grad, grad * value, value, value=-1, out=out)


def _through_sigmoid(grad: torch.Tensor, value: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    """The gradient of the argument of the logistic function, from that of its `value`."""
    grad = grad * value
    return torch.addcmul(grad, grad, value, value=-1, out=out)
