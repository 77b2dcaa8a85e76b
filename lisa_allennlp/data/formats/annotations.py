"""The JSON form of a labelled sentence: what the predictor prints."""

from typing import Any, Dict, List, Sequence

from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.data.sentence import Frame, Sentence


def describe_frame(words: Sequence[str], frame: Frame) -> Dict[str, Any]:
    """
    # Returns

    `Dict[str, Any]`
        `verb` (the predicate's form), `index` (its position), `description` (as AllenNLP's SRL
        model writes it: `[ARG0: The cat] [V: sat] down`), `tags` (BIO) and `spans`
        (`[role, first, last]`, inclusive).
    """
    spans = bio_to_spans(frame.tags)
    return {
        "verb": words[frame.predicate],
        "index": frame.predicate,
        "description": _bracketed(words, spans),
        "tags": list(frame.tags),
        "spans": [list(span) for span in spans],
    }


def _bracketed(words: Sequence[str], spans: Sequence[Any]) -> str:
    chunks: List[str] = []
    position = 0
    for role, first, last in spans:
        chunks.extend(words[position:first])
        chunks.append(f"[{role}: {' '.join(words[first : last + 1])}]")
        position = last + 1
    chunks.extend(words[position:])
    return " ".join(chunks)


def annotate(sentence: Sentence, predicate_probabilities: Sequence[float]) -> Dict[str, Any]:
    """
    # Parameters

    sentence : `Sentence`
        A labelled sentence.
    predicate_probabilities : `Sequence[float]`
        For each token, the probability of being a predicate.

    # Returns

    `Dict[str, Any]`
        `words`, `pos`, `predicted_heads` (1-based, 0 for the root), `predicted_dependencies`,
        `predicates` (positions), `predicate_probabilities`, and `verbs`, one a predicate, as
        `describe_frame` makes them. A model without a syntactic head gives no parse.
    """
    frames = sentence.frames or []
    annotation: Dict[str, Any] = {"words": list(sentence.words), "pos": list(sentence.pos or [])}
    if sentence.parse is not None:
        annotation["predicted_heads"] = sentence.parse.heads
        annotation["predicted_dependencies"] = list(sentence.parse.head_tags)
    annotation["predicates"] = [frame.predicate for frame in frames]
    annotation["predicate_probabilities"] = list(predicate_probabilities)
    annotation["verbs"] = [describe_frame(sentence.words, frame) for frame in frames]
    return annotation


def annotate_all(
    sentences: Sequence[Sentence], predicate_probabilities: Sequence[Sequence[float]]
) -> Dict[str, Any]:
    """
    # Parameters

    sentences : `Sequence[Sentence]`
        At least one.
    predicate_probabilities : `Sequence[Sequence[float]]`

    # Returns

    `Dict[str, Any]`
        What `annotate` gives, as one list a key.
    """
    annotations = [
        annotate(sentence, probabilities)
        for sentence, probabilities in zip(sentences, predicate_probabilities, strict=True)
    ]
    return {key: [annotation[key] for annotation in annotations] for key in annotations[0]}
