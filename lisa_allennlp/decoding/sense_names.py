"""Converts between words and the rolesets that they may have."""

from collections import defaultdict
from functools import cache
from typing import Dict, Iterable, List, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.roles import FIRST_SENSE, join_roleset, split_roleset
from lisa_allennlp.data.lemmas import lemma_of
from lisa_allennlp.data.sentence import UNKNOWN

NO_CANDIDATE = -1
"""Pads candidates, and stands for the sense of a predicate without candidates."""


class SenseNames:
    """
    The rolesets of the training data, and those that a word may have. The candidates of a form are
    the rolesets that it has in the training data, and those of the same verbs (`sell.01` and
    `sell_out.02`). An unseen form has the candidates of its lemma. Without any candidate, its
    sense is the first of its lemma.

    >>> rolesets = ["sell.01", "sell_out.02", "buy.01"]
    >>> forms = ["sold sell.01", "bought buy.01"]
    >>> names = SenseNames(rolesets, forms)
    >>> names.candidates(["sold", "buys", "litigating"], ["VBD", "VBZ", "VBG"])
    array([[ 0,  1],
           [ 2, -1],
           [-1, -1]])
    >>> names.name(1, "sold", "VBD"), names.name(NO_CANDIDATE, "litigating", "VBG")
    (('sell_out', 'sell_out.02'), ('litigate', 'litigate.01'))

    # Parameters

    senses : `Sequence[str]`
        The rolesets, by index.
    form_senses : `Sequence[str]`
        Each form with one of its rolesets after a blank.

    # Attributes

    of_forms : `Dict[str, List[int]]`
        The candidates of the forms of the training data, in lower case.
    families : `Dict[str, List[int]]`
        The rolesets of each verb.
    """

    def __init__(self, senses: Sequence[str], form_senses: Sequence[str]) -> None:
        self._senses = senses
        self.families: Dict[str, List[int]] = defaultdict(list)
        for number, sense in enumerate(self._senses):
            self.families[_verb_of(sense)].append(number)
        of_forms: Dict[str, List[str]] = defaultdict(list)
        for entry in form_senses:
            form, _, sense = entry.rpartition(" ")
            of_forms[form].append(_verb_of(sense))
        self.of_forms = {form: self._united(verbs) for form, verbs in of_forms.items()}

    def __len__(self) -> int:
        return len(self._senses)

    def candidates(self, forms: Sequence[str], tags: Sequence[str]) -> numpy.ndarray:
        """
        # Parameters

        forms, tags : `Sequence[str]`
            The word form and the part of speech of each predicate.

        # Returns

        `numpy.ndarray`
            (num_predicates, num_candidates), the indices of rolesets, padded with
            `NO_CANDIDATE` to at least one column.
        """
        rows = [self._candidates(*pair) for pair in zip(forms, tags, strict=True)]
        width = max([1, *map(len, rows)])
        padded = [[*row, *[NO_CANDIDATE] * (width - len(row))] for row in rows]
        return numpy.array(padded, numpy.int64).reshape(len(rows), width)

    def name(self, sense: int, form: str, tag: str) -> Tuple[str, str]:
        """
        # Parameters

        sense : `int`
            The index of a roleset, or `NO_CANDIDATE`.

        # Returns

        `Tuple[str, str]`
            The lemma and the roleset of a predicate.
        """
        if sense == NO_CANDIDATE:
            lemma = lemma_of(form, tag)
            return lemma, join_roleset(lemma, FIRST_SENSE)
        roleset = self._senses[sense]
        return split_roleset(UNKNOWN, roleset)[0], roleset

    def _candidates(self, form: str, tag: str) -> List[int]:
        known = self.of_forms.get(form.lower())
        if known is not None:
            return known
        lemma = lemma_of(form, tag)
        return self.of_forms.get(lemma) or self.families.get(lemma, [])

    def _united(self, verbs: Iterable[str]) -> List[int]:
        return sorted({number for verb in set(verbs) for number in self.families[verb]})


@cache
def _verb_of(sense: str) -> str:
    """The verb of a roleset without the particle: `sell` for `sell_out.02`."""
    lemma, _ = split_roleset(UNKNOWN, sense)
    return lemma.partition("_")[0]
