"""
Rolesets such as `sell.01`: the lemma of a predicate and the number of its sense. A `Frame` has the
whole roleset; the columns of the CoNLL formats and Universal PropBank separate the two parts.

    >>> join_roleset("sell", "01"), join_roleset("sell", "-")
    ('sell.01', '-')
    >>> split_roleset("sell", "sell.01"), split_roleset("sell", "-")
    (('sell', '01'), ('sell', '-'))
"""

from typing import Tuple

from lisa_allennlp.data.sentence import UNKNOWN

FIRST_SENSE = "01"
"""The number of a lemma's first sense."""


def join_roleset(lemma: str, number: str) -> str:
    """
    # Parameters

    lemma, number : `str`
        As in a file, `-` if unknown.

    # Returns

    `str`
        The roleset: `-` without a number, and the number alone without a lemma.
    """
    return number if UNKNOWN in (lemma, number) else f"{lemma}.{number}"


def split_roleset(lemma: str, sense: str) -> Tuple[str, str]:
    """
    Reverses `join_roleset`.

    # Parameters

    lemma, sense : `str`
        As in `Frame`.

    # Returns

    `Tuple[str, str]`
        The lemma and the number of the sense, `-` if unknown. A roleset of another lemma brings its
        own.
    """
    if sense.startswith(f"{lemma}."):
        return lemma, sense[len(lemma) + 1 :]
    own_lemma, _, number = sense.rpartition(".")
    return (own_lemma, number) if own_lemma else (lemma, sense)
