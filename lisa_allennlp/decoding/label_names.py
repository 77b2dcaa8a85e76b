"""The labels of the network's output units, and the rolesets that words may have."""

import itertools
from collections import defaultdict
from functools import cache, cached_property
from typing import Dict, FrozenSet, List, Mapping, Optional, Sequence, Set, Tuple

import numpy

from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.formats.propbank_frames import (
    RolesetInventory,
    class_of,
    packaged_inventory,
)
from lisa_allennlp.data.formats.roles import (
    CONTINUATION,
    FIRST_SENSE,
    REFERENCE,
    UNKNOWN,
    VERB,
    is_core,
    join_roleset,
    split_roleset,
    split_tag,
)
from lisa_allennlp.data.languages import ENGLISH
from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.lexicon import Lexicon
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.decoding.trees import find_root_label

LABEL_NAMESPACES = ("joint_tags", "role_labels", "head_tags", "sense_labels", "form_sense_labels")
"""The namespaces of a vocabulary that `LabelNames` reads."""

NO_CANDIDATE = -1
"""Pads candidates, and stands for the sense of a predicate without candidates."""

NO_PARTICLES: FrozenSet[str] = frozenset()

_VERB_TAGS = ("B-V", "I-V", "B-C-V", "I-C-V")

_PARTICLE_LABELS = ("compound:prt", "prt")

_PARTICLE_TAGS = ("IN", "RB", "RP")

_PREPOSITIONAL = ("case", "mark", "advmod")

MOST_TO_PARTICLE = 5
"""The most tokens from a predicate to an adverb that may be its particle."""
"""Of a verb's particle in Universal and in Stanford Dependencies."""


class LabelNames:
    """
    The labels of the network's output units: for each of the `LABEL_NAMESPACES`, those in the order
    of their indices. SA needs no `head_tags`. Without `sense_labels`, no senses are predicted. With
    a lexicon, there is PropBank's inventory of rolesets. Without one, words of another `language`
    than English have no rolesets but those of the training data.

    >>> names = LabelNames({"joint_tags": ["PRP", "VBD", "VBD:predicate"]})
    >>> names.pos, names.pos_of_joint, names.is_predicate
    (['PRP', 'VBD'], [0, 1, 1], [False, False, True])
    """

    def __init__(
        self,
        labels: Mapping[str, Sequence[str]],
        lexicon: Optional[Lexicon] = None,
        language: str = ENGLISH,
    ) -> None:
        joint_tags, roles, head_tags, senses, form_senses = (
            list(labels.get(namespace, ())) for namespace in LABEL_NAMESPACES
        )
        joint = [split_tag(tag) for tag in joint_tags]
        self.pos = list(dict.fromkeys(pos for pos, _ in joint))
        numbers: Dict[str, int] = {tag: number for number, tag in enumerate(self.pos)}
        self.pos_of_joint: List[int] = [numbers[pos] for pos, _ in joint]
        self.is_predicate: List[bool] = [is_predicate for _, is_predicate in joint]
        self.roles = roles
        self.head_tags = head_tags
        self.root_label = find_root_label(head_tags)
        is_english = language == ENGLISH
        self.senses = SenseNames(senses, form_senses, lexicon is not None, is_english)
        self.lexicon = lexicon
        self.language = language

    @cached_property
    def role_constraints(self) -> RoleConstraints:
        """The sequences of role labels that a frame may have."""
        return RoleConstraints(self.roles)

    @cached_property
    def is_core(self) -> numpy.ndarray:
        """(num_roles,) bool: the labels of core roles, with their `C-` and `R-`."""
        roles = [
            label[2:].removeprefix(CONTINUATION).removeprefix(REFERENCE) for label in self.roles
        ]
        return numpy.array(list(map(is_core, roles)), bool)

    @cached_property
    def begins_argument(self) -> numpy.ndarray:
        """(num_roles,) bool: the labels with which the span of an argument begins."""
        return numpy.array([label[:2] == "B-" and label[2:] != VERB for label in self.roles], bool)


