"""The lines and imports of an imitated package."""

from pathlib import Path

import networkx
import pytest

from benchmarks import code_size

MODULES = {
    "__init__.py": '"""First.\n\nSecond."""\n\n# A comment.\nNAME = """a\nvalue"""\n',
    "low/base.py": "def f():\n    from lisa_allennlp.high import tool\n",
    "low/__init__.py": "",
    "high/__init__.py": "",
    "high/tool.py": "import os\nfrom lisa_allennlp.low import base, more\n",
    "low/more.py": "if TYPE_CHECKING:\n    import lisa_allennlp.high.tool\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        path = tmp_path / code_size.PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_lines_by_kind(root: Path):
    counts = code_size.count([root / code_size.PACKAGE / "__init__.py"])
    kinds = {"docstrings": 2, "blank": 2, "comments": 1, "code": 2}
    assert dict(counts) == {"files": 1, "lines": 7, **kinds}


def test_imports_that_run_up(root: Path):
    modules = code_size.import_graph(root)
    tool, base, more = (f"lisa_allennlp.{name}" for name in ("high.tool", "low.base", "low.more"))
    assert set(modules.edges) == {(base, tool), (tool, base), (tool, more)}
    assert code_size.imports_that_run_up(modules) == 1
    modules.remove_edge(base, tool)
    assert code_size.imports_that_run_up(modules) == 0
    assert networkx.is_directed_acyclic_graph(modules)


def test_imports_of_benchmarks(root: Path):
    for name in ("tests/a_test.py", "tests/benchmarks/b_test.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("from benchmarks import tables\n")
    assert code_size.imports_of_benchmarks(root) == ["tests/a_test.py"]
