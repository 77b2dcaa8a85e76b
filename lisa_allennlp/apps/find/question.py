"""
`Question`: which events of a corpus to find.

    >>> question = Question(senses=["return.02"], roles={"ARG0": "customer"}, asked=["ARG1"])
    >>> print("\\n".join(f"{role}: {value}" for role, value in question.conditions.items()))
    ARG0: customer
    ARG1: ?
"""

import re
from dataclasses import dataclass, field, replace
from typing import Dict, Iterable, List, Literal, Mapping, NamedTuple, Sequence, Tuple, get_args

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import shown
from lisa_allennlp.sentence.event import ASSERTED, ATTRIBUTED, DENIED
from lisa_allennlp.sentence.roles import lemma_of_roleset
from lisa_allennlp.text.propbank_frames import packaged_inventory

ANYTHING, FILLED = "*", "?"
"""What must fill a role: anything or nothing; anything."""

AND = " & "

PAST = "past|"
"""Past or, of verbs that probably happened, no tense (`after returning it`)."""

Polarity = Literal["affirmed", "negated", "any"]

POLARITIES = get_args(Polarity)
"""
Events that are asserted, by the text or its source; that are denied (`She failed to sell it`); and
all. Wanted, possible, asked and conditional events are neither of the first two.
"""

SAID: Mapping[str, Sequence[str]] = {
    "affirmed": (ASSERTED, ATTRIBUTED),
    "negated": (DENIED, ATTRIBUTED),
    "any": (),
}


def named_value(text: str, expected: str = "NAME=VALUE", ranges: bool = False) -> Tuple[str, str]:
    """
    Returns the name and the value of a condition, which may be a range.

    >>> named_value("stars=1|2"), named_value("stars >= 2", ranges=True)
    (('stars', '1|2'), ('stars', '>=2'))
    """
    if match := re.fullmatch(r"\s*([^<>!~=]*[^<>!~=\s])\s*(=|[<>]=?)\s*([^<>=\s].*?)\s*", text):
        name, operator, value = match.groups()
        if ranges or operator == "=":
            return name, operator.removeprefix("=") + value
    known = "=, <, <=, >, >=" if ranges else "="
    operators = f"the operators are {known} and, between values of which one is enough, |"
    raise ConfigurationError(f"found {shown(text, 80)}; expected {expected}: {operators}")


def named_values(pairs: Iterable[Tuple[str, str]]) -> Dict[str, str]:
    """
    Collects conditions by their names; all of those with the same name count.

    >>> named_values([("stars", ">1"), ("stars", "<=3")])
    {'stars': '>1 & <=3'}
    """
    found: Dict[str, str] = {}
    for name, value in pairs:
        found[name] = f"{found[name]}{AND}{value}" if name in found else value
    return found


@dataclass(frozen=True)
class Question:
    """
    What the events to find have in common.

    # Parameters

    senses, lemmas : `Sequence[str]`, optional
        Their rolesets, and their lemmas or names (`give up`): one of each. By default, any.
    roles : `Mapping[str, str]`, optional
        What fills a role, by `ARG0`, `ARGM-TMP` ... or `who`, `what`, `to_whom`, `when`, `where`,
        `how`, `why`. A word is the lemma of the filler's head, in any case, and `shoe|boot` one of
        two; a text with a blank stands in the filler's text; `/re/` is a regular expression that
        matches there; `?` is anything; `*` is anything or nothing.
    asked : `Sequence[str]`, optional
        The roles whose fillers are the answer. They must be there.
    polarity : `str`, optional (default = `"affirmed"`)
        One of `POLARITIES`.
    factuality : `Sequence[str]`, optional
        Of the events, one of these, instead of what the polarity says of it.
    where : `Mapping[str, str]`, optional
        The values of other columns, such as those of the user's own file; `1|2` is one of two,
        `<3` or `>=2026-01` a range, `1|` 1 or nothing, and `*` anything or nothing. Of what is said
        to be so, the tense `past|` is past, or none of a verb that probably happened.
    like : `bool`, optional (default = `False`)
        Whether rolesets of the same class of VerbNet are found too.
    pronouns : `bool`, optional (default = `True`)
        Whether pronouns are counted among the fillers.
    """

    senses: Sequence[str] = ()
    lemmas: Sequence[str] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    asked: Sequence[str] = ()
    polarity: Polarity = "affirmed"
    factuality: Sequence[str] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    like: bool = False
    pronouns: bool = True

    @property
    def conditions(self) -> Dict[str, str]:
        known = {**dict.fromkeys(self.asked, FILLED), **self.roles}
        return {role: known[role] for role in sorted(known) if known[role] != ANYTHING}

    @property
    def names(self) -> List[str]:
        names = (lemma_of_roleset(sense).replace("_", " ") for sense in self.senses)
        return list(dict.fromkeys(names))

    @property
    def is_open(self) -> bool:
        """Whether there is no roleset, lemma or role: all events of a part are asked."""
        return not (self.senses or self.lemmas or self.roles)

    def changed(self, other: "Question") -> "Question":
        """
        Returns the question with another one's rolesets or lemmas instead of its own, its roles
        added or replaced, and all other values. A new polarity or factuality also drops the tense.
        """
        says_nothing = other.polarity == POLARITIES[0] and not other.factuality
        asked = [role for role in self.asked if other.roles.get(role) != ANYTHING]
        return replace(
            other,
            senses=other.senses or (() if other.lemmas else self.senses),
            lemmas=other.lemmas or (() if other.senses else self.lemmas),
            roles={**self.roles, **other.roles},
            asked=[*asked, *other.asked],
            polarity=self.polarity if says_nothing else other.polarity,
            factuality=self.factuality if says_nothing else other.factuality,
            where={**(self.where if says_nothing else {}), **other.where},
        )


