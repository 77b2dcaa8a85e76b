"""
The size and the shape of the code, which `.ci/run` checks against limits: lines by kind, replaced
names of other packages, changes of file while a sentence is labelled, imports between folders, and
functions with many parameters.

    python -m benchmarks.code_size [--json FILE] [--check]

A change of file is a call in another file than the call before. Imports count inside functions and
for type checking, too. Imports that run up are those against the order of folders that has the
fewest of them. AllenNLP and spaCy prescribe the parameters of registered constructors, which do not
count.
"""

import argparse
import ast
import collections
import functools
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Counter, Dict, FrozenSet, Iterable, Iterator, List

import networkx

from benchmarks.records import ROOT, conditions_here, write_record

PACKAGE = "lisa_allennlp"
SENTENCES = {
    8: "She sold him the car last week .",
    20: "After the company ran out of money last spring , its founder sold the office to a "
    "rival firm .",
    32: "When the bank raised rates again , the builders who had borrowed most asked the city for "
    "help , but the mayor said that she could not pay for their mistakes .",
}

MOST_PARAMETERS, PRESCRIBED = 8, ("forward", "on_batch")

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

LIMITS = {
    ("the package", "files"): 258,
    ("the package", "lines"): 43_556,
    ("the page's JavaScript", "lines"): 3_364,
    ("tests", "lines"): 29_552,
    ("benchmarks", "lines"): 3_078,
    ("experiments", "lines"): 4_260,
    ("the package", "files entered by a sentence"): 25,
    ("the package", "changes of file, 20 words"): 128,
    ("the package", "functions with many parameters"): 0,
    ("the package", "names replaced"): 0,
    ("the package", "imports that run up"): 0,
    ("the package", "circles"): 0,
}
"""
The most of each figure. Until 1.0, each only falls.
"""

TRAINING_FOLDERS = (f"{PACKAGE}.models_on_disk.archives",)
"""The folders of the training wing inside a folder of the labelling wing."""

REPLACED = """
import importlib, inspect, json, pkgutil, sys, warnings
import allennlp, torch
warnings.simplefilter("ignore")
for module in pkgutil.walk_packages(allennlp.__path__, "allennlp."):
    try:
        importlib.import_module(module.name)
    except Exception:
        pass  # needs a package that is not installed

def names():
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", "")
        if name.partition(".")[0] in ("allennlp", "logging", "sys", "torch"):
            for key, value in list(vars(module).items()):
                yield f"{name}.{key}", value
                if inspect.isclass(value) and value.__module__ == name:
                    yield from ((f"{name}.{key}.{k}", v) for k, v in list(vars(value).items()))

before = dict(names())
import lisa_allennlp.plugin
after = dict(names())
print(json.dumps(sorted(key for key in before if after.get(key) is not before[key])))
"""
"""Prints the names of other packages whose value is another one after the plug-in's import."""

ENTERED = """
import inspect, json, sys
import lisa_allennlp
calls = []

def trace(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & inspect.CO_OPTIMIZED:
        if code.co_filename.startswith(sys.argv[1]):
            calls.append(code.co_filename)

lisa = lisa_allennlp.load()
for sentence in sys.argv[2:]:
    lisa(sentence.split())
traced = []
for sentence in sys.argv[2:]:
    calls.clear()
    sys.setprofile(trace)
    lisa(sentence.split())
    sys.setprofile(None)
    traced.append([*calls])
print(json.dumps(traced))
"""
"""Prints the file of each call of one of the package's functions, for each sentence."""


def count(paths: Iterable[Path]) -> Counter[str]:
    """Returns the files and their lines; of Python's, also the lines of each kind."""
    counts = collections.Counter(files=0, lines=0)
    for path in paths:
        text = path.read_text(encoding="utf-8")
        lines = [line.strip() for line in text.splitlines()]
        counts.update(files=1, lines=len(lines))
        if path.suffix == ".py":
            inside = set(docstring_lines(ast.parse(text)))
            for number, line in enumerate(lines, 1):
                kind = "comments" if line.startswith("#") else "code"
                kind = "docstrings" if number in inside else kind
                counts[kind if line else "blank"] += 1
    return counts


def docstring_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            yield from range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def run(script: str, root: Path, *arguments: str) -> Any:
    """Returns the JSON in the last line that a script prints, with the package of a checkout."""
    with tempfile.TemporaryDirectory() as folder:
        script = f"import sys; sys.path.insert(0, {str(root)!r})\n{script}"
        command = [sys.executable, "-c", script, *arguments]
        result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout.splitlines()[-1])


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(a.value) for a in node.args if isinstance(a, ast.Constant))
        yield from imported(node)


