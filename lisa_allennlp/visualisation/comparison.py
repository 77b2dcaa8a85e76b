"""
What differs between two readings of a sentence: those of two models, or of two parses.

    >>> from lisa_allennlp.data.sentence import Frame, Parse
    >>> words = ["Time", "flies"]
    >>> frames, parse = [Frame(1, ["B-ARG1", "B-V"])], Parse([1, 1], ["nsubj", "root"])
    >>> one = Sentence(words, ["NN", "VBZ"], frames, parse)
    >>> frames, parse = [Frame(0, ["B-V", "O"])], Parse([0, 0], ["root", "obj"])
    >>> other = Sentence(words, ["VB", "NNS"], frames, parse)
    >>> marks = differences(one, other)
    >>> sorted(marks.tags), sorted(marks.heads), sorted(marks.predicates)
    ([0, 1], [0, 1], [1])
    >>> described(marks)
    '2 tags, 2 heads, 1 predicate, 2 spans'
"""

from dataclasses import fields
from typing import Dict, FrozenSet, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.aligned_file import have_same_words
from lisa_allennlp.data.sentence import UNKNOWN, Frame, Sentence
from lisa_allennlp.visualisation.marks import Marks


def differences(sentence: Sentence, other: Sentence) -> Marks:
    """
    # Parameters

    sentence, other : `Sentence`
        With the same words.

    # Returns

    `Marks`
        The parts of `sentence` that `other` has otherwise or not at all. A layer that one of them
        lacks, such as the tree, is not compared. A relation is marked only if the head is the same.

    # Raises

    `ConfigurationError`
        If the words differ.
    """
    if not have_same_words(sentence, other):
        raise ConfigurationError(
            f"found the sentence '{' '.join(other.words)[:80]}'; expected the words "
            f"'{' '.join(sentence.words)[:80]}', to compare both"
        )
    heads = _unequal(sentence.heads, other.heads)
    relations = _unequal(sentence.head_tags, other.head_tags) - heads
    tags = _unequal(sentence.pos, other.pos)
    supertags = _unequal(sentence.supertags, other.supertags)
    if sentence.frames is None or other.frames is None:
        return Marks(tags, heads, relations, supertags)
    others = {frame.predicate: frame for frame in other.frames}
    return Marks(
        tags,
        heads,
        relations,
        supertags,
        frozenset(f.predicate for f in sentence.frames if f.predicate not in others),
        frozenset(f.predicate for f in sentence.frames if _other_sense(f, others)),
        _spans(sentence) - _spans(other),
    )


def described(marks: Marks) -> str:
    """The numbers of marked parts, such as `2 heads, 1 span`; empty without marks."""
    numbers = {field.name: len(getattr(marks, field.name)) for field in fields(marks)}
    return ", ".join(
        f"{number} {name if number > 1 else name.removesuffix('s')}"
        for name, number in numbers.items()
        if number
    )


def _unequal(values: Optional[Sequence], others: Optional[Sequence]) -> FrozenSet[int]:
    if values is None or others is None:
        return frozenset()
    pairs = zip(values, others, strict=True)
    return frozenset(position for position, (one, other) in enumerate(pairs) if one != other)


def _other_sense(frame: Frame, others: Dict[int, Frame]) -> bool:
    other = others.get(frame.predicate)
    if other is None or UNKNOWN in (frame.sense, other.sense):
        return False
    return frame.sense != other.sense


def _spans(sentence: Sentence) -> FrozenSet:
    return frozenset(
        (frame.predicate, span.role, span.first, span.last)
        for frame in sentence.frames or []
        for span in frame.roles
    )
