"""
Configs that are evaluated once, and JSON without Jsonnet: to start Jsonnet takes longer than most
tests of a config do.
"""

import json
import os
from collections import defaultdict
from typing import Any, Dict, List, Mapping, Optional, Tuple

import _jsonnet

from tests import ROOT

_EVALUATE_FILE, _EVALUATE_SNIPPET = _jsonnet.evaluate_file, _jsonnet.evaluate_snippet


def use_fast_configs() -> None:
    """Evaluates the configs of the package, and overrides, once. AllenNLP must not be imported."""
    _jsonnet.evaluate_file = _evaluate_file
    _jsonnet.evaluate_snippet = _evaluate_snippet


def _evaluate_file(path: str, ext_vars: Optional[Mapping[str, str]] = None, **options: Any) -> str:
    target = os.path.realpath(path)
    if path.endswith(".json") and not options:
        with open(path, encoding="utf-8") as file:
            found = _of_json(file.read())
        if found is not None:
            return found
    if options or not target.startswith(f"{ROOT}/training_configs/"):
        return str(_EVALUATE_FILE(path, ext_vars=dict(ext_vars or {}), **options))
    # Only these are in the configs. The environment has others, which change from test to test.
    variables = {k: v for k, v in (ext_vars or {}).items() if k.startswith("LISA_")}
    folder, name = os.path.split(path)
    found = _FOUND[folder, os.path.dirname(target), tuple(sorted(variables.items()))]
    if name not in found and len(found) == 5:
        # More will be asked for.
        found.update(_of_folder(folder, variables))
    if name not in found:
        found[name] = str(_EVALUATE_FILE(path, ext_vars=variables))
    return found[name]


_FOUND: Dict[Any, Dict[str, str]] = defaultdict(dict)


def _of_folder(folder: str, variables: Dict[str, str]) -> Dict[str, str]:
    """All configs of a folder at once, which takes as long as some of them one by one."""
    paths = {n: os.path.join(folder, n) for n in os.listdir(folder or ".") if "." in n}
    text = ",".join(f"{json.dumps(name)}: import {json.dumps(paths[name])}" for name in paths)
    try:
        values = json.loads(_EVALUATE_SNIPPET("", f"{{{text}}}", ext_vars=variables))
    except RuntimeError:
        # Not all take these variables.
        return {}
    return {name: json.dumps(value) for name, value in values.items()}


def _evaluate_snippet(name: str, text: str, **options: Any) -> str:
    found = _of_json(text)
    return str(_EVALUATE_SNIPPET(name, text, **options)) if found is None else found


def _of_json(text: str) -> Optional[str]:
    """What Jsonnet makes of JSON, and `None` of anything else."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_number,
            parse_int=_number,
        )
    except ValueError:
        return None
    return json.dumps(value, sort_keys=True)


def _number(text: str) -> Any:
    """Jsonnet has floats alone, and writes those that are whole without a point."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(constant)
