"""A gate for each dimension of each item."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("convolution")
class ConvolutionGate(WindowGate):
    """
    One layer with a convolution per dimension (dynamic window, equations 24 and 25, where the gates
    have the shape of the window). For each dimension d, `num_items` filters as wide as the window
    read dimension d of all items and return the items' gates, `r_t[:, d] = sigmoid(W_d c_t[:, d])`.
    Parameters and shapes are as in `WindowGate`.

    Registered as a `WindowGate` with name "convolution".

    >>> ConvolutionGate(input_dim=5, num_items=3)(torch.randn(1, 4, 3, 5)).shape
    torch.Size([1, 4, 3, 5])
    """

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        # The last dimension is the items read, the one before the items gated.
        self.filter_weight = torch.nn.Parameter(torch.empty(input_dim, num_items, num_items))
        self.filter_bias = torch.nn.Parameter(torch.zeros(num_items, input_dim))
        bound = num_items**-0.5
        torch.nn.init.uniform_(self.filter_weight, -bound, bound)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        logits = torch.einsum("btid,dji->btjd", contexts, self.filter_weight) + self.filter_bias
        return logits.sigmoid()
