"""Dropout that scales at test time."""

import torch


class ScaledDropout(torch.nn.Dropout):
    """
    Dropout as first described (Srivastava et al. 2014; dynamic window, equations 10 and 11): in
    training values are kept or zeroed, at test time they are multiplied by the probability of
    being kept. PyTorch's own scales in training instead.

    # Parameters

    p : `float`
        The probability of being zeroed.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        inputs : `torch.Tensor`
            Of any shape.

        # Returns

        `torch.Tensor`
            Of the same shape.
        """
        if self.p == 0:
            return inputs
        if not self.training:
            return inputs * (1 - self.p)
        return inputs * torch.empty_like(inputs).bernoulli_(1 - self.p)
