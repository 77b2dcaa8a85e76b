"""Pipelines with the component, and what they set on a Doc."""

from typing import Any, Dict

import spacy
from spacy.language import Language
from spacy.tokens import Doc

# Registers the component, as the entry point of an installed package does.
import lisa_allennlp.apps.spacy.factory  # noqa: F401


def pipeline(model: Any, **config: Any) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("lisa", config={"model": str(model), **config})
    return nlp


def annotation(doc: Doc) -> Dict[str, Any]:
    """Everything that the component sets on a Doc, in values that compare across Docs."""
    return {
        "words": [token.text for token in doc],
        "tags": [(token.tag_, token.pos_, token.lemma_) for token in doc],
        "heads": [token.head.i for token in doc],
        "labels": [token.dep_ for token in doc],
        "frames": [
            (
                frame.predicate.i,
                frame.sense,
                frame.lemma,
                [(span.label_, span.start, span.end) for span in frame.roles],
            )
            for frame in doc._.frames
        ],
        "spans": {
            key: [(span.label_, span.id_, span.kb_id_, span.start, span.end) for span in group]
            for key, group in doc.spans.items()
        },
    }
