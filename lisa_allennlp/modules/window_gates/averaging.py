"""Attention over the window, for comparison."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("averaging")
class AveragingGate(WindowGate):
    """
    The usual attention (dynamic window, last row of Table 3): weights that add up to 1, a softmax
    of `W_r c_t`, and a weighted sum of the items. Parameters and shapes are those of `WindowGate`.
    """

    is_average = True

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        self._projection = torch.nn.Linear(num_items * input_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return self._projection(contexts.flatten(start_dim=-2)).softmax(dim=-1).unsqueeze(-1)
