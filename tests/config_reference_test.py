"""The tables of the keys of configs, and the picture of docs/config_reference.md."""

import importlib.util
import re
from typing import Any, Dict, Iterator, Set, Tuple

import pytest
from allennlp.common import Params

from tests import ROOT

pytestmark = pytest.mark.medium

CONFIGS = sorted(
    str(path.relative_to(ROOT / "training_configs").with_suffix(""))
    for path in (ROOT / "training_configs").rglob("*.jsonnet")
    if path.parent.name != "lib"
)


@pytest.fixture(scope="module")
def keys() -> Dict[str, Set[str]]:
    """The keys in the tables below the headings of a class, by its registered name."""
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts/config_reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    keys: Dict[str, Set[str]] = {}
    pattern = re.compile(r"^### (.*)\n((?:(?!^##).*\n)*)", re.MULTILINE)
    for title, body in pattern.findall(module.tables()):
        name = re.search(r": `(\w+)`$", title)
        found = re.findall(r"^\| `(\w+)` \|", body, re.MULTILINE)
        keys.setdefault(name[1] if name else title, set()).update(found)
    return keys


def objects(value: Any) -> Iterator[Tuple[str, Set[str]]]:
    """The objects of a config that have a type, without their types."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            yield from objects(item)
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        yield value["type"], value.keys() - {"type"}


@pytest.mark.parametrize("name", CONFIGS)
def test_every_key_of_the_packages_classes_in_a_config_is_in_a_table(
    name: str, keys: Dict[str, Set[str]]
) -> None:
    variables = dict.fromkeys(("VECTORS", "ELMO", "TRANSFORMER", "SILVER"), "")
    data = {"LISA_DATA": "ccgbank" if name.startswith("ccg") else "ewt", "LISA_CORPUS": "CORPUS"}
    file = ROOT / "training_configs" / f"{name}.jsonnet"
    given = {**{f"LISA_{key}": value for key, value in variables.items()}, **data}
    config = Params.from_file(str(file), ext_vars=given).as_dict(quiet=True)
    for kind, found in objects(config):
        # Classes of AllenNLP that neither size uses have no table.
        assert found <= keys.get(kind, found), kind
