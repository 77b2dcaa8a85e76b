"""What differs between two readings of a sentence: those of two models, or of two parses."""

from collections import Counter
from typing import Any, FrozenSet, Iterable, Mapping, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.corpus_files import have_same_words
from lisa_allennlp.sentence.sentence import UNKNOWN, Frame, Sentence


class Pictured(NamedTuple):
    sentence: Sentence
    other: Optional[Sentence] = None
    names: Tuple[str, str] = ("first", "second")


Marks = Mapping[str, FrozenSet[Any]]
"""
Parts to mark, as 0-based positions: `tags`, `heads`, `relations` and `supertags` of tokens,
`predicates` and `senses` of predicates; and `spans`, as predicate, role, first and last token.
"""

NOTHING: Marks = dict.fromkeys(
    ["tags", "heads", "relations", "supertags", "predicates", "senses", "spans"], frozenset()
)


def differences(sentence: Sentence, other: Sentence) -> Marks:
    """
    Marks the parts of `sentence` that `other` has otherwise or not at all. A layer that one lacks
    is not compared. A relation is marked only if the head is the same. Raises a
    `ConfigurationError` if the words differ.
    """
    if not have_same_words(sentence, other):
        raise ConfigurationError(
            f"found the sentence '{' '.join(other.words)[:80]}'; expected the words "
            f"'{' '.join(sentence.words)[:80]}', to compare both"
        )
    heads = _unequal(sentence.heads, other.heads)
    marks = {
        **NOTHING,
        "tags": _unequal(sentence.pos, other.pos),
        "heads": heads,
        "relations": _unequal(sentence.head_tags, other.head_tags) - heads,
        "supertags": _unequal(sentence.supertags, other.supertags),
    }
    if sentence.frames is not None and other.frames is not None:
        senses = {frame.predicate: frame.sense for frame in other.frames}
        marks["predicates"] = frozenset(sentence.predicates or []) - frozenset(senses)
        marks["senses"] = frozenset(
            frame.predicate
            for frame in sentence.frames
            if UNKNOWN not in (frame.sense, senses.get(frame.predicate, UNKNOWN))
            and frame.sense != senses[frame.predicate]
        )
        marks["spans"] = _spans(sentence.frames) - _spans(other.frames)
    return marks


def described(*readings: Marks) -> str:
    """The numbers of marked parts, such as `2 heads, 1 span`, in the reading with the most."""
    return _listed(_counts(*readings))


def has_differences(pictured: Pictured) -> bool:
    sentence, other, *_ = pictured
    return other is not None and any(_counts_of(sentence, other).values())


def summary(compared: Iterable[Pictured]) -> str:
    """Counts sentences and differences, such as `2 of 3 sentences differ: 2 heads, 1 span`."""
    number = different = 0
    totals: Counter[str] = Counter(dict.fromkeys(NOTHING, 0))
    for sentence, other, *_ in compared:
        assert other is not None
        counts = _counts_of(sentence, other)
        number += 1
        different += any(counts.values())
        totals.update(counts)
    plural = "" if number == 1 else "s"
    verb = "differs" if different == 1 else "differ"
    line = f"{different:,} of {number:,} sentence{plural} {verb}"
    return f"{line}: {_listed(totals)}" if different else line


def _counts_of(sentence: Sentence, other: Sentence) -> Mapping[str, int]:
    return _counts(differences(sentence, other), differences(other, sentence))


def _counts(*readings: Marks) -> Mapping[str, int]:
    marks = max(readings, key=lambda reading: sum(map(len, reading.values())))
    return {name: len(parts) for name, parts in marks.items()}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{number:,} {name if number > 1 else name.removesuffix('s')}"
        for name, number in counts.items()
        if number
    )


def _unequal(values: Optional[Sequence], others: Optional[Sequence]) -> FrozenSet[int]:
    if values is None or others is None:
        return frozenset()
    pairs = zip(values, others, strict=True)
    return frozenset(position for position, (one, other) in enumerate(pairs) if one != other)


def _spans(frames: Sequence[Frame]) -> FrozenSet[Tuple[int, str, int, int]]:
    return frozenset((f.predicate, s.role, s.first, s.last) for f in frames for s in f.roles)
