"""Tokens, the phrases that they form, and the roles that follow from how they are attached."""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Set, Tuple

PUNCTUATION = {",", ".", "?", "!", "``", "''", "-LRB-", "-RRB-", ";", ":", "--"}
# What belongs to the clause or the coordination around a phrase and not to the phrase itself.
_OUTSIDE_ANTECEDENT = {"case", "conj", "cc", "mark", "appos", "cop", "parataxis"}


@dataclass(eq=False)
class Token:
    """
    A word in its sentence.

    # Parameters

    form, pos, lemma : `str`
    kind : `str`
        The semantic class, which the word's vector shows.
    head : `Token`, optional
        `None` for the root.
    relation : `str`
    clause_level : `bool`
        Whether it modifies the clause of which its head is the nominal predicate, and so is no
        part of that predicate's phrase: `she` in `she is a teacher`.
    predicate : `PredicateDraft`, optional
    features : `str`
        In CoNLL-U's form.
    """

    form: str
    pos: str
    lemma: str
    kind: str = ""
    head: Optional["Token"] = None
    relation: str = "root"
    clause_level: bool = False
    predicate: Optional["PredicateDraft"] = None
    features: str = "_"


@dataclass(eq=False)
class PredicateDraft:
    """A frame before its words have positions: `arguments` are roles and the phrases' heads."""

    lemma: str
    sense: str
    verbal: bool = True
    auxiliary: bool = False
    arguments: List[Tuple[str, Token]] = field(default_factory=list)

    def add(self, role: str, head: Token) -> None:
        """Gives a role to the phrase of a head."""
        self.arguments.append((role, head))


@dataclass(eq=False)
class Phrase:
    """Consecutive tokens and the one that stands for them; `agreement` is person and plural."""

    head: Token
    tokens: List[Token]
    kind: str = ""
    agreement: Tuple[int, bool] = (3, False)
    is_pronoun: bool = False


def attach(child: Token, head: Token, relation: str, clause_level: bool = False) -> Token:
    """Makes `child` a dependent of `head`."""
    child.head, child.relation, child.clause_level = head, relation, clause_level
    return child


class Layout:
    """Where the tokens of a finished sentence stand, and which of them a phrase covers."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = list(tokens)
        self.position: Dict[Token, int] = {token: i for i, token in enumerate(tokens)}
        if len(self.position) != len(tokens):
            raise ValueError(f"a token stands twice in: {' '.join(t.form for t in tokens)}")
        self.children: Dict[Token, List[Token]] = {token: [] for token in tokens}
        for token in tokens:
            if token.head is not None:
                if token.head not in self.position:
                    raise ValueError(f"{token.form}'s head {token.head.form} is not in: {self}")
                self.children[token.head].append(token)

    def __str__(self) -> str:
        return " ".join(token.form for token in self.tokens)

    def subtree(self, head: Token) -> Set[Token]:
        """The token and everything below it."""
        below = {head}
        for child in self.children[head]:
            below |= self.subtree(child)
        return below

    def covered(self, argument: Token, predicate: Token) -> List[int]:
        """
        The positions of an argument's phrase: its subtree, less the branch with the predicate
        itself (a relative clause is no part of the antecedent's role in it) and, there, less
        what links the phrase to the words around it.
        """
        branch = next((c for c in self.children[argument] if predicate in self.subtree(c)), None)
        chosen = {argument}
        for child in self.children[argument]:
            if not self._is_left_out(child, branch):
                chosen |= self.subtree(child)
        return self._trim(sorted(self.position[token] for token in chosen))

    @staticmethod
    def _is_left_out(child: Token, branch: Optional[Token]) -> bool:
        """Whether a dependent of an argument, with the predicate in `branch`, is no part of it."""
        if branch is None:
            return False
        if child is branch:
            return True
        if branch.relation == "cop":
            return child.clause_level
        if branch.relation == "parataxis":
            return False
        return child.clause_level or child.relation in _OUTSIDE_ANTECEDENT

    def _trim(self, positions: List[int]) -> List[int]:
        """Leaves out the punctuation at the edges, but for the second of a pair inside."""
        forms = [token.form for token in self.tokens]

        def pieces_edge(first: bool) -> bool:
            edge = positions[0] if first else positions[-1]
            form = forms[edge]
            if form not in PUNCTUATION or len(positions) == 1:
                return False
            opener = {"-RRB-": "-LRB-", "''": "``"}.get(form)
            inner = [forms[p] for p in positions[1:]]
            return first or opener is None or opener not in inner

        while pieces_edge(True):
            positions = positions[1:]
        while pieces_edge(False):
            positions = positions[:-1]
        return positions

    def pieces(self, positions: Sequence[int]) -> List[Tuple[int, int]]:
        """Runs of positions; punctuation alone does not part two of them."""
        runs: List[List[int]] = []
        for position in positions:
            gap = range(runs[-1][1] + 1, position) if runs else range(0)
            if runs and all(self.tokens[p].form in PUNCTUATION for p in gap):
                runs[-1][1] = position
            else:
                runs.append([position, position])
        # A comma that stands alone belongs to what it sets off.
        trimmed = [self._trim(list(range(first, last + 1))) for first, last in runs]
        return [
            (run[0], run[-1])
            for run in trimmed
            if not all(self.tokens[p].form in PUNCTUATION for p in run)
        ]

    def roles(self, token: Token) -> List[str]:
        """The BIO labels of the frame of `token`."""
        draft = token.predicate
        assert draft is not None
        labels = ["O"] * len(self.tokens)
        here = self.position[token]
        labels[here] = "B-V"
        for role, argument in draft.arguments:
            if role == "C-V":
                place = self.position[argument]
                labels[place] = "I-V" if place == here + 1 else "B-C-V"
                continue
            pieces = self.pieces(self.covered(argument, token))
            if role.startswith("R-"):
                # `whom she talked to`: the preposition left behind is no part of it.
                pieces = pieces[:1]
            for number, (first, last) in enumerate(pieces):
                name = role if number == 0 or role.startswith("C-") else f"C-{role}"
                for place in range(first, last + 1):
                    if labels[place] != "O":
                        raise ValueError(
                            f"{token.form}: {role} meets {labels[place]} at "
                            f"{self.tokens[place].form} in: {self}"
                        )
                    labels[place] = ("B-" if place == first else "I-") + name
        return labels