def import_graph(root: Path) -> networkx.DiGraph:
    """Returns the modules of the package, with an edge from each to those that it imports."""
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (root / PACKAGE).rglob("*.py")
    }
    graph = networkx.DiGraph()
    for name, path in paths.items():
        for target in imported(ast.parse(path.read_text(encoding="utf-8"))):
            while target and target not in paths:
                target = target.rpartition(".")[0]
            if target not in ("", name):
                graph.add_edge(name, target)
    return graph


def imports_that_run_up(modules: networkx.DiGraph) -> int:
    """Returns the fewest imports against an order of the package's folders of either wing."""

    def folder(module: str) -> str:
        name = ".".join(module.split(".")[:3])
        return name if name in TRAINING_FOLDERS else ".".join(module.split(".")[:2])

    edges = collections.Counter(
        (folder(source), folder(target)) for source, target in modules.edges
    )

    @functools.lru_cache(None)
    def fewest(floors: FrozenSet[str]) -> int:
        # On the lowest floor, all imports from the others run up.
        return min(
            (
                sum(edges[low, high] for high in floors - {low}) + fewest(floors - {low})
                for low in floors
            ),
            default=0,
        )

    # Between strongly connected components, an order without any exists.
    components = networkx.strongly_connected_components(networkx.DiGraph(list(edges)))
    return sum(fewest(frozenset(component)) for component in components)


def functions_with_many_parameters(root: Path) -> List[str]:
    found = []
    for path in (root / PACKAGE).rglob("*.py"):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        prescribed = {
            id(function)
            for node in nodes
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))
            and re.search("register|factory", " ".join(map(ast.unparse, node.decorator_list)))
            for function in (node, *node.body)
        }
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and id(node) not in prescribed:
                own = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
                if len(own) - ("self" in own) > MOST_PARAMETERS and node.name not in PRESCRIBED:
                    found.append(f"{path.relative_to(root)}:{node.lineno} {node.name}")
    return found


def shape(root: Path) -> Dict[str, float]:
    """Returns the figures of the package that are not lines, and prints what should not be."""
    replaced = run(REPLACED, root)
    traced = run(ENTERED, root, f"{root / PACKAGE}/", *SENTENCES.values())
    entered = dict(zip(SENTENCES, traced, strict=True))
    modules = import_graph(root)
    circles = [sorted(c) for c in networkx.strongly_connected_components(modules) if len(c) > 1]
    many = functions_with_many_parameters(root)
    for what, names in (("replaced", replaced), ("many parameters", many)):
        print(*(f"{what}: {name}\n" for name in names), sep="", end="")
    print(*(f"circle: {' '.join(circle)}\n" for circle in circles), sep="", end="")
    return {
        "names replaced": len(replaced),
        "files entered by a sentence": len({file for files in traced for file in files}),
        **{
            f"changes of file, {words} words": len(list(itertools.groupby(files)))
            for words, files in entered.items()
        },
        "functions with many parameters": len(many),
        "imports that run up": imports_that_run_up(modules),
        "circles": len(circles),
    }


def parts(root: Path) -> Dict[str, Iterable[Path]]:
    package = root / PACKAGE
    return {
        "the package": package.rglob("*.py"),
        "the page's JavaScript": package.rglob("*.js"),
        **{name: (root / name).rglob("*.py") for name in ("tests", "benchmarks", "experiments")},
        "docs": [*(root / "docs").glob("*.md"), root / "README.md"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="write a record of the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a limit is exceeded")
    args = parser.parse_args()
    figures = {name: count(paths) for name, paths in parts(ROOT).items()}
    figures["the package"].update(shape(ROOT))
    for name, row in figures.items():
        print(f"{name}: {', '.join(f'{value:,} {key}' for key, value in row.items())}")
    exceeded = [(n, key) for (n, key), limit in LIMITS.items() if figures[n][key] > limit]
    for name, key in exceeded:
        limit = LIMITS[name, key]
        print(f"{name}: found {figures[name][key]:,} {key}; expected at most {limit:,}")
    if args.json is not None:
        rows = [{"system": name, "figures": row} for name, row in figures.items()]
        write_record(args.json, "code_size", "none", rows, conditions_here("1 process"))
    return int(args.check and bool(exceeded))


if __name__ == "__main__":
    sys.exit(main())
