"""Softmax attention over a window, for comparison."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("averaging")
class AveragingGate(WindowGate):
    """
    The usual attention (dynamic window, last row of Table 3): the weights are a softmax of
    `W_r c_t`, and the output is the weighted sum of the items. Parameters and shapes are as in
    `WindowGate`.

    Registered as a `WindowGate` with name "averaging".

    >>> gates = AveragingGate(input_dim=5, num_items=3)(torch.randn(1, 4, 3, 5))
    >>> torch.allclose(gates.sum(dim=2), torch.ones(1, 4, 1))
    True
    """

    is_average = True

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        self._projection = torch.nn.Linear(num_items * input_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return self._projection(contexts.flatten(start_dim=-2)).softmax(dim=-1).unsqueeze(-1)
