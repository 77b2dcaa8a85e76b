"""
The frames of a Doc.

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

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, cast

from spacy.tokens import Doc, Span, Token

from lisa_allennlp.data.sentence import UNKNOWN

_NAME = "frame"
"""The name of the extension attribute whose place in `Doc.user_data` has the frames."""


@dataclass(frozen=True, repr=False)
class DocFrame:
    """
    A predicate of a Doc and its roles.

    # Parameters

    predicate : `Token`
    roles : `List[Span]`
        In text order, including the predicate (`V`). The label is the role, `id_` the position of
        the predicate in the Doc. The `V` has the sense as its `kb_id_`.
    sense : `str`
        The roleset, such as `sell.01`; `-` if unknown.
    lemma : `str`
        The lemma of the roleset; `-` if unknown.
    gloss, role_glosses, probability, span_probabilities : optional
        As in `lisa_allennlp.Frame`, with the options `frames` and `probabilities`.
    """

    predicate: Token
    roles: List[Span]
    sense: str = UNKNOWN
    lemma: str = UNKNOWN
    gloss: Optional[str] = None
    role_glosses: Optional[Mapping[str, str]] = None
    probability: Optional[float] = None
    span_probabilities: Optional[List[float]] = None

    def __repr__(self) -> str:
        roles = ", ".join(f"{span.label_}: {span.text}" for span in self.roles)
        return f"DocFrame(predicate={self.predicate}, sense={self.sense!r}, roles=[{roles}])"


def store_frame(
    doc: Doc,
    predicate: int,
    roles: Iterable[Tuple[str, int, int]],
    sense: str = UNKNOWN,
    lemma: str = UNKNOWN,
    **details: Any,
) -> None:
    """
    Adds a frame to a Doc.

    # Parameters

    doc : `Doc`
    predicate : `int`
        The position of the predicate in the Doc.
    roles : `Iterable[Tuple[str, int, int]]`
        Each role with the positions of its first and last token (inclusive) in the Doc.
    sense, lemma, **details :
        As in `DocFrame`.
    """
    origin = doc[predicate].idx
    stored: Dict[str, Any] = {
        "roles": [
            (role, doc[first].idx - origin, doc[last].idx + len(doc[last]) - origin)
            for role, first, last in roles
        ]
    }
    for name, value in (("sense", sense), ("lemma", lemma)):
        if value != UNKNOWN:
            stored[name] = value
    stored.update(details)
    _stored(doc)[_key(origin)] = stored


def remove_frames(doc: Doc) -> None:
    """Removes all frames of a Doc."""
    for origin in _origins(doc):
        del _stored(doc)[_key(origin)]


def doc_frames(doc: Doc) -> List[DocFrame]:
    """The frames of a Doc, in the order of their predicates."""
    frames = (_frame(doc, origin, _stored(doc)[_key(origin)]) for origin in _origins(doc))
    return [frame for frame in frames if frame is not None]


def token_frame(token: Token) -> Optional[DocFrame]:
    """The frame of a token; `None` if it is not a predicate."""
    stored = _stored(token.doc).get(_key(token.idx))
    return None if stored is None else _frame(token.doc, token.idx, stored)


def _stored(doc: Doc) -> Dict[Any, Any]:
    """The user data. spaCy declares its keys as strings, but has other keys itself."""
    return cast(Dict[Any, Any], doc.user_data)


def _key(origin: int) -> Tuple[str, str, int, None]:
    return ("._.", _NAME, origin, None)


def _origins(doc: Doc) -> List[int]:
    """The character offsets of the predicates."""
    return sorted(
        key[2]
        for key in _stored(doc)
        # Other components may have keys of any type.
        if isinstance(key, tuple) and len(key) == 4 and key == _key(key[2])
    )


def _frame(doc: Doc, origin: int, stored: Mapping[str, Any]) -> Optional[DocFrame]:
    """A frame; `None`, or without some of its roles, if the Doc was cut from another."""
    found = doc.char_span(origin, origin + 1, alignment_mode="expand")
    if found is None:
        return None
    predicate = found[0]
    sense = stored.get("sense", UNKNOWN)
    roles, kept = [], []
    for number, (role, start, end) in enumerate(stored["roles"]):
        span = doc.char_span(
            origin + start,
            origin + end,
            label=role,
            kb_id=sense if role == "V" and sense != UNKNOWN else "",
            alignment_mode="expand",
            span_id=str(predicate.i),
        )
        if span is not None:
            roles.append(span)
            kept.append(number)
    details = {key: value for key, value in stored.items() if key not in ("roles", "sense")}
    if "span_probabilities" in details:
        details["span_probabilities"] = [details["span_probabilities"][n] for n in kept]
    return DocFrame(predicate, roles, sense, **details)


Doc.set_extension("frames", getter=doc_frames, force=True)
Token.set_extension(_NAME, getter=token_frame, force=True)
