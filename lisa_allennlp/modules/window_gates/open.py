"""No gate at all."""

import torch

from lisa_allennlp.modules.window_gates.window_gate import WindowGate


@WindowGate.register("open")
class OpenGate(WindowGate):
    """
    All gates are 1 (dynamic window, equation 12): a plain context window, or, with dropout on the
    gates, one of which words are dropped. Parameters and shapes are those of `WindowGate`.
    """

    def forward(self, contexts: torch.Tensor) -> torch.Tensor:
        return contexts.new_ones(*contexts.shape[:-1], 1)
