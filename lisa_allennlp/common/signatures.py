"""
The signatures of constructors, which `FromParams` and the check of configs read.

>>> def show(text, width=80):
...     print(text[:width])
>>> @takes_parameters_of(show)
... def show_indented(text, indent=4, **options):
...     show(" " * indent + text, **options)
>>> list(inspect.signature(show_indented).parameters)
['text', 'indent', 'width']
"""

import inspect
from typing import Any, Callable, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def takes_parameters_of(other: Callable[..., Any]) -> Callable[[Method], Method]:
    """Adds the parameters of a function to the signature of one that passes them on."""

    def decorate(method: Method) -> Method:
        own = inspect.signature(method).parameters
        named = [p for p in own.values() if p.kind is not p.VAR_KEYWORD]
        named += [p for name, p in inspect.signature(other).parameters.items() if name not in own]
        ordered = sorted(named, key=lambda parameter: parameter.default is not parameter.empty)
        method.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
        return method

    return decorate
