"""A gate for each dimension of each item."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("convolution")
class ConvolutionGate(WindowGate):
    """
    One layer with a convolution per dimension (dynamic window, equations 24 and 25, whose gates
    have the shape of the window): dimension d of all items is read by filters of its own, as many
    as there are items and each as wide as the window, and gives the items' gates for dimension d,
    `r_t[:, d] = sigmoid(W_d c_t[:, d])`. Parameters and shapes are those of `WindowGate`.
    """

    def __init__(self, input_dim: int, num_items: int) -> None:
        super().__init__(input_dim, num_items)
        # From the last dimension, items read, to the one before, items gated.
        self.filter_weight = torch.nn.Parameter(torch.empty(input_dim, num_items, num_items))
        self.filter_bias = torch.nn.Parameter(torch.zeros(num_items, input_dim))
        bound = num_items**-0.5
        torch.nn.init.uniform_(self.filter_weight, -bound, bound)

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        logits = torch.einsum("btid,dji->btjd", contexts, self.filter_weight) + self.filter_bias
        return logits.sigmoid()
