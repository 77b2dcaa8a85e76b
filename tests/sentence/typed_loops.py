"""What users write with sentences, for mypy: it asks for the checks for `None` that users need."""

from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Sentence


def show(document: Document, sentence: Sentence) -> float:
    for frame in sentence.frames or []:
        print(frame.sense, [(span.role, span.text) for span in frame.roles])
        print(frame["ARG0"].first, [span.role for span in frame.arguments])
        print(frame.misspelt)  # type: ignore[attr-defined]
    for frame in sentence.frames:  # type: ignore[union-attr]
        print(frame["ARG0"].text.upper())  # type: ignore[union-attr]
    for token in sentence:
        print(token.i + 1, token.children, token.subtree)
        print(document.text[token.start_char : token.end_char])
    probability = 1.0
    for part in document:
        for token in part[1:]:
            found = part.frame_at(token.i)
            if found is not None and found.probability is not None:
                probability *= found.probability
    return probability
