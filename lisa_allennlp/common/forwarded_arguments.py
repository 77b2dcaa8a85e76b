"""
What a constructor does with its `**kwargs`.

>>> forwards_only(ast.NodeVisitor.visit)
False
"""

import ast
import inspect
import textwrap
from typing import Any, Iterator


def forwards_only(constructor: Any) -> bool:
    """
    Whether a constructor passes its `**kwargs` on to `super().__init__`, and does nothing else with
    them. Its superclass then takes what it does not take itself.

    # Parameters

    constructor : `Any`
        An `__init__`. If its source is not available, the answer is `False`.
    """
    name = inspect.getfullargspec(constructor).varkw
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(constructor)))
    except (OSError, SyntaxError):
        return False
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return bool(uses) and set(uses) == set(_forwarded(tree))


def _forwarded(tree: ast.AST) -> Iterator[ast.AST]:
    """The values of `**` in the calls of `super().__init__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            yield from (keyword.value for keyword in node.keywords if keyword.arg is None)