class SenseNames:
    """
    The rolesets of the training data, and those that a word may have. The candidates of a form are
    the rolesets that it has in the training data, and those of the same verbs (`sell.01` and
    `sell_out.02`). An unseen form has the candidates of its lemma. The particles of a predicate
    leave the rolesets with these particles or, without any, those of the bare verb.

    A predicate without candidates gets the first roleset that it has in PropBank's inventory, if
    there is one, and none where the inventory does not know the word. Without an inventory, it gets
    the first sense of its lemma. Unless the words are English, they have neither lemmas nor
    particles here: an unseen form has no candidates and no roleset.

    `senses` are the rolesets by index, `form_senses` each form with one of its rolesets after a
    blank. PropBank's inventory has rolesets that the training data lacks.

    >>> names = SenseNames(["sell.01", "sell_out.02", "buy.01"], ["sold sell.01", "bought buy.01"])
    >>> names.candidates(["sold", "buys", "litigating"], ["VBD", "VBZ", "VBG"])
    array([[ 0,  1],
           [ 2, -1],
           [-1, -1]])
    >>> names.name(NO_CANDIDATE, "litigating", "VBG")
    ('litigate', 'litigate.01')
    >>> spanish = SenseNames(["sell.01"], ["vendió sell.01"], is_english=False)
    >>> spanish.candidates(["vendió", "litigó"], ["VERB", "VERB"]).tolist()
    [[0], [-1]]
    >>> spanish.name(NO_CANDIDATE, "litigó", "VERB")
    ('-', '-')
    """

    def __init__(
        self,
        senses: Sequence[str],
        form_senses: Sequence[str],
        has_inventory: bool = False,
        is_english: bool = True,
    ) -> None:
        self._is_english = is_english
        self.names = senses
        """The rolesets by index."""
        self.numbers = {sense: number for number, sense in enumerate(senses)}
        """The index of each roleset."""
        self.has_inventory = has_inventory
        """Whether there is PropBank's inventory."""
        self._particles = [_particles_of_roleset(sense) for sense in senses]
        self.families: Dict[str, List[int]] = defaultdict(list)
        """The rolesets of each verb."""
        for number, sense in enumerate(self.names):
            self.families[verb_of(sense)].append(number)
        of_forms: Dict[str, Set[str]] = defaultdict(set)
        for entry in form_senses:
            form, _, sense = entry.rpartition(" ")
            of_forms[form].add(verb_of(sense))
        self.of_forms = {form: self._united(verbs) for form, verbs in of_forms.items()}
        """The candidates of the forms of the training data, in lower case."""

    def __len__(self) -> int:
        return len(self.names)

    def candidates(
        self,
        forms: Sequence[str],
        tags: Sequence[str],
        particles: Optional[Sequence[FrozenSet[str]]] = None,
        possible: Optional[Sequence[FrozenSet[str]]] = None,
    ) -> numpy.ndarray:
        """
        Returns the candidates of predicates, (num_predicates, num_candidates) indices of rolesets,
        padded with `NO_CANDIDATE` to at least one column. Without `particles`, they rule nothing
        out, as in training. Predicates without a particle also have the rolesets with one that is
        `possible`.
        """
        rows = [self._candidates(*pair) for pair in zip(forms, tags, strict=True)]
        if particles is not None and self._is_english:
            possible = possible or [NO_PARTICLES] * len(rows)
            rows = [
                self._with_particles(row, found, others, form)
                for row, found, others, form in zip(rows, particles, possible, forms, strict=True)
            ]
        width = max([1, *map(len, rows)])
        padded = [[*row, *[NO_CANDIDATE] * (width - len(row))] for row in rows]
        return numpy.array(padded, numpy.int64).reshape(len(rows), width)

    def name(
        self, sense: int, form: str, tag: str, particles: FrozenSet[str] = NO_PARTICLES
    ) -> Tuple[str, str]:
        """Returns the lemma and the roleset of a predicate, from its index or `NO_CANDIDATE`."""
        if sense != NO_CANDIDATE:
            roleset = self.names[sense]
        elif not self._is_english:
            return UNKNOWN, UNKNOWN
        elif self.has_inventory:
            roleset = first_roleset(packaged_inventory(), form, tag, particles)
        else:
            roleset = join_roleset(lemma_of(form, tag), FIRST_SENSE)
        if roleset == UNKNOWN:
            return lemma_of(form, tag), UNKNOWN
        return split_roleset(UNKNOWN, roleset)[0], roleset

    def _candidates(self, form: str, tag: str) -> List[int]:
        known = self.of_forms.get(form.lower())
        if known is not None or not self._is_english:
            return known or []
        lemma = lemma_of(form, tag)
        return self.of_forms.get(lemma) or self.families.get(lemma, [])

    def _with_particles(
        self,
        candidates: List[int],
        particles: FrozenSet[str],
        possible: FrozenSet[str],
        form: str,
    ) -> List[int]:
        bare = [number for number in candidates if not self._particles[number]]
        if not particles:
            others = [
                n for n in candidates if self._particles[n] and self._particles[n] <= possible
            ]
            return [*bare, *others] if bare else candidates
        fitting = [n for n in candidates if self._particles[n] and self._particles[n] <= particles]
        most = max((len(self._particles[n]) for n in fitting), default=0)
        if most:
            return [n for n in fitting if len(self._particles[n]) == most]
        if self.has_inventory and _verbs_with(packaged_inventory(), form, particles):
            # The training data lacks this roleset, so that nothing was learnt about it.
            return []
        return bare or candidates

    def _united(self, verbs: Set[str]) -> List[int]:
        families = [self.families[verb] for verb in verbs]
        # Nearly every form has one verb.
        return families[0] if len(families) == 1 else sorted(itertools.chain(*families))


