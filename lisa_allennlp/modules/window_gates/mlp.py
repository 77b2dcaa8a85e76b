"""A gate network with a hidden layer."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("mlp")
class MlpGate(WindowGate):
    """
    `r_t = sigmoid(W_2 tanh(W_1 c_t))`, one gate per item (dynamic window, equations 26 and 27).
    Shapes are as in `WindowGate`.

    Registered as a `WindowGate` with name "mlp".

    >>> MlpGate(input_dim=5, num_items=3, hidden_dim=8)(torch.randn(1, 4, 3, 5)).shape
    torch.Size([1, 4, 3, 1])

    # Parameters

    hidden_dim : `int`, optional (default = `200`)
        The size of the hidden layer. The paper does not give it.
    """

    def __init__(self, input_dim: int, num_items: int, hidden_dim: int = 200) -> None:
        super().__init__(input_dim, num_items)
        self._hidden = torch.nn.Linear(num_items * input_dim, hidden_dim)
        self._projection = torch.nn.Linear(hidden_dim, num_items)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        hidden = self._hidden(contexts.flatten(start_dim=-2)).tanh()
        return self._projection(hidden).sigmoid().unsqueeze(-1)
