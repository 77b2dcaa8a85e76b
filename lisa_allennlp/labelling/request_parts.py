"""
Checks the parts of an input to label.

A part may be a list, a tuple, or an array of NumPy or PyTorch; what is read are Python's own types.

    >>> import numpy
    >>> read_strings("tokens", numpy.array(["She", "left"]))
    ['She', 'left']
    >>> read_heads(numpy.array([2, 0]), ["She", "left"])
    [1, 1]
"""

from math import isfinite
from numbers import Integral
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.data.sentence import self_loop_heads
from lisa_allennlp.labelling.errors import bad_value

MOST_LEVELS = 100
"""
The greatest depth of lists and objects in a key that is copied to the output. Python's functions
for JSON fail at about 1,000 levels, depending on the functions that call them.
"""


def read_text(name: str, text: Any) -> str:
    """
    # Raises

    `ConfigurationError`
        If it is not a string of Unicode text.
    """
    if not isinstance(text, str):
        raise bad_value(f"`{name}`", text, "a string")
    # spaCy takes no subclasses, such as NumPy's strings.
    text = str(text)
    _check_unicode(f"`{name}`", text, text)
    return text


def read_strings(name: str, value: Any, length: Optional[int] = None) -> List[str]:
    """
    # Parameters

    length : `int`, optional
        The number of tokens, if there has to be one string for each.

    # Raises

    `ConfigurationError`
        If they are not non-empty strings of Unicode text, in the right number.
    """
    strings = _listed(value)
    if strings is None or not all(isinstance(item, str) and item for item in strings):
        raise bad_value(f"`{name}`", value, f"a list of non-empty strings{_of(length)}")
    _check_length(name, value, strings, "non-empty strings", length)
    _check_unicode(f"`{name}`", "".join(strings), value)
    return [str(item) for item in strings]


def read_offsets(words: Sequence[str], text: str) -> List[Tuple[int, int]]:
    """
    # Returns

    `List[Tuple[int, int]]`
        The start and the end (exclusive) of each word in the text, in characters: where it is first
        found after the word before it.

    # Raises

    `ConfigurationError`
        If a word is not found.
    """
    offsets = []
    end = 0
    for number, word in enumerate(words, start=1):
        start = text.find(word, end)
        if start < 0:
            expected = f"what is in `text` after its first {end} characters"
            raise bad_value(f"`tokens` at token {number}", word, expected)
        end = start + len(word)
        offsets.append((start, end))
    return offsets


def read_integers(name: str, value: Any, length: Optional[int] = None) -> List[int]:
    """
    # Parameters

    length : `int`, optional
        As for `read_strings`.

    # Raises

    `ConfigurationError`
        If they are not integers, in the right number.
    """
    integers = _listed(value)
    if integers is None or not all(
        isinstance(item, Integral) and not isinstance(item, bool) for item in integers
    ):
        raise bad_value(f"`{name}`", value, f"a list of integers{_of(length)}")
    _check_length(name, value, integers, "integers", length)
    return [int(item) for item in integers]


def read_flag(name: str, value: Any) -> bool:
    """
    # Raises

    `ConfigurationError`
        If it is neither true nor false, nor `None` for false.
    """
    if value is not None and not isinstance(value, bool):
        raise bad_value(f"`{name}`", value, "true or false")
    return bool(value)


def read_heads(heads: Any, words: Sequence[str], allow_cycles: bool = False) -> List[int]:
    """
    # Parameters

    heads : `Any`
        1-based, 0 for a root.
    allow_cycles : `bool`, optional (default = `False`)
        Whether there may be cycles and no root.

    # Returns

    `List[int]`
        The heads, 0-based; a root is its own head.

    # Raises

    `ConfigurationError`
        If they are not the heads of the words, or have a cycle. There may be several roots.
    """
    length = len(words)
    numbers = read_integers("head_indices", heads, length)
    for position, head in enumerate(numbers, start=1):
        if not 0 <= head <= length or head == position:
            raise bad_value(
                f"`head_indices` at token {position} ('{words[position - 1]}')",
                head,
                f"0 for the root, or the position of another token, 1 to {length}",
            )
    head_indices = self_loop_heads(numbers)
    cycle = None if allow_cycles else find_cycle(head_indices)
    if cycle is not None:
        raise bad_value(
            "`head_indices`",
            numbers,
            f'a tree without the cycle {shown_cycle(cycle, words)}, or "allow_cycles": true',
        )
    return head_indices


def read_predicates(predicates: Any, length: int) -> List[int]:
    """
    # Returns

    `List[int]`
        1 for each predicate, 0 for the other tokens.

    # Raises

    `ConfigurationError`
        If they are not 0-based positions of tokens.
    """
    positions = read_integers("predicates", predicates)
    for position in positions:
        if not 0 <= position < length:
            raise bad_value("`predicates`", position, f"0-based positions below {length}")
    chosen = frozenset(positions)
    return [int(position in chosen) for position in range(length)]


def plain_extra(given: Mapping[Any, Any]) -> Dict[str, Any]:
    """
    The keys of an input that are copied to the output. NumPy's numbers and arrays become Python's.

    >>> import numpy
    >>> plain_extra({"id": numpy.int64(7)})
    {'id': 7}

    # Raises

    `ConfigurationError`
        If the output could not be written as JSON: a key is no string, a number is infinite or
        NaN, a string has a lone surrogate, or there are more than `MOST_LEVELS` levels. Objects
        that JSON does not have are not checked.
    """
    extra: Dict[str, Any] = {}
    for key, value in given.items():
        if not isinstance(key, str):
            raise bad_value("the input's keys", key, "strings")
        _check_unicode("the input's keys", key, key)
        extra[key] = value = _plain(value)
        _check_json(key, value)
    return extra


def _check_json(key: str, value: Any) -> None:
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        deeper = [item for item in level if isinstance(item, (list, tuple, dict))]
        for item in level:
            _check_item(key, item, value)
        if not deeper:
            return
        level = [inner for item in deeper for inner in _items(item)]
    raise bad_value(f"`{key}`", value, f"at most {MOST_LEVELS} levels of lists and objects")


def _check_item(key: str, item: Any, value: Any) -> None:
    if isinstance(item, str):
        _check_unicode(f"`{key}`", item, value)
    elif isinstance(item, float) and not isfinite(item):
        raise bad_value(f"`{key}`", value, "finite numbers, as JSON has no others")
    elif isinstance(item, dict) and not all(isinstance(name, str) for name in item):
        raise bad_value(f"`{key}`", value, "objects whose keys are strings")


def _items(container: Any) -> Iterable[Any]:
    """The items of a list; the keys and the values of an object."""
    return [*container, *container.values()] if isinstance(container, dict) else container


def _check_unicode(what: str, text: str, found: Any) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        expected = "Unicode text without lone surrogates"
        raise bad_value(what, found, expected) from error


def _plain(value: Any) -> Any:
    """Python's own form of NumPy's numbers and arrays, and of PyTorch's tensors."""
    to_list = getattr(value, "tolist", None)
    return value if to_list is None or isinstance(value, type) else to_list()


def _listed(value: Any) -> Optional[List[Any]]:
    """The items of a list, a tuple or an array; `None` for anything else."""
    value = _plain(value)
    return list(value) if isinstance(value, (list, tuple)) else None


def _of(length: Optional[int]) -> str:
    return "" if length is None else f" with one item for each of the {length} tokens"


def _check_length(
    name: str, value: Any, items: Sequence[Any], kind: str, length: Optional[int]
) -> None:
    if length is not None and len(items) != length:
        raise bad_value(f"`{name}`", value, f"a list of {kind}{_of(length)}")
