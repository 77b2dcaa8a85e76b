"""The labels of the network's output units, and the rolesets that words may have."""

import re
from bisect import bisect_left, bisect_right
from functools import cache, cached_property, lru_cache
from typing import Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.decoding.trees import find_root_label
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.english.morphology import lemma_of
from lisa_allennlp.sentence.roles import (
    CONTINUATION,
    FIRST_SENSE,
    REFERENCE,
    UNKNOWN,
    VERB,
    is_core,
    join_roleset,
    lemma_of_roleset,
    split_tag,
)
from lisa_allennlp.text.propbank_frames import class_of, packaged_inventory

LABEL_NAMESPACES = ("joint_tags", "role_labels", "head_tags", "sense_labels", "form_sense_labels")
"""The namespaces of a vocabulary that `LabelNames` reads."""

NO_CANDIDATE = -1
"""Pads candidates, and stands for the sense of a predicate without candidates."""

NO_PARTICLES: FrozenSet[str] = frozenset()

VERB_TAGS = ("B-V", "I-V", "B-C-V", "I-C-V")

_PARTICLE_LABELS = ("compound:prt", "prt")
"""In Universal and in Stanford Dependencies."""

_PARTICLE_TAGS = ("IN", "RB", "RP")

_PREPOSITIONAL = ("case", "mark", "advmod")

MOST_TO_PARTICLE = 5
"""The most tokens from a predicate to an adverb that may be its particle."""

_PAST = ("VBD", "VBN")

_ENDINGS = [(end, own) for end in ("al", "ment", "ion", "ation") for own in ("", "e")]
"""The endings of nouns and of their verbs."""


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
        lexicon: Optional[str] = None,
        language: str = ENGLISH,
    ) -> None:
        if lexicon not in (None, "english"):
            raise ConfigurationError(f"lexicon: found {lexicon!r}; expected 'english'")
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
        return RoleConstraints(self.roles)

    @cached_property
    def is_core(self) -> numpy.ndarray:
        roles = [
            label[2:].removeprefix(CONTINUATION).removeprefix(REFERENCE) for label in self.roles
        ]
        return numpy.array(list(map(is_core, roles)), bool)

    @cached_property
    def begins_argument(self) -> numpy.ndarray:
        """(num_roles,) bool: the labels that begin an argument."""
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
        self.has_inventory = has_inventory
        others = packaged_inventory().senses if has_inventory else []
        self.names = list(dict.fromkeys([*senses, *others]))
        self._num_trained = len(senses)
        # Only a few of them are looked up for a sentence.
        self._sorted_names = sorted(self.names)
        self._form_senses = sorted(form_senses)
        self._of_verbs: Dict[str, List[int]] = {}

    def __len__(self) -> int:
        """The number of trained rolesets, which the network scores."""
        return self._num_trained

    def candidates(
        self,
        forms: Sequence[str],
        tags: Sequence[str],
        particles: Optional[Sequence[FrozenSet[str]]] = None,
        possible: Optional[Sequence[FrozenSet[str]]] = None,
    ) -> numpy.ndarray:
        """
        Returns (num_predicates, num_candidates) indices of rolesets, padded with `NO_CANDIDATE` to
        at least one column. Without `particles`, nothing is ruled out, as in training, and
        candidates are those of the training data. Predicates without a particle also have the
        rolesets with one that is `possible`, or part of the word.
        """
        rows = [self._candidates(*pair) for pair in zip(forms, tags, strict=True)]
        if particles is not None and self._is_english:
            if self.has_inventory:
                rows = list(map(self._with_others, rows, forms, tags))
            possible = possible or [NO_PARTICLES] * len(rows)
            rows = [
                self._with_particles(row, found, others, form)
                for row, found, others, form in zip(rows, particles, possible, forms, strict=True)
            ]
        width = max([1, *map(len, rows)])
        padded = [[*row, *[NO_CANDIDATE] * (width - len(row))] for row in rows]
        return numpy.array(padded, numpy.int64).reshape(len(rows), width)

    def name(self, sense: int, form: str, tag: str) -> Tuple[str, str]:
        """Returns a lemma and a roleset, from the index of the roleset or `NO_CANDIDATE`."""
        if sense != NO_CANDIDATE:
            roleset = self.names[sense]
            return lemma_of_roleset(roleset), roleset
        if not self._is_english:
            return UNKNOWN, UNKNOWN
        lemma = lemma_of(form, tag)
        return lemma, UNKNOWN if self.has_inventory else join_roleset(lemma, FIRST_SENSE)

    @cached_property
    def numbers(self) -> Dict[str, int]:
        return {sense: number for number, sense in enumerate(self.names)}

    def _of_form(self, form: str) -> List[int]:
        entries = (entry.rpartition(" ") for entry in starting_with(self._form_senses, f"{form} "))
        return self._united(verb_of(sense) for own, _, sense in entries if own == form)

    def _of_verb(self, verb: str) -> List[int]:
        if verb not in self._of_verbs:
            senses = starting_with(self._sorted_names, verb)
            own = (self.numbers[sense] for sense in senses if verb_of(sense) == verb)
            self._of_verbs[verb] = sorted(own)
        return self._of_verbs[verb]

    def _family(self, verb: str) -> List[int]:
        return [number for number in self._of_verb(verb) if number < self._num_trained]

    def _united(self, verbs: Iterable[str]) -> List[int]:
        return sorted({number for verb in set(verbs) for number in self._family(verb)})

    def _candidates(self, form: str, tag: str) -> List[int]:
        known = self._of_form(form.lower())
        if known or not self._is_english:
            return known
        lemma = lemma_of(form, tag)
        return self._of_form(lemma) or self._family(lemma)

    def _with_others(self, candidates: List[int], form: str, tag: str) -> List[int]:
        """
        Adds PropBank's other rolesets of the same verbs, for a word without any those of its lemma,
        and so for a past form that looks like another verb (`spat`, `found`).
        """
        verbs, word = {verb_of(self.names[number]) for number in candidates}, form.lower()
        if tag in _PAST and word in verbs and lemma_of(form, tag) != word:
            verbs.remove(word)
            verbs.update(verbs_of_word(form, tag))
        verbs = verbs or set(verbs_of_word(form, tag))
        others = (n for v in sorted(verbs) for n in self._of_verb(v) if n >= self._num_trained)
        return [*self._united(verbs), *others]

    def _with_particles(
        self,
        candidates: List[int],
        particles: FrozenSet[str],
        possible: FrozenSet[str],
        form: str,
    ) -> List[int]:
        own = {number: particles_of_roleset(self.names[number]) for number in candidates}
        bare = [n for n in candidates if not own[n]]
        if not particles:
            within = form.lower().replace("-", "").removesuffix("ing")
            others = [
                n
                for n in candidates
                if own[n] and (own[n] <= possible or self._is_within(within, n))
            ]
            return [*bare, *others] if bare else candidates
        fitting = [n for n in candidates if own[n] and own[n] <= particles]
        most = max((len(own[n]) for n in fitting), default=0)
        if most:
            return [n for n in fitting if len(own[n]) == most]
        return bare or candidates

    def _is_within(self, form: str, number: int) -> bool:
        """Whether a form without hyphens has both verb and particle (`outputs`, `breakdown`)."""
        sense = self.names[number]
        verb, particle = verb_of(sense), "".join(particles_of_roleset(sense))
        return f"{verb}{particle}" in form or f"{particle}{verb}" in form


