"""What users write with sentences, for mypy: no check for `None` of what a model predicts."""

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence


def show(document: Document, sentence: Sentence) -> float:
    for frame in sentence.frames:
        print(frame.sense, [(span.role, span.text) for span in frame.roles])
        print(frame["ARG0"].text.upper(), [span.role for span in frame.arguments])
        print(frame.misspelt)  # type: ignore[union-attr]
    for token, head in zip(sentence, sentence.heads, strict=True):
        print(token.i + 1, token.pos.lower(), token.head - head, token.children, token.subtree)
        print(document.text[token.start_char : token.end_char])
    probability = 1.0
    for part in document:
        for token in part[1:]:
            found = part.frame_at(token.i)
            if found is not None:
                probability *= found.probability * found.roles[0].probability
        print(part.attention[0, 1])
    return probability