class AskedRole(NamedTuple):
    """`meaning` is what the first roleset of a question calls the role."""

    role: str
    meaning: str
    value: str


class Frame(NamedTuple):
    """How a question is understood: its rolesets with their meaning, and its roles."""

    senses: List[Tuple[str, str]]
    roles: List[AskedRole]
    alike: List[str]


def frame_of(question: Question) -> Frame:
    inventory = packaged_inventory()
    known = [(sense, inventory.roleset(sense)) for sense in question.senses]
    meanings: Dict[str, str] = dict(_ADJUNCTS)
    for _, roleset in known[:1]:
        meanings.update({} if roleset is None else roleset.roles)
    conditions = question.conditions
    alike = readings(question, list(conditions))[1:]
    return Frame(
        [(sense, "" if roleset is None else roleset.gloss) for sense, roleset in known],
        [AskedRole(role, meanings.get(role, ""), value) for role, value in conditions.items()],
        sorted(sense for reading in alike for sense in reading.senses),
    )


_ADJUNCTS = {"ARGM-TMP": "when", "ARGM-LOC": "where", "ARGM-MNR": "how"}


class Reading(NamedTuple):
    """Rolesets, and what they call the numbered roles of the question, as far as it differs."""

    senses: List[str]
    roles: Mapping[str, str]


def readings(question: Question, roles: Sequence[str]) -> List[Reading]:
    """
    Returns the rolesets of a question and, if it says so, those that are like them: of the same
    class of VerbNet, by the two numbers that its subclasses share (13.5 of `13.5.1-1`). Each has a
    role with the same thematic role for each of the numbered `roles`.

    >>> asked, *others = readings(Question(["sell.01"], like=True), ["ARG1", "ARG2"])
    >>> next(reading for reading in others if "give.01" in reading.senses).roles
    {'ARG1': 'ARG1', 'ARG2': 'ARG2'}
    """
    inventory = packaged_inventory()
    found = [Reading(list(question.senses), {})]
    if not question.like:
        return found
    known = [roleset for sense in question.senses if (roleset := inventory.roleset(sense))]
    classes = [
        (_family(name), names) for roleset in known for name, names in roleset.verbnet.items()
    ]
    numbered = [role for role in roles if role[3:].isdigit()]
    alike: Dict[Tuple[str, ...], List[str]] = {}
    for roleset in inventory:
        if roleset.sense in question.senses:
            continue
        mapped = (
            tuple(_role_of(names.get(role), others) for role in numbered)
            for name, others in roleset.verbnet.items()
            for family, names in classes
            if family == _family(name)
        )
        complete = next((names for names in mapped if "" not in names), None)
        if complete is not None:
            alike.setdefault(complete, []).append(roleset.sense)
    for names, senses in alike.items():
        found.append(Reading(senses, dict(zip(numbered, names, strict=True))))
    return found


def _family(verbnet: str) -> str:
    return ".".join(verbnet.split("-")[0].split(".")[:2])


def _role_of(thematic: object, names: Mapping[str, str]) -> str:
    return next((role for role, name in names.items() if name == thematic), "")
