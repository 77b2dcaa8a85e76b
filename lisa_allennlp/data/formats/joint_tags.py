"""
Joint tags for parts of speech and predicates (LISA section 2.3).

    >>> [join_tag("PRP", False), join_tag("VBD", True)]
    ['PRP', 'VBD:predicate']
    >>> split_tag("VBD:predicate")
    ('VBD', True)
"""

from typing import Tuple

# No tag set ends a tag like this. A colon alone would not do: UD's language-specific tags have it.
_PREDICATE_MARK = ":predicate"


def join_tag(pos: str, is_predicate: bool) -> str:
    """
    # Returns

    `str`
        `VBD:predicate` for a predicate, `VBD` for any other word.
    """
    return pos + _PREDICATE_MARK if is_predicate else pos


def split_tag(joint_tag: str) -> Tuple[str, bool]:
    """
    # Returns

    `Tuple[str, bool]`
        The part of speech, and whether the word is a predicate.
    """
    if joint_tag.endswith(_PREDICATE_MARK):
        return joint_tag[: -len(_PREDICATE_MARK)], True
    return joint_tag, False
