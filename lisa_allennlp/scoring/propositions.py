"""
The one definition of a correct argument, from srl-eval.pl of CoNLL-2005 (Carreras and Màrquez
2005). The metrics of training and the command `score` count with it.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import (
    AbstractSet,
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)
from urllib.parse import unquote

from lisa_allennlp.formats.universal_propbank import read_role, write_role
from lisa_allennlp.scoring.counts import Counts, Summed
from lisa_allennlp.sentence.roles import CONTINUATION, VERB, joined_spans
from lisa_allennlp.sentence.sentence import Sentence

Pieces = Tuple[Tuple[int, int], ...]
"""The first and last tokens, or the start and end in a text, of a span's pieces."""

RolePair = Tuple[Optional[str], Optional[str]]
"""The gold and the predicted role of a span; `None` if one side lacks the span."""


@dataclass
class PropositionCounts(Summed):
    """
    What one sentence or many sentences have in common with their gold sentences. A proposition is
    a predicate with its arguments. V is counted like an argument, but `overall` leaves it out.

    # Parameters

    perfect : `int`
        The gold propositions whose arguments, except V, are all right and complete.
    unpredicted : `int`
        The gold propositions whose predicate was not predicted. All their arguments are missed.
    other_lemma : `int`
        The gold propositions that were predicted with another lemma, if lemmas are compared. All
        their arguments are missed.
    not_in_gold : `int`
        The predicted propositions whose predicate is not in gold.
    role_pairs : `Counter[RolePair]`
        How often a span with this gold role was predicted with that role. Spans are the same if
        all their pieces are.
    spurious_roles : `Counter[str]`
        The arguments, by role, of the propositions that are not in gold or have another lemma.
    """

    sentences: int = 0
    propositions: int = 0
    perfect: int = 0
    unpredicted: int = 0
    other_lemma: int = 0
    not_in_gold: int = 0
    role_pairs: "Counter[RolePair]" = field(default_factory=Counter)
    spurious_roles: "Counter[str]" = field(default_factory=Counter)

    def by_role(self, strict: bool = False) -> Dict[str, Counts]:
        """
        Returns the counts of each role, V included. If `strict`, the arguments of propositions that
        are not in gold, or have another lemma there, are excess, as in He et al. (2018), rather
        than ignored, as in srl-eval.pl.
        """
        roles = {role for pair in self.role_pairs for role in pair if role is not None}
        if strict:
            roles |= self.spurious_roles.keys()
        counts = {role: Counts() for role in sorted(roles)}
        for (wanted, found), number in self.role_pairs.items():
            if wanted is not None and wanted == found:
                counts[wanted].correct += number
                continue
            if wanted is not None:
                counts[wanted].missed += number
            if found is not None:
                counts[found].excess += number
        if strict:
            for role, number in self.spurious_roles.items():
                counts[role].excess += number
        return counts

    def overall(self, strict: bool = False) -> Counts:
        total = Counts()
        for role, counts in self.by_role(strict).items():
            if role != VERB:
                total.add(counts)
        return total

    def verbs(self, strict: bool = False) -> Counts:
        """
        Returns the counts of V. Without `strict`, they give LISA's Table 5's scores of predicate
        detection: a predicate that is not in gold does not lower precision.
        """
        return self.by_role(strict).get(VERB, Counts())


def count_propositions(
    predicted: Sentence, gold: Sentence, compare_lemmas: bool = False
) -> PropositionCounts:
    """
    Compares two sentences of the same words. With `compare_lemmas`, a proposition must also have
    gold's lemma, as for srl-eval.pl: in the CoNLL-2005 task lemmas are gold.
    """
    counts = count_matched(_propositions(predicted), _propositions(gold), compare_lemmas)
    counts.sentences = 1
    return counts


class Proposition(NamedTuple):
    """A predicate's lemma, and the roles, V included, of its disjoint spans, by their pieces."""

    lemma: str
    roles: Dict[Pieces, str]


