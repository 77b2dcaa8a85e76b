"""The recurrence of simple recurrent networks, with a gate on the recurrent input."""

from typing import Callable

import torch


class ResetGatedRecurrence(torch.nn.Module):
    """
    A simple recurrent layer over a dynamic window, with a gate on its recurrent input (dynamic
    window, equations 15 to 18):

        g_t = sigmoid(w c_t + u s_{t-1})            a scalar
        h_t = tanh(W c~_t + V (g_t s_{t-1}))

    `c_t` is the whole window and `c~_t` the filtered one. The recurrent input `s` is computed from
    the last state `h`: it is `h` itself in Elman's network and the output distribution in Jordan's.

    >>> recurrence = ResetGatedRecurrence(6, 6, recurrent_dim=4, hidden_dim=4)
    >>> windows = torch.randn(2, 5, 6)
    >>> recurrence(windows, windows, lambda state, position: state).shape
    torch.Size([2, 5, 4])

    # Parameters

    context_dim : `int`
        The size of `c_t`.
    filtered_dim : `int`
        The size of `c~_t`.
    recurrent_dim : `int`
        The size of `s`.
    hidden_dim : `int`
        The size of `h`.
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
        # Parameters

        contexts : `torch.Tensor`
            Shape `(batch_size, length, context_dim)`.
        filtered : `torch.Tensor`
            Shape `(batch_size, length, filtered_dim)`.
        feed_back : `Callable[[torch.Tensor, int], torch.Tensor]`
            Maps `h_t`, shape `(batch_size, hidden_dim)`, and the position `t` to `s_t`, shape
            `(batch_size, recurrent_dim)`.

        # Returns

        `torch.Tensor`
            All `h_t`, shape `(batch_size, length, hidden_dim)`.
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
