"""
The states of all random number generators that a training draws from.

    >>> before = random_states()
    >>> numbers = random.random(), numpy.random.rand(), float(torch.rand(()))
    >>> set_random_states(before)
    >>> numbers == (random.random(), numpy.random.rand(), float(torch.rand(())))
    True
"""

import random
from typing import Any, Dict, List

import numpy
import torch
from allennlp.common.util import is_distributed


def random_states() -> Dict[str, Any]:
    """
    # Returns

    `Dict[str, Any]`
        The states of Python's, NumPy's and PyTorch's generators, as numbers and tensors that
        `torch.load` reads as weights. The generators of GPUs are included if they are in use; in
        distributed training, that of this worker's GPU.
    """
    _, keys, *others = numpy.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": {"keys": torch.tensor(numpy.asarray(keys, dtype="int64")), "others": others},
        "torch": torch.get_rng_state(),
        "cuda": _gpu_states() if torch.cuda.is_initialized() else [],
    }


def set_random_states(states: Dict[str, Any]) -> None:
    """Makes all generators continue from states that `random_states` returned."""
    set_host_states(states)
    set_torch_states(states)


def set_host_states(states: Dict[str, Any]) -> None:
    """The same for the generators of Python and NumPy alone, which order the data."""
    random.setstate(states["python"])
    saved = states["numpy"]
    numpy.random.set_state(("MT19937", saved["keys"].numpy().astype("uint32"), *saved["others"]))


def set_torch_states(states: Dict[str, Any]) -> None:
    """
    The same for PyTorch's generators alone, which the network draws from. GPUs keep theirs if their
    number has changed.
    """
    torch.set_rng_state(states["torch"])
    if is_distributed() and states["cuda"]:
        torch.cuda.set_rng_state(states["cuda"][0])
    elif len(states["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(states["cuda"])


def _gpu_states() -> List[torch.Tensor]:
    # A worker would otherwise take memory of the others' GPUs.
    return [torch.cuda.get_rng_state()] if is_distributed() else torch.cuda.get_rng_state_all()