def count_matched(
    found: Mapping[Any, Proposition],
    wanted: Mapping[Any, Proposition],
    compare_lemmas: bool = False,
) -> PropositionCounts:
    """Compares propositions by their predicates. The number of sentences is not counted."""
    counts = PropositionCounts(propositions=len(wanted))
    for predicate, proposition in wanted.items():
        match = found.get(predicate)
        counts.unpredicted += match is None
        if match is not None and compare_lemmas and match.lemma != proposition.lemma:
            counts.other_lemma += 1
            counts.spurious_roles.update(match.roles.values())
            match = None
        roles, gold = {} if match is None else match.roles, proposition.roles
        pairs = [(gold.get(pieces), roles.get(pieces)) for pieces in gold.keys() | roles.keys()]
        counts.role_pairs.update(pairs)
        counts.perfect += all(a == b or {a, b} == {VERB, None} for a, b in pairs)
    for predicate in found.keys() - wanted.keys():
        counts.not_in_gold += 1
        counts.spurious_roles.update(found[predicate].roles.values())
    return counts


def _propositions(sentence: Sentence) -> Dict[int, Proposition]:
    return {
        frame.predicate: Proposition(
            frame.lemma, {pieces: role for role, pieces in joined_spans(frame.tags)}
        )
        for frame in sentence.frames or []
    }


_MOST_SHOWN = 5
_VERBS = {VERB, CONTINUATION + VERB}


def roles_of(sentences: Iterable[Sentence]) -> Set[str]:
    frames = (frame for sentence in sentences for frame in sentence.frames or ())
    return {tag[2:] for frame in frames for tag in frame.tags if tag != "O"} - _VERBS


def named_as(predicted: Sequence[Sentence], gold: Sequence[Sentence]) -> Sequence[Sentence]:
    """
    Returns predictions with gold's names of roles: CoNLL-2005's (`A0`, `AM-TMP`) or PropBank's
    (`ARG0`, `ARGM-TMP`).

    >>> from lisa_allennlp.sentence.sentence import Frame
    >>> gold = [Sentence(["He", "left"], frames=[Frame(1, ["B-A0", "B-V"])])]
    >>> predicted = [Sentence(["He", "left"], frames=[Frame(1, ["B-ARG0", "B-V"])])]
    >>> named_as(predicted, gold) == gold
    True
    """
    renamed = _renamed(roles_of(predicted), roles_of(gold))
    if not renamed:
        return predicted
    return [
        replace(
            sentence,
            frames=[
                replace(f, tags=[tag[:2] + renamed.get(tag[2:], tag[2:]) for tag in f.tags])
                for f in sentence.frames
            ],
        )
        if sentence.frames
        else sentence
        for sentence in predicted
    ]


def unshared_roles(found: AbstractSet[str], gold: AbstractSet[str]) -> List[str]:
    found = found - _VERBS
    if not found or not gold or gold & {*found, *_renamed(found, gold).values()}:
        return []
    shown = [
        ", ".join(sorted(names)[:_MOST_SHOWN]) + ", ..." * (len(names) > _MOST_SHOWN)
        for names in (gold, found)
    ]
    return [f"no role of gold ({shown[0]}) is one of the predictions' ({shown[1]})"]


def _renamed(found: AbstractSet[str], gold: AbstractSet[str]) -> Dict[str, str]:
    """Maps predicted roles to gold's kind of names, if all of gold has one kind."""
    to_propbank = {role: read_role(role)[0] for role in (*gold, *found)}
    to_conll05 = {role: unquote(write_role(role)) for role in (*gold, *found)}
    is_propbank, is_conll05 = (
        all(names[role] == role for role in gold) for names in (to_propbank, to_conll05)
    )
    if is_propbank == is_conll05:
        return {}
    names = to_propbank if is_propbank else to_conll05
    return {role: names[role] for role in found if names[role] != role}
