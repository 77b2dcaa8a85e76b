import random
from pathlib import Path
from typing import List

import numpy
import torch

from lisa_allennlp.training.recoverable_trainer import random_states, set_random_states


def draw() -> List[float]:
    # A Gaussian of NumPy's and Python's generators leaves a second one for the next call.
    return [random.gauss(0, 1), numpy.random.randn(), float(torch.randn(()))]


def test_all_generators_continue_where_they_were(tmp_path: Path) -> None:
    draw()
    torch.save(random_states(), tmp_path / "states.th")
    expected = [draw() for _ in range(3)]
    set_random_states(torch.load(tmp_path / "states.th", weights_only=True))
    assert [draw() for _ in range(3)] == expected
