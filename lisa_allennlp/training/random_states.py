"""
The states of all random number generators that a training draws from.

    >>> before = random_states()
    >>> numbers = random.random(), numpy.random.rand(), float(torch.rand(()))
    >>> set_random_states(before)
    >>> numbers == (random.random(), numpy.random.rand(), float(torch.rand(())))
    True
"""

import random
from typing import Any, Dict

import numpy
import torch


def random_states() -> Dict[str, Any]:
    """
    Returns the states of Python's, NumPy's and PyTorch's generators, with that of the current GPU
    if one is in use, as numbers and tensors that `torch.load` reads as weights.
    """
    _, keys, *others = numpy.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": {"keys": torch.tensor(numpy.asarray(keys, dtype="int64")), "others": others},
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state() if torch.cuda.is_initialized() else None,
    }


def set_random_states(states: Dict[str, Any]) -> None:
    """Makes all generators continue from states that `random_states` returned."""
    random.setstate(states["python"])
    saved = states["numpy"]
    numpy.random.set_state(("MT19937", saved["keys"].numpy().astype("uint32"), *saved["others"]))
    torch.set_rng_state(states["torch"])
    if states["cuda"] is not None and torch.cuda.is_initialized():
        torch.cuda.set_rng_state(states["cuda"])
