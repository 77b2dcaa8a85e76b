"""The example of CONTRIBUTING.md works, and the project's papers say what is so."""

import re
import sys
import types
from typing import Dict, Iterator

import pytest
import yaml

from lisa_allennlp.modules.role_decoders import RoleDecoder
from lisa_allennlp.version import VERSION
from tests import ROOT

MODULE = "lisa_allennlp.modules.role_decoders.left_to_right"
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())


@pytest.fixture
def example() -> Iterator[Dict[str, object]]:
    """What the example's test file defines, with the example's component in its place."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    component, test = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert MODULE.replace(".", "/") + ".py" in text
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    try:
        exec(component, module.__dict__)
        namespace: Dict[str, object] = {"__name__": "left_to_right_test"}
        exec(test, namespace)
        yield namespace
    finally:
        del sys.modules[MODULE]
        RoleDecoder._registry[RoleDecoder].pop("left_to_right", None)


def test_the_example_of_a_component(example: Dict[str, object]) -> None:
    assert RoleDecoder.by_name("left_to_right") is example["LeftToRightRoleDecoder"]
    tests = [value for name, value in example.items() if name.startswith("test_")]
    assert len(tests) == 1
    for test in tests:
        test()  # type: ignore[operator]


def test_the_citation_is_complete() -> None:
    assert f"## {VERSION}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert (CITATION["cff-version"], CITATION["version"]) == ("1.2.0", VERSION)
    for reference in CITATION["references"]:
        assert {"type", "title", "authors", "year"} <= set(reference)
        assert all({"family-names", "given-names"} == set(a) for a in reference["authors"])


def test_links_lead_to_files() -> None:
    """Those of the other pages are tested with the site."""
    page = ROOT / "experiments/README.md"
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target
