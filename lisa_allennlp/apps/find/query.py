"""The SQL of a question. All of the user's values are parameters."""

import re
from typing import Any, Dict, List, Sequence

from lisa_allennlp.apps.find.index import KEYS, key_of, quoted
from lisa_allennlp.apps.find.question import (
    AND,
    ANYTHING,
    FILLED,
    PAST,
    POLARITIES,
    SAID,
    Question,
    readings,
)
from lisa_allennlp.common.errors import ConfigurationError, did_you_mean
from lisa_allennlp.english.morphology import lemma_of
from lisa_allennlp.sentence.event import FACTUALITIES, QUESTIONS
from lisa_allennlp.text.propbank_frames import packaged_inventory

_POLARITY = {
    "affirmed": "NOT negated",
    "negated": "(negated OR factuality = 'denied')",
    "any": "true",
}


class Query:
    """
    The SQL `condition` of a question with its `parameters`, for a table `place` with these columns
    and roles. Raises a `ConfigurationError` for an unknown role, column or value.
    """

    def __init__(
        self, question: Question, columns: Sequence[str], roles: Sequence[str], place: str
    ) -> None:
        self._question = question
        self._columns = columns
        self._place = place
        self.parameters: Dict[str, Any] = {}
        self.roles = roles
        conditions = question.conditions
        used = [column for role in conditions for column in self.columns_of(role)]
        found = readings(question, used)
        self._readings = [one for one in found if {*one.roles.values()} <= {*self.roles}]
        parts: List[str] = []
        if senses := [sense for reading in self._readings for sense in reading.senses]:
            parts.append(f"list_contains({self._parameter(senses)}, sense)")
        if question.lemmas:
            names = self._parameter([lemma.lower() for lemma in question.lemmas])
            parts.append(f"(list_contains({names}, lemma) OR list_contains({names}, event))")
        for role, value in conditions.items():
            parts.append(self._filled(role, value))
        parts.append(_POLARITY[_one_of(question.polarity, POLARITIES, "polarity")])
        chosen = question.factuality or SAID[question.polarity]
        if chosen:
            values = [_one_of(value, FACTUALITIES, "factuality") for value in chosen]
            parts.append(f"list_contains({self._parameter(values)}, factuality)")
        for name, value in question.where.items():
            parts += [self._value(name, one) for one in value.split(AND) if one != ANYTHING]
        self.condition = " AND ".join(parts)

    def columns_of(self, role: str) -> List[str]:
        """Returns the roles of the table for a role of the question or of `QUESTIONS`."""
        names, functions = QUESTIONS.get(role, ([role.upper()], []))
        known = map(packaged_inventory().roleset, self._question.senses)
        own = [roleset.functions for roleset in known if roleset is not None]
        # Numbered roles are times, places ... of some rolesets only.
        found = [
            name
            for name in names
            if name in self.roles
            and (
                name == names[0]
                or not name[3:].isdigit()
                or any(o.get(name) in functions for o in own)
            )
        ]
        if not found:
            near = did_you_mean(role, [*self.roles, *QUESTIONS])
            expected = f"{', '.join(QUESTIONS)}, or a role: {', '.join(self.roles)}"
            raise ConfigurationError(
                f"{self._place}: found no role '{role}'{near}; expected {expected}"
            )
        return found

    def filler(self, role: str, ending: str = "") -> str:
        """
        Returns the SQL of a role's text or, by the `ending` of the column, of its heads' lemmas,
        whatever the roleset calls this role.
        """
        others = [
            reading for reading in self._readings[1:] if reading.roles.get(role, role) != role
        ]
        own = quoted(role + ending)
        if not others:
            return own
        cases = " ".join(
            f"WHEN list_contains({self._parameter(reading.senses)}, sense) "
            f"THEN {quoted(reading.roles[role] + ending)}"
            for reading in others
        )
        return f"CASE {cases} ELSE {own} END"

    def _parameter(self, value: Any) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def _filled(self, role: str, value: str) -> str:
        tests = [self._test(name, value) for name in self.columns_of(role)]
        known = " AND to_whom IS NOT NULL" if role == "to_whom" else ""
        return f"(({' OR '.join(tests)}){known})"

    def _test(self, role: str, value: str) -> str:
        if value == FILLED:
            return f"{self.filler(role)} IS NOT NULL"
        if len(value) > 2 and value[0] == value[-1] == "/":
            return f"regexp_matches({self.filler(role)}, {self._parameter(value[1:-1])}, 'i')"
        tests = []
        for word in value.split("|"):
            if " " in word.strip():
                phrase = self._parameter(word.strip().lower())
                tests.append(f"contains(lower({self.filler(role)}), {phrase})")
            else:
                for form in {word.strip(), lemma_of(word.strip(), "NNS")}:
                    key = self._parameter(key_of(form))
                    tests.append(f"contains({self.filler(role, KEYS)}, {key})")
        return f"({' OR '.join(tests)})"

    def column(self, name: str) -> str:
        """Returns the SQL of a column other than roles, by its name in any case."""
        column = next((known for known in self._columns if known.lower() == name.lower()), None)
        if column is None:
            near = did_you_mean(name, self._columns)
            known = [c for c in self._columns if not c.startswith("ARG")]
            expected = f"expected one of {', '.join(known)}"
            raise ConfigurationError(f"{self._place}: found no column '{name}'{near}; {expected}")
        return f"CAST({quoted(column)} AS VARCHAR)"

    def _value(self, name: str, value: str) -> str:
        text = self.column(name)
        if (name, value, self._question.polarity) == ("tense", PAST, POLARITIES[0]):
            tests = {"voice": "voice IS NOT NULL", "happened": "coalesce(happened > 0.5, true)"}
            known = [test for column, test in tests.items() if column in self._columns]
            return f"(tense = 'past' OR ({' AND '.join(['tense IS NULL', *known])}))"
        if match := re.fullmatch(r"([<>]=?)\s*(.+)", value):
            operator, limit = match.groups()
            given = self._parameter(limit)
            number = f"TRY_CAST({given} AS DOUBLE)"
            # The start of a date is as long as the limit, so that January is not after 2026-01.
            return (
                f"CASE WHEN {number} IS NULL THEN left({text}, length({given})) {operator} {given} "
                f"ELSE TRY_CAST({text} AS DOUBLE) {operator} {number} END"
            )
        values = self._parameter(value.split("|"))
        numbers = f"list_transform({values}, lambda v: TRY_CAST(v AS DOUBLE))"
        return (
            f"(list_contains({values}, coalesce({text}, '')) "
            f"OR list_contains({numbers}, TRY_CAST({text} AS DOUBLE)))"
        )


def one_name(role: str) -> str:
    """
    Returns the one name of a role that has two.

    >>> one_name("who"), one_name("arg1"), one_name("why")
    ('ARG0', 'ARG1', 'why')
    """
    names, functions = QUESTIONS.get(role, ([role.upper()], []))
    return role if functions else names[0]


def _one_of(value: str, known: Sequence[str], name: str) -> str:
    if value not in known:
        near = did_you_mean(value, known)
        raise ConfigurationError(
            f"{name}: found '{value}'{near}; expected one of {', '.join(known)}"
        )
    return value
