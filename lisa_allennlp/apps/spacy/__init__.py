"""
LISA as a component of spaCy pipelines: `nlp.add_pipe("lisa")`. spaCy finds the component by an
entry point, in `factory`. Importing this package defines `Doc._.frames`, `Doc._.events` and
`Token._.frame`, for programs that only read saved Docs.

A Doc stores each frame as plain values, under the character offset of its predicate, as spaCy
stores extension attributes of tokens. All other offsets are relative to this one. The frames thus
remain when a Doc is saved, copied, joined with others or cut, and when its tokens are merged.

    >>> import spacy
    >>> doc = spacy.blank("en")("She left early.")
    >>> store_frame(doc, 1, [("ARG0", 0, 0), ("V", 1, 1)], sense="leave.01")
    >>> doc._.frames
    [DocFrame(predicate=left, sense='leave.01', roles=[ARG0: She, V: left])]
    >>> doc[1]._.frame.roles[0].label_
    'ARG0'
    >>> doc[0]._.frame is None
    True
"""

from dataclasses import dataclass, replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, cast

from spacy.tokens import Doc, Span, Token

from lisa_allennlp.english.events.finding import find_events
from lisa_allennlp.sentence.event import Event
from lisa_allennlp.sentence.roles import span_labels
from lisa_allennlp.sentence.sentence import UNKNOWN, Frame, Morphology, Parse, Sentence
from lisa_allennlp.text.propbank_frames import packaged_inventory

__all__ = ["DocFrame"]


@dataclass(frozen=True, repr=False)
class DocFrame:
    """
    A predicate of a Doc and its roles: spans in text order, including the predicate (`V`). The
    label of a span is the role, `id_` the position of the predicate in the Doc; the `V` has the
    sense as its `kb_id_`. The other fields are those of `lisa_allennlp.Frame`.
    """

    predicate: Token
    roles: List[Span]
    sense: str = UNKNOWN
    lemma: str = UNKNOWN
    gloss: Optional[str] = None
    role_glosses: Optional[Mapping[str, str]] = None
    verbnet: Optional[str] = None
    thematic_roles: Optional[Mapping[str, str]] = None
    framenet: Optional[List[str]] = None
    probability: Optional[float] = None
    span_probabilities: Optional[List[float]] = None
    sense_probability: Optional[float] = None
    happened: Optional[float] = None

    @property
    def explained(self) -> "DocFrame":
        """The frame with glosses, VerbNet and FrameNet, as `lisa_allennlp.Frame` has it."""
        if self.role_glosses is not None or self.sense == UNKNOWN:
            return self
        roles = {span.label_ for span in self.roles}
        return replace(self, **packaged_inventory().explain(self.sense, roles))

    def __repr__(self) -> str:
        roles = ", ".join(f"{span.label_}: {span.text}" for span in self.roles)
        return f"DocFrame(predicate={self.predicate}, sense={self.sense!r}, roles=[{roles}])"


def store_frame(
    doc: Doc, predicate: int, roles: Iterable[Tuple[str, int, int]], **details: Any
) -> None:
    """
    Adds a frame: its predicate's position, each role with its first and last (inclusive) token, and
    other fields of `DocFrame`.
    """
    origin = doc[predicate].idx
    relative = [
        (role, doc[first].idx - origin, doc[last].idx + len(doc[last]) - origin)
        for role, first, last in roles
    ]
    _stored(doc)[_key(origin)] = {"roles": relative, **details}


def remove_frames(doc: Doc) -> None:
    for origin in _origins(doc):
        del _stored(doc)[_key(origin)]


def doc_frames(doc: Doc) -> List[DocFrame]:
    frames = (_frame(doc, origin, _stored(doc)[_key(origin)]) for origin in _origins(doc))
    return [frame for frame in frames if frame is not None]


def doc_events(doc: Doc) -> List[Event]:
    """Finds the events of a Doc with tags, a parse and frames, at its tokens, as `find_events`."""
    frames = []
    for frame in doc_frames(doc):
        tags = ["O"] * len(doc)
        for span in frame.roles:
            tags[span.start : span.end] = span_labels((span.label_, span.start, span.end - 1))
        frames.append(Frame(frame.predicate.i, tags, frame.lemma, frame.sense))
    return find_events(
        Sentence(
            [token.text for token in doc],
            pos=[token.tag_ for token in doc],
            frames=frames,
            parse=Parse([t.head.i for t in doc], [t.dep_ for t in doc]),
            offsets=[(token.idx, token.idx + len(token)) for token in doc],
            text=doc.text,
            morphology=Morphology(lemmas=[token.lemma_ or token.lower_ for token in doc]),
        )
    )


def token_frame(token: Token) -> Optional[DocFrame]:
    """Returns `None` unless the token is a predicate."""
    stored = _stored(token.doc).get(_key(token.idx))
    return None if stored is None else _frame(token.doc, token.idx, stored)


def _stored(doc: Doc) -> Dict[Any, Any]:
    """spaCy declares the keys of user data as strings, but has other keys itself."""
    return cast(Dict[Any, Any], doc.user_data)


def _key(origin: int) -> Tuple[str, str, int, None]:
    return ("._.", "frame", origin, None)


def _origins(doc: Doc) -> List[int]:
    # Other components may have keys of any type.
    keys = (key for key in _stored(doc) if isinstance(key, tuple) and len(key) == 4)
    return sorted(key[2] for key in keys if key == _key(key[2]))


def _frame(doc: Doc, origin: int, stored: Mapping[str, Any]) -> Optional[DocFrame]:
    """Returns `None`, or leaves roles out, if the Doc was cut from another."""
    found = doc.char_span(origin, origin + 1, alignment_mode="expand")
    if found is None:
        return None
    details = {key: value for key, value in stored.items() if key != "roles"}
    sense = details.get("sense", UNKNOWN)
    spans = [
        doc.char_span(
            origin + start,
            origin + end,
            label=role,
            kb_id=sense if role == "V" and sense != UNKNOWN else "",
            alignment_mode="expand",
            span_id=str(found[0].i),
        )
        for role, start, end in stored["roles"]
    ]
    probabilities = details.get("span_probabilities")
    if probabilities is not None:
        pairs = zip(probabilities, spans, strict=True)
        details["span_probabilities"] = [p for p, span in pairs if span is not None]
    return DocFrame(found[0], [span for span in spans if span is not None], **details)


Doc.set_extension("frames", getter=doc_frames, force=True)
Doc.set_extension("events", getter=doc_events, force=True)
Token.set_extension("frame", getter=token_frame, force=True)
