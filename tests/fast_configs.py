"""Configs that are evaluated once: starting Jsonnet takes longer than most tests of a config do."""

import os
from functools import cache
from typing import Any, Mapping, Optional, Tuple

import _jsonnet

from tests import ROOT

_EVALUATE_FILE, _EVALUATE_SNIPPET = _jsonnet.evaluate_file, _jsonnet.evaluate_snippet


def use_fast_configs() -> None:
    """Evaluates the configs of the package, and overrides, once. AllenNLP must not be imported."""
    _jsonnet.evaluate_file = _evaluate_file
    _jsonnet.evaluate_snippet = _evaluate_snippet


def _evaluate_file(path: str, ext_vars: Optional[Mapping[str, str]] = None, **options: Any) -> str:
    target = os.path.realpath(path)
    if options or not target.startswith(f"{ROOT}/training_configs/"):
        return str(_EVALUATE_FILE(path, ext_vars=dict(ext_vars or {}), **options))
    # Only these are in the configs. The environment has others, which change from test to test.
    variables = {k: v for k, v in (ext_vars or {}).items() if k.startswith("LISA_")}
    return _of_file(path, target, tuple(sorted(variables.items())))


@cache
def _of_file(path: str, target: str, variables: Tuple[Tuple[str, str], ...]) -> str:
    return str(_EVALUATE_FILE(path, ext_vars=dict(variables)))


def _evaluate_snippet(name: str, text: str, **options: Any) -> str:
    if "std." in text or "import" in text:
        return str(_EVALUATE_SNIPPET(name, text, **options))
    return _of_snippet(name, text)


@cache
def _of_snippet(name: str, text: str) -> str:
    return str(_EVALUATE_SNIPPET(name, text))
