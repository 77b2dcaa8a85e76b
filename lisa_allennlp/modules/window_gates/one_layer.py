"""The gate network of the paper's main experiments."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("one_layer")
class OneLayerGate(WindowGate):
    """
    `r_t = sigmoid(W_r c_t)`, one gate per item (dynamic window, equation 9). Parameters and shapes
    are as in `WindowGate`.

    Registered as a `WindowGate` with name "one_layer", the default.

    >>> OneLayerGate(input_dim=5, num_items=3)(torch.randn(1, 4, 3, 5)).shape
    torch.Size([1, 4, 3, 1])
    """

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        self._projection = torch.nn.Linear(num_items * input_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return self._projection(contexts.flatten(start_dim=-2)).sigmoid().unsqueeze(-1)
