"""
The code blocks of README.md and docs/ are executed, on the sample: commands in the order of the
page, Python, JSON and Jsonnet. Of trainings, those of a page's own config have one epoch of a few
sentences; the others are only checked. A block whose first
line is a comment with the name of a file is written to this file, for the commands after it. A
block after a comment `<!-- dry run: REASON -->` is only checked: its programs, options and configs
must exist.
"""

import json
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import pytest
from allennlp.common import Params, Registrable
from allennlp.common.params import evaluate_snippet

from tests.documentation import programs
from tests.documentation.blocks import Block, examples_of, pages, read_blocks
from tests.documentation.shell import calls
from tests.documentation.workspace import make_workspace, run


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory, archives: Dict[str, Path]) -> Dict[str, Path]:
    """Untrained models and predictions, by the names that the pages give them."""
    folder = tmp_path_factory.mktemp("models")
    lisa, parser, supertagger = archives.values()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make_workspace(folder, {"OUT/model.tar.gz": lisa})
        arguments = ["predict", "OUT/model.tar.gz", "test.gold_conll", "--use-dataset-reader"]
        run([*arguments, "--output-file", "predictions.jsonl"])
    (folder / "metrics.json").write_text("{}")
    names = ("gold_trees.jsonl", "lisa.jsonl", "roles.jsonl", "sa.jsonl")
    return {
        **{f"{name}/model.tar.gz": lisa for name in ("OUT", "OUT/lisa", "OUT/sa", "LISA")},
        "PARSER/model.tar.gz": parser,
        SUPERTAGGER: supertagger,
        **{name: folder / "predictions.jsonl" for name in names},
        "out/sample/config.json": lisa.with_name("config.json"),
        "out/sample/metrics.json": folder / "metrics.json",
    }


SUPERTAGGER = "SUPERTAGGER/model.tar.gz"


@pytest.fixture
def workspace(
    page: str, models: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The current folder, with the files that the page names."""
    if page == "docs/supertagger.md":
        models = {**models, "OUT/model.tar.gz": models[SUPERTAGGER]}
    make_workspace(tmp_path, models)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def no_class_remains() -> Iterator[None]:
    """Forgets the modules and the registered classes of the pages."""
    registered = {base: dict(classes) for base, classes in Registrable._registry.items()}
    modules = set(sys.modules)
    yield
    for base, classes in registered.items():
        Registrable._registry[base] = classes
    for name in set(sys.modules) - modules:
        if Path(f"{name}.py").exists():
            del sys.modules[name]


def _run_commands(block: Block, namespace: Dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    for example in examples_of(block):
        for call in calls(example.commands, Path.cwd()):
            if block.dry_run:
                programs.check(call, patch)
            else:
                programs.execute(call, example.shown, patch)


def _run_python(block: Block, namespace: Dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    code = compile(block.text, f"{block.page}:{block.line}", "exec")
    if not (block.dry_run or block.file):
        exec(code, namespace)


def _read_json(block: Block, namespace: Dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    for line in block.text.splitlines():
        json.loads(line)


def _read_jsonnet(block: Block, namespace: Dict[str, Any], patch: pytest.MonkeyPatch) -> None:
    if block.file:
        Params.from_file(block.file)
    elif not block.dry_run:
        evaluate_snippet(f"{block.page}:{block.line}", block.text)


RUNNERS: Dict[str, Callable[[Block, Dict[str, Any], pytest.MonkeyPatch], None]] = {
    "console": _run_commands,
    "json": _read_json,
    "jsonnet": _read_jsonnet,
    "python": _run_python,
}

OTHERS = ("", "text", "yaml")
"""Blocks that show outputs and files."""


@pytest.mark.medium
@pytest.mark.parametrize("page", pages())
def test_blocks(page: str, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISA_CORPUS", "")
    namespace: Dict[str, Any] = {"texts": ["She sold him the car."]}
    for block in read_blocks(page):
        if block.language in OTHERS:
            continue
        print(f"{page}:{block.line}")
        if block.file:
            Path(block.file).write_text(block.text)
        RUNNERS[block.language](block, namespace, monkeypatch)
