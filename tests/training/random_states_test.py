import random
from pathlib import Path

import numpy
import torch

from lisa_allennlp.training.random_states import (
    random_states,
    set_host_states,
    set_random_states,
    set_torch_states,
)
from lisa_allennlp.training.state_files import load_state, save_state


def draw() -> list:
    # A Gaussian of NumPy's and Python's generators leaves a second one for the next call.
    return [random.gauss(0, 1), numpy.random.randn(), float(torch.randn(()))]


def test_all_generators_continue_where_they_were(tmp_path: Path) -> None:
    draw()
    save_state(random_states(), tmp_path / "states.th")
    expected = [draw() for _ in range(3)]
    set_random_states(load_state(tmp_path / "states.th"))
    assert [draw() for _ in range(3)] == expected


def test_generators_can_be_set_in_part() -> None:
    states = random_states()
    first, second = draw(), draw()
    set_host_states(states)
    assert draw()[:2] == first[:2]
    set_torch_states(states)
    assert draw() == [*second[:2], first[2]]
