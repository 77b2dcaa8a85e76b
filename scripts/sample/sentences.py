"""Whole sentences of the embedded sample: statements, questions, quotations, headlines ..."""

import random
from dataclasses import dataclass
from typing import Callable, List, Tuple

from sample.attachments import Attachments
from sample.fragments import Fragments
from sample.questions import Questions
from sample.quotations import Quotations
from sample.statements import Statements
from sample.tokens import Layout, Token

# A sentence has at most so many tokens.
LONGEST = 40


@dataclass
class Draft:
    """The tokens of a sentence in order, and which function of `SentenceGrammar` made it."""

    tokens: List[Token]
    construction: str


class SentenceGrammar(Statements, Attachments, Quotations, Questions, Fragments):
    """
    # Parameters

    rng : `random.Random`
    held_out : `bool`
        Whether to use what the training part must not have.
    """

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        super().__init__(rng, held_out)
        # How many of a hundred sentences each construction makes.
        self.constructions: List[Tuple[int, Callable[[], List[Token]]]] = [
            (17, self.plain_statement),
            (11, self.verb_attachment),
            (13, self.noun_attachment),
            (5, self.fronted_adverbial),
            (5, self.fronted_clause),
            (6, self.coordinated_verbs),
            (5, self.coordinated_clauses),
            (3, self.quotation_first),
            (3, self.quotation_split),
            (3, self.quotation_last),
            (4, self.polar_question),
            (5, self.wh_question),
            (5, self.imperative),
            (1, self.extraposition),
            (2, self.participial),
            (4, self.nominal_statement),
            (2, self.expletive_statement),
            (6, self.without_predicate),
        ]

    def draft(self) -> Draft:
        """A random sentence of at most `LONGEST` tokens."""
        weights = [weight for weight, _ in self.constructions]
        _, make = self.rng.choices(self.constructions, weights)[0]
        while True:
            self.grammar.usual_tense = self.rng.choice(["past", "past", "present"])
            tokens = make()
            if 0 < len(tokens) <= LONGEST:
                self._spell(tokens)
                return Draft(tokens, make.__name__)

    def _spell(self, tokens: List[Token]) -> None:
        """`a` before a vowel becomes `an`; no two commas in a row; the first word has a capital."""
        for token, following in zip(list(tokens), tokens[1:], strict=False):
            if token.form == "a" and token.pos == "DT":
                vowel = following.form[0].lower() in "aeiou" and not following.form.startswith(
                    ("un", "uni", "use", "eu", "one")
                )
                silent = following.form in ("honest", "hour", "8", "umbrella", "ugly", "uncle")
                token.form = "an" if vowel or silent else "a"
        for place in range(len(tokens) - 1, 0, -1):
            if tokens[place - 1].form == "," and tokens[place].pos in (",", "."):
                del tokens[place - 1]
            elif tokens[place].form == "," and tokens[place - 1].form == "``":
                del tokens[place]
        first = next((token for token in tokens if token.form[0].isalnum()), tokens[0])
        first.form = first.form[0].upper() + first.form[1:]


def layout_of(draft: Draft) -> Layout:
    """The layout of a sentence, after checking that its arcs make one tree."""
    layout = Layout(draft.tokens)
    roots = [token for token in draft.tokens if token.head is None]
    if len(roots) != 1 or len(layout.subtree(roots[0])) != len(draft.tokens):
        raise ValueError(f"not a tree: {layout} ({draft.construction})")
    return layout
