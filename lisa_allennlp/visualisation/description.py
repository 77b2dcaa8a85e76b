"""
A sentence in words, as the text alternative of its picture.

    >>> from lisa_allennlp.data.sentence import Frame, Parse
    >>> parse = Parse([1, 1], ["nsubj", "root"])
    >>> sentence = Sentence(["She", "left"], frames=[Frame(1, ["B-ARG0", "B-V"])], parse=parse)
    >>> describe(sentence)
    '2 words. She: nsubj of left. left: root. Roles of left: ARG0 She.'
"""

from typing import List

from lisa_allennlp.data.sentence import UNKNOWN, Frame, Sentence
from lisa_allennlp.visualisation.printable import printable


def describe(sentence: Sentence) -> str:
    """The words with their heads, and the roles of each predicate."""
    words = [printable(word) for word in sentence.words]
    number = len(words)
    parts = [f"{number} word{'s' * (number != 1)}"]
    if sentence.parse is None:
        parts.append(" ".join(words))
    for arc in sentence.arcs or ():
        head = f" of {words[arc.head - 1]}" if arc.head else ""
        parts.append(f"{words[arc.dependent - 1]}: {printable(arc.head_tag)}{head}")
    parts += [_roles(frame, words) for frame in sentence.frames or []]
    return ". ".join(parts) + "."


def _roles(frame: Frame, words: List[str]) -> str:
    sense = "" if frame.sense == UNKNOWN else f" ({printable(frame.sense)})"
    spans = [
        f"{printable(span.role)} {' '.join(words[span.first : span.last + 1])}"
        for span in frame.roles
        if span.role != "V"
    ]
    return f"Roles of {words[frame.predicate]}{sense}: {'; '.join(spans) or 'none'}"
