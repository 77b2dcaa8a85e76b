"""What the constructions of the embedded sample's sentences share."""

import random
from typing import Callable, List

from sample.grammar import Grammar
from sample.lexicon import VERBS, Verb
from sample.tokens import Token, attach


class Constructions:
    """
    # Parameters

    rng : `random.Random`
    held_out : `bool`
        Whether to use what the training part must not have.
    """

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        self.rng = rng
        self.grammar = Grammar(rng, held_out)

    def mark(self, form: str, head: Token, pos: str = "") -> Token:
        """A punctuation mark."""
        pos = pos or {"?": ".", "!": "."}.get(form, form)
        return attach(Token(form, pos, form, "punctuation"), head, "punct", True)

    def close(self, tokens: List[Token], head: Token, form: str = ".") -> List[Token]:
        """The tokens with a final mark."""
        return tokens + [self.mark(form, head)]

    def transitive(self, condition: Callable[[Verb], bool]) -> Verb:
        """A verb that needs nothing but a subject and an object."""
        verbs = [
            v
            for v in VERBS
            if v.has("obj")
            and not any(s.relation in ("xcomp", "ccomp", "iobj") for s in v.slots)
            and all(s.optional for s in v.slots if s.relation != "obj")
            and not v.particle
            and v.lemma != "cost"
            and condition(v)
        ]
        return self.grammar.pick(verbs, name=lambda v: v.lemma)