@cache
def verb_of(sense: str) -> str:
    """The verb of a roleset without the particle: `sell` for `sell_out.02`."""
    lemma, _ = split_roleset(UNKNOWN, sense)
    return lemma.partition("_")[0]


def particles_of(
    words: Sequence[str], predicate: int, roles: Sequence[str], parse: Optional[Parse]
) -> FrozenSet[str]:
    """
    Returns the words, in lower case, that may be particles of a predicate (0-based): those of its V
    and C-V, from BIO roles, and its dependents that the tree labels as particles.
    """
    found = {i for i, role in enumerate(roles) if role in _VERB_TAGS}
    if parse is not None:
        dependents = parse.children[predicate]
        found |= {i for i in dependents if parse.head_tags[i] in _PARTICLE_LABELS}
    return frozenset(words[i].lower() for i in found if i != predicate)


def possible_particles(place: Place) -> FrozenSet[str]:
    """
    Returns the words, in lower case, that may be particles of an English predicate although the
    tree labels them otherwise: an adverb of the predicate (`he came across as bright`), or what
    follows it as a preposition (`we ran out of time`).
    """
    relations, following = place.parse.head_tags, place.token + 1
    found = [
        token
        for token in place.parse.children[place.token]
        if relations[token] == "advmod" and 0 < token - place.token <= MOST_TO_PARTICLE
    ]
    if following < len(place.words) and relations[following] in _PREPOSITIONAL:
        found.append(following)
    return frozenset(place.words[i].lower() for i in found if place.tags[i] in _PARTICLE_TAGS)


def first_roleset(
    inventory: RolesetInventory, form: str, tag: str, particles: FrozenSet[str] = NO_PARTICLES
) -> str:
    """
    Returns the first roleset of a word in an inventory, `UNKNOWN` without any: that with one of its
    particles; else that of its form, its lemma, or its lemma as a verb (`litigations`).
    """
    pos = class_of(tag)
    lemmas = [*_verbs_with(inventory, form, particles), form.lower(), lemma_of(form, tag)]
    for lemma in lemmas:
        rolesets = inventory.of_word(lemma, pos)
        if rolesets:
            return rolesets[0]
    return next(iter(inventory.of_word(lemma_of(form), "v")), UNKNOWN)


def _verbs_with(inventory: RolesetInventory, form: str, particles: FrozenSet[str]) -> List[str]:
    """The verbs of an inventory that consist of a form's lemma and one of the particles."""
    verbs = (f"{lemma_of(form)}_{particle}" for particle in sorted(particles))
    return [verb for verb in verbs if inventory.of_word(verb, "v")]


@cache
def _particles_of_roleset(sense: str) -> FrozenSet[str]:
    """What follows the verb in a roleset's name: `out` for `sell_out.02`."""
    lemma, _ = split_roleset(UNKNOWN, sense)
    return frozenset(lemma.split("_")[1:])
