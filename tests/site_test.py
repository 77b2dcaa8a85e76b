"""The site of the documentation: its pages, their links and the API's docstrings."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Iterator, List, Set, Tuple

import pytest
from allennlp.common import Params

import lisa_allennlp.plugin  # noqa: F401
from tests import ROOT

pytestmark = pytest.mark.medium

CONFIG = ROOT / "zensical.toml"


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(name).name, ROOT / f"scripts/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, stage = tmp_path_factory.mktemp("pages"), _script("site/stage")
    # In this process, which has imported AllenNLP.
    stage._tables_of_keys = _script("config_reference").tables  # type: ignore[attr-defined]
    stage.stage(folder)
    return folder


def _names(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for item in nav.values() if isinstance(nav, dict) else nav:
            yield from _names(item)


def test_the_menu_has_every_page_of_docs(pages: Path) -> None:
    tomllib = pytest.importorskip("tomllib", reason="expected Python 3.11 or newer")
    names = list(_names(tomllib.loads(CONFIG.read_text())["project"]["nav"]))
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= set(names)
    assert all((pages / name).is_file() for name in names)
    assert len(names) == len(set(names))


def _anchors(page: Path) -> List[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    plain = [re.sub(r"\]\([^)]*\)|[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return [re.sub(r"\s+", "-", heading) for heading in plain]


def test_links_lead_to_pages_and_headings(pages: Path) -> None:
    found = 0
    for page in pages.rglob("*.md"):
        for target, anchor in re.findall(r"\]\(([^)#\s:]*)(?:#([^)\s]*))?\)", page.read_text()):
            linked = (page.parent / target).resolve() if target else page
            assert linked.is_file(), f"{page}: {target}"
            if anchor:
                assert anchor in _anchors(linked), f"{page}: {target}#{anchor}"
            found += 1
    assert found > 300


def _objects(value: Any) -> Iterator[Tuple[str, Set[str]]]:
    """The objects of a config that have a type, without their types."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            yield from _objects(item)
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        yield value["type"], value.keys() - {"type"}


@pytest.mark.parametrize("name", ["lisa_authors", "english", "dm_elmo", "ccg/jordan"])
def test_keys_of_the_packages_classes_in_a_config_are_in_a_table(
    name: str, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: Dict[str, Set[str]] = {}
    pattern = re.compile(r"^### (?:.*: `(\w+)`|.*)\n((?:(?!^##).*\n)*)", re.MULTILINE)
    for kind, body in pattern.findall((pages / "docs/config_reference.md").read_text()):
        found = re.findall(r"^\| `(\w+)` \|", body, re.MULTILINE)
        keys.setdefault(kind, set()).update(found)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("LISA_DESCRIPTIONS", "a file")
    config = Params.from_file(f"training_configs/{name}.jsonnet").as_dict(quiet=True)
    documented = [kind for kind, _ in _objects(config) if kind in keys]
    assert len(documented) > 2
    for kind, found in _objects(config):
        # Classes of AllenNLP that neither size uses have no table.
        assert found <= keys.get(kind, found), kind


def test_every_module_has_a_page(pages: Path) -> None:
    modules = [p for p in (ROOT / "lisa_allennlp").rglob("*.py") if p.name != "__main__.py"]
    api = [page for page in (pages / "api").glob("*.md") if page.name != "index.md"]
    assert len(api) == len(modules)


@pytest.mark.slow
def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    config = CONFIG.read_text().replace("build/site-pages", "pages").replace("build/site", "site")
    (tmp_path / "zensical.toml").write_text(config.replace('paths = ["."]', f'paths = ["{ROOT}"]'))
    shutil.copytree(ROOT / "scripts/site", tmp_path / "scripts/site")
    _script("site/stage").stage(tmp_path / "pages")
    path = {**os.environ, "PYTHONPATH": "scripts/site"}
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    built = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    page = (tmp_path / "site/api/lisa_allennlp.sentence.sentence.html").read_text()
    assert re.search(r">head_indices<.*List.*int", page, re.DOTALL)
