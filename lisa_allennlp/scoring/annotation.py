"""Checks that sentences have the annotation that a score needs."""

from typing import Dict, Optional, Sequence, TypeVar

from lisa_allennlp.data.sentence import Frame, Sentence

T = TypeVar("T")


def required(annotation: Optional[T], name: str, gold: Sentence) -> T:
    """
    Returns the predicted annotation of a gold sentence; `name` is its name in the `ValueError` that
    is raised if it is `None`.
    """
    if annotation is None:
        raise ValueError(
            f"{quote(gold)}: found a prediction without {name}; expected {name}, as in the gold "
            "sentence"
        )
    return annotation


def per_token(labels: Optional[Sequence[T]], name: str, gold: Sentence) -> Sequence[T]:
    """Returns the labels of a sentence; raises a `ValueError` if there is not one per token."""
    labels = required(labels, name, gold)
    if len(labels) != len(gold.words):
        raise ValueError(
            f"found {len(labels)} {name} for {quote(gold)}; expected {len(gold.words)}, one per "
            "token"
        )
    return labels


def frames_by_predicate(sentence: Sentence, gold: Sentence) -> Dict[int, Frame]:
    """
    Returns the frames of a sentence by the positions of their predicates; raises a `ValueError` if
    there are none, or if two frames have the same one: it is unclear which one to score.
    """
    frames = required(sentence.frames, "frames", gold)
    found = {frame.predicate: frame for frame in frames}
    if len(found) != len(frames):
        positions = sorted(frame.predicate for frame in frames)
        raise ValueError(
            f"{quote(gold)}: found two frames for one predicate (0-based positions "
            f"{positions}); expected one frame per predicate"
        )
    return found


def quote(sentence: Sentence) -> str:
    """Returns the words of a sentence in quotes, for error messages."""
    return '"' + " ".join(sentence.words) + '"'
