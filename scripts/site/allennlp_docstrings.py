"""
A Griffe extension for docstrings in AllenNLP's style, in which sections are Markdown headings. It
turns them into the headings of NumPy's style, which Griffe parses, and marks examples as code.
"""

import re
import textwrap
from typing import Any

import griffe

_HEADING = re.compile(r"^# (Attributes|Parameters|Returns|Raises|Yields)\n", re.MULTILINE)
_TYPE = re.compile(r"^(\w[\w*, ]* : )`([^`\n]+)`", re.MULTILINE)
_EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*\n(?:.*\S.*\n?)*", re.MULTILINE)
_TYPE_ALONE = re.compile(r"^`([^`\n]+)`$", re.MULTILINE)


def numpy_style(docstring: str) -> str:
    """The docstring with sections in NumPy's style and examples as fenced code."""
    parts = _HEADING.split(_EXAMPLE.sub(_as_code, docstring))
    text = parts[0]
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        body = _TYPE_ALONE.sub(r"\1", _TYPE.sub(r"\1\2", body.lstrip("\n")))
        text += f"{name}\n{'-' * len(name)}\n{body}"
    return text


def _as_code(example: re.Match) -> str:
    text = textwrap.dedent(example[0]).rstrip("\n")
    return f"\n```pycon\n{text}\n```\n"


class AllenNLPDocstrings(griffe.Extension):
    """Rewrites the docstring of each object before Griffe parses it."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = numpy_style(obj.docstring.value)
