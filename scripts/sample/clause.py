"""What a clause of the embedded sample consists of, and how its verb is put."""

from dataclasses import dataclass, field
from typing import List, Optional, Tuple

from sample.lexicon import Verb
from sample.tokens import PredicateDraft, Token

# Who the subject is for a verb: the token, and "R-" where it is a relative pronoun.
References = List[Tuple[str, Token]]


@dataclass
class Manner:
    """How the verb of a clause is put: everything that decides its auxiliaries."""

    form: str = "finite"  # finite, infinitive, bare, gerund, participle
    tense: str = "past"  # past, present
    modal: str = ""
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    negative: bool = False
    inverted: bool = False
    emphatic: bool = False

    @property
    def time(self) -> str:
        """Which adverbials go with it: `past`, `present`, `future`, or `any` that fits all."""
        if self.form in ("gerund", "participle"):
            return "any"
        if self.modal and self.perfect:
            return "past"
        if self.modal or self.form in ("infinitive", "bare"):
            return "future"
        if self.perfect and self.tense == "present":
            return "any"
        return self.tense


@dataclass(eq=False)
class Clause:
    """
    A clause in the order of its parts, so that questions and quotations can reorder them.
    `head` is what the clause hangs on, `predicate` the token with the frame (`be` in a copular
    clause), `references` its subject for verbs that share it.
    """

    head: Token
    predicate: Token
    references: References
    subject: List[Token] = field(default_factory=list)
    auxiliaries: List[Token] = field(default_factory=list)
    core: List[Token] = field(default_factory=list)
    tail: List[Token] = field(default_factory=list)
    verb: Optional[Verb] = None
    object_kind: str = ""
    agreement: Tuple[int, bool] = (3, False)
    manner: Manner = field(default_factory=Manner)

    @property
    def draft(self) -> PredicateDraft:
        """The frame of the clause's predicate."""
        assert self.predicate.predicate is not None
        return self.predicate.predicate

    def declarative(self) -> List[Token]:
        """Its tokens in the order of a statement."""
        return self.subject + self.auxiliaries + self.core + self.tail

    def interrogative(self) -> List[Token]:
        """Its tokens with the first auxiliary (and a contracted `n't`) before the subject."""
        moved = 1
        if len(self.auxiliaries) > 1 and self.auxiliaries[1].form == "n't":
            moved = 2
        start, rest = self.auxiliaries[:moved], self.auxiliaries[moved:]
        return start + self.subject + rest + self.core + self.tail
