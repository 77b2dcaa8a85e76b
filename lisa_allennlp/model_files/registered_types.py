"""
Keeps AllenNLP from importing the classes that someone else's config names.

AllenNLP imports any `type` with dots in it, and in place of an object a config may have a plain
string, which is its `type`. The strings of a config do not show which of them are types, so the
check is made where AllenNLP looks up a class. Importing this module adds the check to
`Registrable.resolve_class_name`. It does nothing outside a `registered_types_only` block.

    >>> from allennlp.models import Model
    >>> with registered_types_only("model.tar.gz: config.json"):
    ...     Model.resolve_class_name("os.system")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: model.tar.gz: config.json: found the type 'os.sys...
"""

from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, FrozenSet, Iterable, Iterator, Mapping, NamedTuple, Optional, Set, Tuple

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.errors import shortened

_by_option: Set[str] = set()


class _Restriction(NamedTuple):
    source: str
    allowed: FrozenSet[str]


_restriction: ContextVar[Optional[_Restriction]] = ContextVar("restriction", default=None)


def allow_types(names: Iterable[str]) -> None:
    """
    Sets the types that every model may name: those of the option `--allow-type`.

    # Parameters

    names : `Iterable[str]`
    """
    _by_option.clear()
    _by_option.update(names)


def allowed_types(names: Iterable[str] = ()) -> FrozenSet[str]:
    """
    >>> allow_types(["my_package.MyModel"])
    >>> sorted(allowed_types(["my_package.MyReader"]))
    ['my_package.MyModel', 'my_package.MyReader']
    >>> allow_types([])

    # Parameters

    names : `Iterable[str]`, optional
        The types that one model may name.

    # Returns

    `FrozenSet[str]`
        With those of `--allow-type`.
    """
    return frozenset(_by_option).union(names)


def strings_of(config: Any) -> Set[str]:
    """
    All strings of a config: the types that the overrides of a user may name.

    >>> sorted(strings_of({"model": {"type": "a.B", "encoders": ["c.D", 3]}}))
    ['a.B', 'c.D']
    """
    if isinstance(config, str):
        return {config}
    items = config.values() if isinstance(config, Mapping) else config
    return set().union(*map(strings_of, items)) if isinstance(config, (Mapping, list)) else set()


def not_registered(source: str, name: str) -> ConfigurationError:
    """
    # Parameters

    source : `str`
        The place, with which the message begins.
    name : `str`
        A type with dots in it.
    """
    name = shortened(name)
    return ConfigurationError(
        f"{source}: found the type {name!r}; expected the name of a registered class. If it is a "
        f"class of your own: --allow-type {name}, or load(..., allow_types=[{name!r}])"
    )


@contextmanager
def registered_types_only(source: str, allowed: Iterable[str] = ()) -> Iterator[None]:
    """
    Restricts the classes that AllenNLP looks up in this thread to registered ones.

    # Parameters

    source : `str`
        The name of the config, with which messages begin.
    allowed : `Iterable[str]`, optional
        The dotted names that may be imported.

    # Raises

    `ConfigurationError`
        In the block, for any other dotted name.
    """
    token = _restriction.set(_Restriction(source, frozenset(allowed)))
    try:
        yield
    finally:
        _restriction.reset(token)


_resolve = Registrable.resolve_class_name.__func__  # type: ignore[attr-defined]


def _resolve_class_name(cls: Any, name: str) -> Tuple[Any, Optional[str]]:
    restriction = _restriction.get()
    if restriction is not None and "." in name and name not in Registrable._registry[cls]:
        if name not in restriction.allowed:
            raise not_registered(restriction.source, name)
    return _resolve(cls, name)


Registrable.resolve_class_name = classmethod(_resolve_class_name)  # type: ignore[assignment]
