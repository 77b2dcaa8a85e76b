"""
Which frames are those of auxiliaries. PropBank annotates auxiliaries as predicates without roles:
`be.03` in "was sold", `have.01` in "have escaped", `do.01` in "did not know", `have.02` in "has to
go". What they say is about another predicate: its tense, aspect, voice and mood. A copula (`be.01`)
has roles and is none of them, and neither is a light verb (`take.LV`).

    >>> import lisa_allennlp
    >>> lisa = lisa_allennlp.load("english-fast")
    >>> sentence = lisa("It has been dirty and was not sold.")
    >>> [f.verb for f in sentence.frames]
    ['has', 'been', 'dirty', 'was', 'sold']
    >>> [f.verb for f in sentence.frames if not is_auxiliary(sentence, f)]
    ['been', 'dirty', 'sold']
"""

from dataclasses import replace
from typing import Container

from lisa_allennlp.sentence.roles import is_core
from lisa_allennlp.sentence.sentence import Frame, Sentence

ROLESETS = frozenset("about.02 be.03 become.03 do.01 get.24 go.04 have.01 have.02 use.03".split())

_RELATIONS = ("aux", "aux:pass", "auxpass")

_MODALS = ("MD",)


def is_auxiliary(sentence: Sentence, frame: Frame) -> bool:
    """
    Whether a frame is an auxiliary's: by its roleset; or, as for `get.03` in "got fired" and where
    rolesets are unknown, by the relation (`aux`, `aux:pass`, `auxpass`) or the tag (`MD`) of a
    predicate without core roles.
    """
    if frame.sense in ROLESETS:
        return True
    labels = (sentence.head_tags, _RELATIONS), (sentence.pos, _MODALS)
    says_so = any(own and own[frame.predicate] in names for own, names in labels)
    return says_so and not any(is_core(span.role) for span in frame.roles)


def without_auxiliaries(sentence: Sentence, kept: Container[int] = ()) -> Sentence:
    """Drops the frames of auxiliaries, except of predicates at the `kept` 0-based positions."""
    frames = [
        frame
        for frame in sentence.frames or []
        if frame.predicate in kept or not is_auxiliary(sentence, frame)
    ]
    return sentence if sentence.frames is None else replace(sentence, frames=frames)
