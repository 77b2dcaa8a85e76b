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
    assert set(modules.edges) == {(base, tool), (tool, base), (tool, more), (more, tool)}
    assert code_size.imports_that_run_up(modules) == 2
    modules.remove_edges_from([(base, tool), (more, tool)])
    assert code_size.imports_that_run_up(modules) == 0
    assert networkx.is_directed_acyclic_graph(modules)


def test_functions_with_many_parameters(root: Path):
    parameters = ", ".join(f"p{n}" for n in range(9))
    (root / code_size.PACKAGE / "low/base.py").write_text(
        f"def f(self, {parameters}): ...\ndef g(self, p0, *, p8): ...\n"
        f"@C.register('c')\nclass C:\n  def __init__(self, {parameters}): ...\n"
        f"  def forward(self, {parameters}): ...\n"
    )
    assert code_size.functions_with_many_parameters(root) == ["lisa_allennlp/low/base.py:1 f"]
