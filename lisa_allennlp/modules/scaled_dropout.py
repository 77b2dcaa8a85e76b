"""Dropout that scales at test time."""

import torch


class ScaledDropout(torch.nn.Dropout):
    """
    Dropout as first described (Srivastava et al. 2014; dynamic window, equations 10 and 11):
    training keeps or zeroes values, and evaluation multiplies them by the probability of being
    kept. PyTorch's dropout scales in training instead.

    >>> ScaledDropout(0.25).eval()(torch.ones(3))
    tensor([0.7500, 0.7500, 0.7500])

    # Parameters

    p : `float`
        The probability of zeroing a value.
    """

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Maps a tensor of any shape to one of the same shape."""
        if self.p == 0:
            return inputs
        if not self.training:
            return inputs * (1 - self.p)
        return inputs * torch.empty_like(inputs).bernoulli_(1 - self.p)
