"""
Joint part-of-speech and predicate tags (LISA section 2.3): one label says a word's part of speech
and, where it is one, that it is a predicate.
"""

from typing import Tuple

# What no tag set uses: UD's language-specific tags do contain single colons.
_PREDICATE_MARK = ":predicate"


def join_tag(pos: str, is_predicate: bool) -> str:
    """
    # Returns

    `str`
        `"VBD:predicate"` for a predicate, `"VBD"` for any other word.
    """
    return pos + _PREDICATE_MARK if is_predicate else pos


def split_tag(joint_tag: str) -> Tuple[str, bool]:
    """
    # Returns

    `Tuple[str, bool]`
        The part of speech and whether the word is a predicate: what `join_tag` was given.
    """
    if joint_tag.endswith(_PREDICATE_MARK):
        return joint_tag[: -len(_PREDICATE_MARK)], True
    return joint_tag, False
