"""
Faults of frames that need no gold roles: repeated core roles, `R-X` and `C-X` without `X`, and
objects, obliques and clauses of verbs that no argument covers.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Collection, List, NamedTuple, Optional, Sequence

from lisa_allennlp.apps.analyze.breakdowns import VERB_CLASS, word_class
from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE, is_core
from lisa_allennlp.sentence.sentence import Frame, Sentence

OBJECTS = {"obj", "dobj"}
"""Arcs to direct objects in Universal and in Stanford Dependencies."""

PHRASES = {"obl", "advcl", "ccomp", "prep", "tmod"}
"""Arcs to obliques and clauses, without subtypes, in both."""


class Coverage(NamedTuple):
    """Dependents of verbs, and how many of them no argument covers (`bare`)."""

    dependents: int
    bare: int


@dataclass(frozen=True)
class FrameFaults:
    """
    The number of frames; of frames with a core role (`ARG0` to `ARG5`, `ARGA`) in two spans, with
    an `R-X` or `C-X` but no `X`, and with either. Also the coverage of the direct objects of verbs
    in the gold tree, and of their obliques and clauses; `None` without gold trees and parts of
    speech.
    """

    frames: int
    repeated: int
    orphans: int
    malformed: int
    objects: Optional[Coverage]
    phrases: Optional[Coverage]


def count_faults(gold: Sequence[Sentence], sentences: Sequence[Sentence]) -> FrameFaults:
    frames = [frame for sentence in sentences for frame in sentence.frames or []]
    faults = [(has_repeated_core(frame), has_orphan(frame)) for frame in frames]
    has_trees = all(item.parse is not None and item.pos is not None for item in gold)

    def coverage(labels: Collection[str]) -> Optional[Coverage]:
        is_covered = [
            any(span.first <= position <= span.last for span in frame.arguments)
            for item, sentence in zip(gold, sentences, strict=True)
            for frame in sentence.frames or []
            for position in dependents(item, frame.predicate, labels)
        ]
        return Coverage(len(is_covered), is_covered.count(False))

    return FrameFaults(
        len(frames),
        sum(repeated for repeated, _ in faults),
        sum(orphan for _, orphan in faults),
        sum(map(any, faults)),
        coverage(OBJECTS) if has_trees else None,
        coverage(PHRASES) if has_trees else None,
    )


def dependents(gold: Sentence, predicate: int, labels: Collection[str]) -> List[int]:
    """Returns the positions of a verb's dependents with such arcs; none of other words."""
    token = gold[predicate]
    if word_class(token.pos or "") != VERB_CLASS:
        return []
    return [i for i in token.children if (gold[i].head_tag or "").split(":")[0] in labels]


def has_repeated_core(frame: Frame) -> bool:
    numbers = Counter(span.role for span in frame.roles if is_core(span.role))
    return max(numbers.values(), default=0) > 1


def has_orphan(frame: Frame) -> bool:
    return any(
        span.role.removeprefix(prefix) not in frame
        for span in frame.roles
        for prefix in (CONTINUATION, REFERENCE)
        if span.role.startswith(prefix)
    )
