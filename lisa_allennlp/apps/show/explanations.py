"""
What is in a picture, in words: the tooltips of its parts, and who does what.

    >>> from lisa_allennlp.sentence.sentence import Parse
    >>> sentence = Sentence(
    ...     ["She", "sold", "cars"],
    ...     pos=["PRP", "VBD", "NNS"],
    ...     frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1"], "sell", "sell.01")],
    ...     parse=Parse([1, 1, 1], ["nsubj", "root", "obj"]),
    ... )
    >>> explain_token(sentence, 2)
    'noun, plural; obj (object) of sold; ARG1 of sell.01 (Theme: Thing Sold)'
    >>> explain_arc(sentence, sentence.arcs[0])
    'sold \\u200e→ She: nsubj (subject)'
    >>> (frame,) = who_does_what(sentence)
    >>> [(role.name, role.text) for role in frame.roles]
    [('seller', 'She'), ('thing sold', 'cars')]
    >>> frame.truth, describe_truth("denied", "customers", 0.294)
    ('asserted', 'denied, according to customers; happened: 0.29')
"""

from dataclasses import dataclass
from typing import Dict, List, Optional

from lisa_allennlp.apps.show.texts import printable, typed
from lisa_allennlp.apps.show.theme import role_class
from lisa_allennlp.english.morphology import are_english_tags
from lisa_allennlp.sentence.meanings import meaning_of_relation, meaning_of_role, meaning_of_tag
from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE, VERB, joined_spans
from lisa_allennlp.sentence.sentence import UNKNOWN, Arc, Frame, RoleSpan, Sentence


@dataclass(frozen=True)
class Participant:
    """
    An argument: its role, the class of its colour, the role's meaning or else its label; the words,
    and the spans as lists of role, first and last word.
    """

    role: str
    kind: str
    name: str
    text: str
    spans: List[List]


@dataclass(frozen=True)
class WhoDoesWhat:
    """
    A predicate by its position, its roleset and gloss, if known, its roles, and the `truth` of its
    event, as in `describe_truth`.
    """

    predicate: int
    word: str
    sense: Optional[str]
    gloss: Optional[str]
    roles: List[Participant]
    truth: str = ""


def who_does_what(sentence: Sentence) -> List[WhoDoesWhat]:
    """Makes a line for each frame. Relative pronouns are left out beside their antecedents."""
    truths = _truths(sentence)
    return [_line(frame, truths.get(frame.predicate, "")) for frame in sentence.frames or []]


def describe_truth(factuality: str, source: Optional[str], happened: Optional[float]) -> str:
    """Describes an event's factuality, its source, and the probability that it happened."""
    said = f"{factuality}, according to {printable(source)}" if source else factuality
    return said if happened is None else f"{said}; happened: {happened:.2f}"


def _truths(sentence: Sentence) -> Dict[int, str]:
    # The rules are for English.
    tags = sentence.pos and {*sentence.pos}
    if not tags or sentence.parse is None or not are_english_tags(tags):
        return {}
    try:
        events = sentence.events
    except RecursionError:
        return {}
    return {e.predicate: describe_truth(e.factuality, e.source, e.happened) for e in events}


def _line(frame: Frame, truth: str = "") -> WhoDoesWhat:
    known, roles = frame.explained, []
    arguments = joined_spans(frame.tags)
    for role, pieces in arguments:
        referent = role.removeprefix(REFERENCE)
        if role == VERB or (role != referent and any(a.role == referent for a in arguments)):
            continue
        names = [role, *[CONTINUATION + role] * (len(pieces) - 1)]
        spans = [[name, *piece] for name, piece in zip(names, pieces, strict=True)]
        text = " … ".join(typed(frame, *piece) for piece in pieces)
        roles.append(Participant(role, role_class(role), _name(known, referent), text, spans))
    sense = None if frame.sense == UNKNOWN else frame.sense
    word = typed(frame, frame.predicate, frame.predicate)
    return WhoDoesWhat(frame.predicate, word, sense, known.gloss, roles, truth)


def _name(frame: Frame, role: str) -> str:
    gloss = (frame.role_glosses or {}).get(role)
    if gloss:
        # Acronyms stay as they are.
        words = (word.lower() if word.istitle() else word for word in gloss.split(" "))
        return printable(" ".join(words))
    return role if role[-1:].isdigit() else meaning_of_role(role) or role


def explain_token(sentence: Sentence, token: int) -> str:
    parts = [] if sentence.pos is None else [meaning_of_tag(sentence.pos[token])]
    if sentence.arcs is not None:
        arc = sentence.arcs[token]
        head = f" of {printable(sentence.words[arc.head - 1])}" if arc.head else ""
        parts.append(_relation(arc.head_tag) + head)
    for frame in sentence.frames or []:
        own = [s for s in frame.roles if s.first <= token <= s.last and s.role != VERB]
        if frame.predicate == token:
            gloss = f" ({frame.explained.gloss})" if frame.explained.gloss else ""
            parts.append(f"predicate {frame.name}{gloss}")
            roles = [f"{role.role} {role.text}" for role in _line(frame).roles]
            parts += [f"roles: {', '.join(roles)}"] if roles else []
        parts += [explain_span(frame, span) for span in own]
    return "; ".join(filter(None, parts))


def explain_arc(sentence: Sentence, arc: Arc) -> str:
    word = printable(sentence.words[arc.dependent - 1])
    # Between two words that are written from right to left, the arrow would point to the head.
    head = f"{printable(sentence.words[arc.head - 1])} \u200e→ " if arc.head else ""
    return f"{head}{word}: {_relation(arc.head_tag)}"


def _relation(label: str) -> str:
    meaning = meaning_of_relation(label)
    return f"{printable(label)} ({meaning})" if meaning and meaning != label else printable(label)


def explain_span(frame: Frame, span: RoleSpan) -> str:
    """
    A role with its name in VerbNet and its meaning, `ARG1 of sell.01 (Theme: Thing Sold)`, or a
    roleset with its gloss.
    """
    known = frame.explained
    if span.role == VERB:
        meaning, name = "; ".join(filter(None, [known.gloss, *links_of(known)])), frame.name
    else:
        base = span.role.removeprefix(CONTINUATION).removeprefix(REFERENCE)
        glosses = (known.thematic_roles or {}).get(base), (known.role_glosses or {}).get(base)
        meaning = meaning_of_role(span.role, ": ".join(filter(None, glosses)))
        name = f"{span.role} of {frame.name}"
    return f"{name} ({meaning})" if meaning else name


def links_of(frame: Frame) -> List[str]:
    links = [f"VerbNet {frame.verbnet}"] if frame.verbnet else []
    return links + ([f"FrameNet {' '.join(frame.framenet)}"] if frame.framenet else [])
