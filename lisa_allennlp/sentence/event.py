"""
`Event` and `Filler`: what happens in a sentence, and who and what take part in it.

    >>> from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
    >>> sentence = Sentence(
    ...     ["She", "never", "sold", "it"],
    ...     pos=["PRP", "RB", "VBD", "PRP"],
    ...     frames=[Frame(2, ["B-ARG0", "B-ARGM-NEG", "B-V", "B-ARG1"], "sell", "sell.01")],
    ...     parse=Parse([2, 2, 2, 2], ["nsubj", "advmod", "root", "obj"]),
    ... )
    >>> [event] = sentence.events
    >>> event
    <Event sell: who=She, what=it, negated, denied>
    >>> event["ARG0"].head_lemma, event.tense, event.voice
    ('she', 'past', 'active')
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

ASSERTED, DENIED, ASKED, CONDITIONAL = "asserted", "denied", "asked", "conditional"
WANTED, POSSIBLE, FUTURE = "wanted", "possible", "future"
ATTRIBUTED, ACCUSED = "attributed", "accused"

APART = " ... "

LIGHT_VERB = "ARGM-LVB"

NEGATION = "ARGM-NEG"

ATTRIBUTES = ("ARGM-MOD", NEGATION, "ARGM-PRR", LIGHT_VERB)
"""The roles that are attributes of an event, or parts of its predicate, rather than fillers."""

FACTUALITIES = (
    *(ASSERTED, DENIED, CONDITIONAL, ASKED, WANTED, POSSIBLE, FUTURE, ATTRIBUTED, ACCUSED),
)

_NUMBERED = ("ARG1", "ARG2", "ARG3", "ARG4", "ARG5")

QUESTIONS: Dict[str, Tuple[Sequence[str], Sequence[str]]] = {
    "who": (["ARG0"], []),
    "what": (["ARG1"], []),
    "to_whom": (["ARG2"], ["GOL"]),
    "when": (["ARGM-TMP", *_NUMBERED], ["TMP"]),
    "where": (["ARGM-LOC", *_NUMBERED], ["LOC"]),
    "how": (["ARGM-MNR", *_NUMBERED], ["MNR"]),
    "why": (["ARGM-CAU", "ARGM-PRP", *_NUMBERED], ["CAU", "PRP"]),
}
"""
The roles that answer a question, and the functions of which one must hold: an adjunct's own, or
PropBank's for a numbered role of the roleset.
"""


@dataclass(frozen=True)
class Filler:
    """
    What fills a role of an event.

    `role` has no `C-` or `R-`. `text` is the raw text, without the preposition that introduces a
    numbered role (`by Google`), the pieces of a continued argument joined by ` ... `. `first`,
    `last` (inclusive) and `head` are 0-based tokens, `pieces` the offsets of each piece (exclusive)
    in the raw text or, without it, `None`. `heads` are the lemmas of the head and of those that are
    coordinated with it (`phones and tablets`); a name is whole (`New York`).

    `referent` is the name that a pronoun stands for, by given clusters of coreference, or the
    antecedent of a relative pronoun. `is_shared` says that the role was found by the tree alone:
    a subject that the event shares with another one (`He left without paying`).
    """

    role: str
    text: str
    first: int
    last: int
    head: int
    head_word: str
    heads: Tuple[str, ...]
    conjuncts: Tuple[str, ...] = ()
    pieces: Optional[Tuple[Tuple[int, int], ...]] = None
    referent: Optional[str] = None
    function: Optional[str] = None
    is_shared: bool = False

    @property
    def head_lemma(self) -> str:
        return self.heads[0]

    @property
    def name(self) -> str:
        return self.text if self.referent is None else self.referent

    def each(self) -> Iterator["Filler"]:
        if len(self.heads) == 1:
            yield self
            return
        for head, text in zip(self.heads, self.conjuncts, strict=True):
            yield replace(self, heads=(head,), text=text, conjuncts=())

    def to_dict(self) -> Dict[str, Any]:
        described = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("heads", "pieces"):
            described[name] = described[name] and _listed(described[name])
        del described["conjuncts"]
        return {
            k: value for k, value in described.items() if value is not None and value is not False
        }


def _listed(value: Any) -> Any:
    return list(map(_listed, value)) if isinstance(value, tuple) else value


class _Answer:
    def __set_name__(self, owner: type, name: str) -> None:
        self._question = name

    def __get__(self, event: Optional["Event"], owner: type) -> Optional[str]:
        return None if event is None else event._answer(self._question)


@dataclass(frozen=True, repr=False)
class Event:
    """
    Something that happens, by a predicate that means something.

    # Parameters

    predicate : `int`
        The 0-based token: of a light verb (`take a walk`) its noun, of a copula (`was dirty`) what
        it says, if that is a predicate.
    text, name : `str`
        The predicate's word, and a name to count: `give up`, `be dirty`, `walk`.
    lemma, sense : `str`
        As in `Frame`.
    fillers : `List[Filler]`
        In text order.
    negated : `bool`
        Whether the event itself is: by `not`, `never`, `no longer`, or `no one` in a role.
    modal : `str`, optional
        `can`, `must`, `will` ..., also `have to` and `be able to`.
    tense : `str`, optional
        `past`, `present` or `future`, of finite verbs.
    voice : `str`, optional
        `active` or `passive`, of verbs.
    factuality : `str`
        One of `FACTUALITIES`: what the sentence says of its truth. It takes the words around into
        account: in `She failed to sell it`, the sale is denied, though not negated.
    happened : `float`, optional
        The probability that it happened, by a model that learned this from people's judgements.
    source : `str`, optional
        Who says so, where the event is in what a verb of saying reports.
    source_head : `str`, optional
        The lemma of the source's head.
    gloss : `str`, optional
        What PropBank says of the roleset.
    role_names : `Mapping[str, str]`
        What PropBank calls the roles of the roleset (`ARG0`: `seller`).
    """

    predicate: int
    text: str
    name: str
    lemma: str
    sense: str
    fillers: List[Filler]
    negated: bool = False
    modal: Optional[str] = None
    tense: Optional[str] = None
    voice: Optional[str] = None
    factuality: str = ASSERTED
    happened: Optional[float] = None
    source: Optional[str] = None
    source_head: Optional[str] = None
    gloss: Optional[str] = None
    role_names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __contains__(self, role: str) -> bool:
        return any(filler.role == role for filler in self.fillers)

    def __getitem__(self, role: str) -> Filler:
        for filler in self.fillers:
            if filler.role == role:
                return filler
        raise KeyError(role)

    def asked(self, question: str) -> List[Filler]:
        """
        Returns the fillers that answer `who`, `what`, `to_whom`, `when`, `where`, `how` or `why`:
        ARG0, ARG1, ARG2 if it is a recipient or goal, and adjuncts, or numbered roles with the
        function of these adjuncts.
        """
        roles, functions = QUESTIONS[question]
        return [
            filler
            for filler in self.fillers
            if filler.role in roles and (not functions or filler.function in functions)
        ]

    def _answer(self, question: str) -> Optional[str]:
        return "; ".join(filler.name for filler in self.asked(question)) or None

    who, what, to_whom = _Answer(), _Answer(), _Answer()
    when, where, how, why = _Answer(), _Answer(), _Answer(), _Answer()

    @property
    def names(self) -> Dict[str, str]:
        """The fillers of numbered roles by PropBank's names, such as `seller`."""
        return {
            self.role_names[filler.role].lower(): filler.name
            for filler in self.fillers
            if filler.role in self.role_names
        }

    def each(self) -> Iterator["Event"]:
        """Yields an event for each combination of coordinated fillers: `buys and sells phones`."""
        events = [replace(self, fillers=[])]
        for filler in self.fillers:
            events = [
                replace(event, fillers=[*event.fillers, one])
                for event in events
                for one in filler.each()
            ]
        yield from events

    def to_dict(self) -> Dict[str, Any]:
        """Returns the known values, and the answers to the questions."""
        described: Dict[str, Any] = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name != "role_names"
        }
        described["fillers"] = [filler.to_dict() for filler in self.fillers]
        described.update({question: self._answer(question) for question in QUESTIONS})
        described["names"] = self.names or None
        return {key: value for key, value in described.items() if value is not None}

    def __repr__(self) -> str:
        roles = [f"{question}={self._answer(question)}" for question in QUESTIONS]
        known = [role for role in roles if not role.endswith("=None")]
        others = [*["negated"] * self.negated, self.factuality]
        return f"<Event {self.name}: {', '.join([*known, *others])}>"