def starting_with(texts: Sequence[str], start: str) -> Sequence[str]:
    """
    The texts that start so, of sorted ones: sorting takes less time than a dictionary of lists.

    >>> starting_with(["sell.01", "sell_out.02", "send.01"], "sell")
    ['sell.01', 'sell_out.02']
    """
    first = bisect_left(texts, start)
    return texts[first : bisect_right(texts, start, first, key=lambda text: text[: len(start)])]


@cache
def verb_of(sense: str) -> str:
    """Leaves out the particle: `sell` for `sell_out.02`."""
    return lemma_of_roleset(sense).partition("_")[0]


def particles_of(place: Place, roles: Sequence[str]) -> FrozenSet[str]:
    """
    Returns possible particles of a predicate in lower case: the words of V and C-V, and dependents
    that the tree labels as particles.
    """
    relations = place.parse.head_tags
    found = {i for i, role in enumerate(roles) if role in VERB_TAGS}
    found |= {i for i in place.parse.children[place.token] if relations[i] in _PARTICLE_LABELS}
    return frozenset(place.words[i].lower() for i in found if i != place.token)


def possible_particles(place: Place) -> FrozenSet[str]:
    """
    Returns words, in lower case, that may be particles although the tree labels them otherwise: an
    adverb of the predicate (`he came across as bright`), or the next word, if it is a preposition
    (`we ran out of time`).
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


@lru_cache(maxsize=65536)
def verbs_of_word(form: str, tag: str) -> FrozenSet[str]:
    """
    Returns the verbs of a word's rolesets in PropBank's inventory: of its lemma, its form, its
    lemma as a verb (`wrangling`), or the verb that a noun is derived from (`refusal`), preferably
    in its part of speech. A hyphen may be missing there (`re-enter`), and a `g` here (`goin`).
    """
    inventory, pos = packaged_inventory(), class_of(tag)
    lemmas = [lemma_of(form, tag), form.lower(), lemma_of(form)]
    if tag == "VBG" and form.endswith("in"):
        lemmas.append(lemma_of(f"{form}g"))
    lemmas += [lemma.replace("-", "") for lemma in lemmas if "-" in lemma]
    if pos == "n":
        lemmas += [re.sub(f"{end}$", own, lemmas[0]) for end, own in _ENDINGS if len(lemmas[0]) > 6]
    for lemma in [own for own in lemmas if pos in inventory.classes_of(own)] or lemmas:
        if rolesets := inventory.of_word(lemma, pos):
            return frozenset(map(verb_of, rolesets))
    return frozenset({lemma_of(form)})


@cache
def particles_of_roleset(sense: str) -> FrozenSet[str]:
    """Returns the particles in a roleset's name: `out` for `sell_out.02`."""
    return frozenset(lemma_of_roleset(sense).split("_")[1:])
