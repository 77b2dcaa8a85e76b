"""The wall between the wings: no folder imports PyTorch or AllenNLP in some of its modules only."""

import ast
from pathlib import Path
from typing import Iterator

PACKAGE = Path(__file__).parents[1] / "lisa_allennlp"
TRAINING_WING = (
    *("data", "models", "models_on_disk/archives", "modules", "nn", "predictors", "training"),
)
LIBRARIES = ("allennlp", "onnx", "onnxruntime", "spacy", "torch", "transformers")


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that are imported with a module, not in its functions or for type checking."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            yield from () if is_for_types else imported(node)


def test_labelling_imports_nothing_of_training_outside_functions() -> None:
    behind = tuple(f"lisa_allennlp.{folder}".replace("/", ".") for folder in TRAINING_WING)
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith((*(f"{folder}/" for folder in TRAINING_WING), "apps/spacy/")):
            names = [f"{name}." for name in imported(ast.parse(path.read_text("utf-8")))]
            across = (*LIBRARIES, *behind)
            assert not [n for n in names if n.startswith(tuple(f"{a}." for a in across))], place
