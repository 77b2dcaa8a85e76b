"""The measures of PriMeSRL-Eval (Jindal et al. 2023), from their definitions."""

from typing import Any, Dict, List, NamedTuple, Sequence, Set, Tuple

from lisa_allennlp.common.tables import Table
from lisa_allennlp.scoring.counts import COUNTS_HEADINGS, Counts, Evaluation, Ratio
from lisa_allennlp.scoring.propositions import Pieces, named_as, roles_of, unshared_roles
from lisa_allennlp.sentence.roles import CONTINUATION, VERB, bio_to_spans, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence

REFERENCE = "R-"
CAUSERS = ("AA", "ARGA")

Item = Tuple[Any, ...]

SPAN_UNITS = ("ArgumentSpan", "CoreArgSpan", "ContextArgSpan")
HEAD_UNITS = ("ArgumentHead", "CoreArgHead", "ContextArgHead")


class PrimeArgument(NamedTuple):
    """
    An argument as PriMeSRL-Eval compares it: the role without `C-`, but with `R-`; the pieces of X
    and its C-X; and for R-X, the pieces of its X, if there is one.
    """

    role: str
    pieces: Pieces
    antecedent: Pieces

    @property
    def is_core(self) -> bool:
        role = self.role.removeprefix(REFERENCE)
        return any(map(str.isdigit, role)) or role in CAUSERS


def prime_arguments(tags: Sequence[str]) -> List[PrimeArgument]:
    """
    Joins each C-X with the first X of the proposition, wherever it stands; without one, the first
    C-X becomes X. An R-X is joined with the first X: it is right only if X is right, too. The
    arguments are in text order, without V.
    """
    spans = [span for span in bio_to_spans(tags) if span.role.removeprefix(CONTINUATION) != VERB]
    pieces: Dict[int, List[Tuple[int, int]]] = {}
    first: Dict[str, int] = {}
    for number, (role, _, _) in enumerate(spans):
        first.setdefault(role, number)
    roles: Dict[int, str] = {}
    for number, (role, start, end) in enumerate(spans):
        if role.startswith(CONTINUATION):
            role = role.removeprefix(CONTINUATION)
            number = first.setdefault(role, number)
        roles[number] = role
        pieces.setdefault(number, []).append((start, end))
    joined = {number: tuple(sorted(parts)) for number, parts in pieces.items()}
    return [
        PrimeArgument(role, joined[number], joined.get(_antecedent(role, first), ()))
        for number, role in sorted(roles.items())
    ]


def _antecedent(role: str, first: Dict[str, int]) -> int:
    return first.get(role.removeprefix(REFERENCE), -1) if role.startswith(REFERENCE) else -1


class PrimeSrlEvaluation(Evaluation):
    """
    Scores predicates with their senses, and arguments with their predicates:

    - `PredicateId`: a predicate is right if it has the position of a gold predicate.
    - `Predicate`: it must also have the right sense.
    - `CoreArgSpan`: numbered arguments, which are right if predicate, sense, role and all pieces
      are.
    - `ContextArgSpan`: all other arguments, whose meaning does not depend on the sense, which is
      not compared.
    - `ArgumentSpan`: both.
    - `ArgumentHead`, `CoreArgHead`, `ContextArgHead`: the syntactic heads of the pieces are
      compared instead of the pieces, which then need only overlap. Each side's heads are those of
      its own trees.

    Unlike in srl-eval.pl, arguments of predicates that are not in gold are excess.

    Without `compare_senses`, `Predicate` is not scored, and core arguments need only the right
    predicate. With `compare_lemmas`, a sense includes the lemma: `run.02` rather than `02`. With
    `compare_heads`, heads are scored, too, for which both sides need parses.
    """

    def __init__(
        self,
        predicted: Sequence[Sentence],
        gold: Sequence[Sentence],
        compare_senses: bool,
        compare_lemmas: bool = False,
        compare_heads: bool = False,
    ) -> None:
        self.compare_senses = compare_senses
        self.compare_lemmas = compare_lemmas
        self.compare_heads = compare_heads
        self.units = (
            ("PredicateId",)
            + ("Predicate",) * compare_senses
            + SPAN_UNITS
            + HEAD_UNITS * compare_heads
        )
        self._note = unshared_roles(roles_of(predicted), roles_of(gold))
        pairs = zip(named_as(predicted, gold), gold, strict=True)
        self.sentences = [self._count(*pair) for pair in pairs]

    def scores(self) -> Dict[str, Counts]:
        totals = {unit: Counts() for unit in self.units}
        for sentence in self.sentences:
            for unit, counts in sentence.items():
                totals[unit].add(counts)
        return totals

    def tables(self) -> List[Table]:
        """Spans stand beside heads."""
        rows = [[unit, *counts.cells()] for unit, counts in self.scores().items()]
        return [Table(["", *COUNTS_HEADINGS], rows)]

    def to_dict(self) -> Dict[str, Any]:
        return {
            "sentences": len(self.sentences),
            "compares_senses": self.compare_senses,
            **{unit: counts.to_dict() for unit, counts in self.scores().items()},
        }

    def sentence_ratios(self) -> List[Dict[str, Ratio]]:
        return [
            {
                name: ratio
                for unit, counts in sentence.items()
                for name, ratio in counts.ratios(unit).items()
            }
            for sentence in self.sentences
        ]

    def notes(self) -> List[str]:
        notes = [*self._note]
        if not self.compare_senses:
            notes.append(
                "not both files have senses: predicates are scored by position only, and core "
                "arguments without regard to senses"
            )
        if not self.compare_heads:
            notes.append("not both files have trees: arguments are scored by span only")
        return notes

    def _count(self, predicted: Sentence, gold: Sentence) -> Dict[str, Counts]:
        found, wanted = self._items(predicted), self._items(gold)
        return {unit: _compare(found[unit], wanted[unit]) for unit in self.units}

    def _items(self, sentence: Sentence) -> Dict[str, Set[Item]]:
        """Items are right if the other side has them."""
        items: Dict[str, Set[Item]] = {unit: set() for unit in self.units}
        for frame in sentence.frames or []:
            predicate, sense = frame.predicate, self._sense(frame)
            items["PredicateId"].add((predicate,))
            if self.compare_senses:
                items["Predicate"].add((predicate, sense))
            for argument in prime_arguments(frame.tags):
                key = (predicate, sense, "core") if argument.is_core else (predicate, "context")
                kind = "CoreArg" if argument.is_core else "ContextArg"
                spans = (*key, argument.role, argument.pieces, argument.antecedent)
                for unit in (f"{kind}Span", "ArgumentSpan"):
                    items[unit].add(spans)
                if self.compare_heads:
                    places = (argument.pieces, argument.antecedent)
                    heads = (*key, argument.role, *(_heads(sentence, part) for part in places))
                    for unit in (f"{kind}Head", "ArgumentHead"):
                        items[unit].add(heads)
        return items

    def _sense(self, frame: Frame) -> Tuple[str, ...]:
        if not self.compare_senses:
            return ()
        lemma, number = split_roleset(frame.lemma, frame.sense)
        return (lemma, number) if self.compare_lemmas else (number,)


def _heads(sentence: Sentence, pieces: Pieces) -> Tuple[int, ...]:
    assert sentence.parse is not None
    return tuple(sentence.parse.span_head(*piece) for piece in pieces)


def _compare(found: Set[Item], wanted: Set[Item]) -> Counts:
    return Counts(len(found & wanted), len(found - wanted), len(wanted - found))
