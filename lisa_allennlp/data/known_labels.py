"""What is annotated in a sentence of which only a part is: the rest teaches nothing."""

from dataclasses import replace
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence

from lisa_allennlp.data.corrections import corrections_of
from lisa_allennlp.data.sentence import Frame, Sentence

HELD_OUT = 5
"""Of so many accepted sentences, the last one is held out."""


class KnownLabels(NamedTuple):
    """
    The annotation of a sentence by token, `None` where it is unknown. Heads are 0-based, and a root
    is its own head. `frames` is `None` if no frame is known with all of its roles.
    """

    pos: Sequence[Optional[str]]
    predicates: Sequence[Optional[bool]]
    heads: Sequence[Optional[int]]
    head_tags: Sequence[Optional[str]]
    frames: Optional[List[Frame]]

    @classmethod
    def of(cls, sentence: Sentence) -> "KnownLabels":
        """
        Returns all annotation of a sentence without corrections, or of one that a person has
        accepted; of any other, the tags, heads, relations and predicates that a person set.
        """
        length = len(sentence.words)
        corrections = corrections_of(sentence)
        if corrections is not None and not corrections.accepted:
            heads = {i: i if head == 0 else head - 1 for i, head in corrections.heads.items()}
            tokens = range(length)
            return cls(
                [corrections.pos.get(i) for i in tokens],
                [corrections.predicates.get(i) for i in tokens],
                [heads.get(i) for i in tokens],
                [corrections.labels.get(i) for i in tokens],
                frames=None,
            )
        unknown: List[Any] = [None] * length
        frames, parse = sentence.frames, sentence.parse
        predicates = unknown
        if frames is not None:
            predicates = [sentence.frame_at(i) is not None for i in range(length)]
        return cls(
            sentence.pos or unknown,
            predicates,
            unknown if parse is None else parse.head_indices,
            unknown if parse is None else parse.head_tags,
            frames,
        )


def is_accepted(sentence: Sentence) -> bool:
    """Whether a person has corrected the sentence and checked it as a whole."""
    corrections = corrections_of(sentence)
    return corrections is not None and corrections.accepted


def held_out(sentences: Iterable[Sentence]) -> List[Sentence]:
    """Returns every fifth of the sentences that a person has accepted, to score a model on."""
    return list(filter(is_accepted, sentences))[HELD_OUT - 1 :: HELD_OUT]


def is_partial(sentence: Sentence, trees: bool = True) -> bool:
    """
    Whether a sentence lacks tags, roles or, if there should be `trees`, its tree; or a person has
    corrected it and not accepted it.
    """
    is_corrected = corrections_of(sentence) is not None and not is_accepted(sentence)
    parts = (sentence.pos, sentence.frames, *[sentence.parse] * trees)
    return is_corrected or any(part is None for part in parts)


def annotated_whole(sentence: Sentence) -> Sentence:
    """
    Returns the sentence as gold, which metrics can score: without its labels if a person has
    corrected it and not accepted it.
    """
    if corrections_of(sentence) is None or is_accepted(sentence):
        return sentence
    return replace(sentence, pos=None, frames=None, parse=None)
