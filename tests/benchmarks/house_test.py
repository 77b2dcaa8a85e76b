"""The directions of the package's imports, with those in functions and for type checking."""

import networkx
import pytest

from benchmarks.code_size import import_graph
from tests import ROOT

LOWEST = ("common", "text", "sentence", "english", "formats")
"""The lowest rooms. Each imports only rooms before it."""


@pytest.fixture(scope="module")
def modules() -> networkx.DiGraph:
    return import_graph(ROOT)


def room(module: str) -> str:
    return f"{module}.".split(".")[1]


def test_nothing_below_imports_a_program(modules: networkx.DiGraph) -> None:
    programs = [m for m in modules if room(m) == "apps"]
    assert len(programs) > 50
    assert {room(m) for program in programs for m in modules.predecessors(program)} == {"apps"}


def test_the_lowest_rooms_import_nothing_above(modules: networkx.DiGraph) -> None:
    for source, target in modules.edges:
        if room(source) in LOWEST:
            assert room(target) in LOWEST[: LOWEST.index(room(source)) + 1], (source, target)


def test_no_circles(modules: networkx.DiGraph) -> None:
    assert networkx.is_directed_acyclic_graph(modules), networkx.find_cycle(modules)
