"""Gates that are always open."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("open")
class OpenGate(WindowGate):
    """
    All gates are 1 (dynamic window, equation 12): a plain context window or, with dropout on the
    gates, a window with word dropout. Parameters and shapes are as in `WindowGate`.

    Registered as a `WindowGate` with name "open".

    >>> OpenGate(input_dim=5, num_items=3)(torch.randn(1, 1, 3, 5)).flatten()
    tensor([1., 1., 1.])
    """

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return contexts.new_ones(*contexts.shape[:-1], 1)
