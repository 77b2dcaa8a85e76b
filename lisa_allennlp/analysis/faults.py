"""
Faults of frames that need no gold roles: core roles that are repeated, `R-X` and `C-X` without `X`,
and verbs with an object that is in none of their arguments.
"""

from collections import Counter
from dataclasses import dataclass
from typing import List, Optional, Sequence

from lisa_allennlp.analysis.breakdowns import VERB_CLASS, word_class
from lisa_allennlp.data.formats.roles import CONTINUATION, REFERENCE, is_core
from lisa_allennlp.data.sentence import Frame, Sentence

_OBJECTS = ("obj", "dobj")
"""Of direct objects in Universal and in Stanford Dependencies."""


@dataclass(frozen=True)
class FrameFaults:
    """
    The number of frames; of those with a core role (`ARG0` to `ARG5`, `ARGA`) in two spans, those
    with an `R-X` or `C-X` but no `X`, and those with either. Also the number of direct objects that
    the verbs among the predicates have in the gold tree, and of those that no argument covers;
    `None` without gold trees and parts of speech.
    """

    frames: int
    repeated: int
    orphans: int
    malformed: int
    objects: Optional[int]
    bare_objects: Optional[int]


def count_faults(gold: Sequence[Sentence], sentences: Sequence[Sentence]) -> FrameFaults:
    """Counts the faults of frames, gold or predicted, of the same sentences as gold."""
    frames = [frame for sentence in sentences for frame in sentence.frames or []]
    faults = [(has_repeated_core(frame), has_orphan(frame)) for frame in frames]
    has_trees = all(item.parse is not None and item.pos is not None for item in gold)
    is_covered = [
        any(span.first <= position <= span.last for span in frame.arguments)
        for item, sentence in zip(gold, sentences, strict=True)
        for frame in sentence.frames or []
        for position in (direct_objects(item, frame.predicate) if has_trees else ())
    ]
    return FrameFaults(
        len(frames),
        sum(repeated for repeated, _ in faults),
        sum(orphan for _, orphan in faults),
        sum(map(any, faults)),
        len(is_covered) if has_trees else None,
        is_covered.count(False) if has_trees else None,
    )


def direct_objects(gold: Sentence, predicate: int) -> List[int]:
    """Returns the positions of a verb's direct objects in the gold tree; none of other words."""
    token = gold[predicate]
    is_verb = word_class(token.pos or "") == VERB_CLASS
    return [child for child in token.children if is_verb and gold[child].head_tag in _OBJECTS]


def has_repeated_core(frame: Frame) -> bool:
    """Whether two spans have the same core role."""
    numbers = Counter(span.role for span in frame.roles if is_core(span.role))
    return max(numbers.values(), default=0) > 1


def has_orphan(frame: Frame) -> bool:
    """Whether there is an `R-X` or a `C-X` without an `X`."""
    return any(
        span.role.removeprefix(prefix) not in frame
        for span in frame.roles
        for prefix in (CONTINUATION, REFERENCE)
        if span.role.startswith(prefix)
    )
