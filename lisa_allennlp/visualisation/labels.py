"""
The labels of a picture, with their probabilities if these are known.

    >>> from lisa_allennlp.data.sentence import Parse
    >>> relation_labels(Sentence(["Go"], parse=Parse([0], ["root"]), head_probabilities=[0.97]))
    ['root .97']
"""

from typing import Any, List, Optional, Sequence, Tuple

from lisa_allennlp.data.sentence import UNKNOWN, Frame, RoleSpan, Sentence
from lisa_allennlp.visualisation.printable import printable


def relation_labels(sentence: Sentence) -> List[str]:
    """The label of each arc; none without a tree."""
    return [printable(arc.head_tag) + _decimals(arc.probability) for arc in sentence.arcs or ()]


def tag_labels(sentence: Sentence) -> List[Tuple[str, List[str]]]:
    """The layers of tags: their names, as in `Marks`, and the labels of all words."""
    layers = []
    if sentence.pos is not None:
        known: Sequence[Any] = sentence.pos_probabilities or [None] * len(sentence.pos)
        pairs = zip(sentence.pos, known, strict=True)
        layers.append(("tags", [printable(tag) + _decimals(p) for tag, p in pairs]))
    if sentence.supertags is not None:
        layers.append(("supertags", list(map(printable, sentence.supertags))))
    return layers


def span_label(frame: Frame, span: RoleSpan) -> str:
    """The role, or the sense of the predicate."""
    is_predicate = span.role == "V" and span.first <= frame.predicate <= span.last
    probability = frame.probability if is_predicate else span.probability
    name = frame.sense if is_predicate and frame.sense != UNKNOWN else span.role
    return printable(name) + _decimals(probability)


def _decimals(probability: Optional[float]) -> str:
    """Two decimals, without the zero before the point, which would widen all columns."""
    if probability is None:
        return ""
    return " 1" if probability >= 0.995 else f" {probability:.2f}".replace("0.", ".", 1)
