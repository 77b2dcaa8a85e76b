"""
A question by example: an English sentence with words in capitals where something is asked.

The sentence is labelled with words in their place that models know well (`somebody`, `because of
something`), and its main event says what to find. Other words count by the head of the role that
they fill, so `The customers` asks for customers.
"""

import re
from dataclasses import replace
from typing import Any, Callable, Dict, List, Mapping, NamedTuple

from lisa_allennlp.apps.find.question import ANYTHING, FILLED, PAST, Question
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.english.events.finding import find_events
from lisa_allennlp.sentence.event import ASKED, ASSERTED, ATTRIBUTED, DENIED, WANTED, Event
from lisa_allennlp.sentence.roles import UNKNOWN, lemma_of_roleset
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.propbank_frames import packaged_inventory

_SURE = 0.5

_STATED = {
    "WHO": "somebody",
    "WHOM": "somebody",
    "WHAT": "something",
    "WHERE": "somewhere",
    "WHEN": "sometime",
    "HOW": "somehow",
    "WHY": "because of something",
}

_AFTER_PREPOSITIONS = {**_STATED, "WHERE": "that place", "WHEN": "that year"}
"""The same after one of the `PREPOSITIONS`: nobody dies `in sometime`."""

PREPOSITIONS = frozenset(
    "about after around as at before behind between by during for from in inside into near of off "
    "on onto out outside over past since through till to toward towards under until within".split()
)

_ANYTHING = frozenset(
    ("somebody", "someone", "something", "nobody", "no one", "nothing", "much", "many")
)
"""Lemmas that match anything; `nobody` and the like have negated the event already."""

_BY_WORD = {"WHERE": "where", "WHEN": "when", "HOW": "how", "WHY": "why"}

_LEFT_OUT = ("ARGM-DIS", "ARGM-LVB", "ARGM-MOD", "ARGM-NEG", "ARGM-PRR", "ARGM-CXN")
"""Roles whose words ask for nothing; negation is the event's."""

_FRONTED = re.compile(
    rf"({'|'.join(_STATED)})\s+(did|do|does)\s+(?!not\b)(.*?)[\s?]*$", re.IGNORECASE
)

_INVERTED = re.compile(
    r"(?:whom|what|where|when|why|how)\s+"
    r"(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)\b",
    re.IGNORECASE,
)
"""The beginning of a question in the order of questions; `who will buy WHAT` has the usual one."""


class _Slot(NamedTuple):
    """A word that asks; the last word in its place in `stated` begins at `start`."""

    word: str
    start: int


def understand(text: str, labeller: Callable[..., Sentence]) -> Question:
    """
    Makes a question of an example, such as `Customers return WHAT`, `Why did WHO return shoes?` or
    `Apple did not sue SOMEBODY`. `labeller` is what `lisa_allennlp.load` returns. If it gives the
    verb an improbable roleset, the question asks for all rolesets of the verb, this one first.

    # Raises

    `ConfigurationError`
        If the model finds no event in it, or no role for a word that asks.
    """
    example = Example.read(text)
    return example.question(labeller(example.stated, probabilities=True))


class Example(NamedTuple):
    """A sentence to label, `stated`, with other words in the places (`slots`) of words that ask."""

    stated: str
    slots: List[_Slot]

    @classmethod
    def read(cls, text: str) -> "Example":
        text = " ".join(text.split())
        fronted = _FRONTED.match(text)
        if fronted:
            # `Did customers return WHAT`: models find what follows its verb more easily.
            text = f"{fronted[2].capitalize()} {fronted[3]} {fronted[1].upper()}"
        is_question = text.endswith("?") or _INVERTED.match(text) is not None
        asks = is_question or fronted is not None
        asking = "|".join(_STATED)
        # Without a word in capitals, those that can be no relative pronoun ask.
        is_small = re.search(rf"\b(?:{asking})\b", text) is None
        flags = re.IGNORECASE if asks or is_small else 0
        stated, slots, end = "", [], 0
        inside = rf"^(?:{asking})\b|\b(?:{asking})$|\bWHAT" if is_small else asking
        words = rf"\b(?:{asking if asks else inside}|SOMEBODY|SOMETHING)\b"
        for match in re.finditer(words, text, flags):
            stated += text[end : match.start()]
            word, end = match[0].upper(), match.end()
            before = stated.lower().split()
            is_after = before != [] and before[-1] in PREPOSITIONS
            words_stated = _AFTER_PREPOSITIONS if is_after else _STATED
            # The word at the beginning of a question stays, and what may be a relative pronoun.
            is_kept = is_question and not (stated and match[0].isupper())
            shown = word.lower() if is_kept else words_stated.get(word, word.lower())
            shown = shown if stated else shown.capitalize()
            if word in _STATED:
                slots.append(_Slot(word, len(stated) + shown.rfind(" ") + 1))
            stated += shown
        stated += text[end:]
        if stated[-1:].isalnum():
            stated += "?" if asks else "."
        return cls(stated, slots)

    def question(self, sentence: Sentence) -> Question:
        events = find_events(sentence)
        if not events:
            raise ConfigurationError(
                f"question: found no event in '{self.stated}'; expected a sentence such as "
                "'Customers return WHAT'"
            )
        assert sentence.offsets is not None and sentence.parse is not None
        places = {start: token for token, (start, _) in enumerate(sentence.offsets)}
        asking = {places[slot.start]: slot.word for slot in self.slots if slot.start in places}
        heads = sentence.parse.head_indices
        event = max(
            events,
            key=lambda e: (
                len(asking.keys() & {filler.head for filler in e.fillers}),
                heads[e.predicate] == e.predicate,
            ),
        )
        # `Return WHAT` is no command.
        question = _question_of(event, asking, sentence.words[0] == event.text)
        if event.sense == UNKNOWN:
            return replace(question, senses=[], lemmas=[event.name])
        frames = {frame.predicate: frame for frame in sentence.frames or []}
        probability, senses = frames[event.predicate].sense_probability, [event.sense]
        if probability is not None and probability < _SURE:
            senses += packaged_inventory().of_word(lemma_of_roleset(event.sense), "v")
        return replace(question, senses=list(dict.fromkeys(senses)))


_PLAIN = (ASSERTED, ATTRIBUTED, ASKED, DENIED)


def _question_of(event: Event, tokens: Mapping[int, str], is_first: bool) -> Question:
    roles: Dict[str, str] = {}
    asked: List[str] = []
    waiting = dict(tokens)
    for filler in event.fillers:
        inside = [token for token in waiting if filler.first <= token <= filler.last]
        role = filler.role
        for token in inside:
            is_cause = waiting.pop(token) == "WHY" and filler.head == token
            role = "why" if is_cause else role
            asked.append(role)
        if any(token == filler.head for token in inside):
            roles[role] = FILLED
        elif role not in _LEFT_OUT:
            # In `How many people died?`, the role of people is asked.
            words = [head for head in filler.heads if head.lower() not in _ANYTHING]
            roles[role] = "|".join(words) or (FILLED if inside else ANYTHING)
    for word in waiting.values():
        if word not in _BY_WORD:
            found = f"no role of {event.sense} that {word} fills"
            expected = "the order of a statement, as in 'Customers returned WHAT'"
            raise ConfigurationError(f"question: found {found}; expected {expected}")
        asked.append(_BY_WORD[word])
    polarity: Any = "negated" if event.negated or event.factuality == DENIED else "affirmed"
    is_plain = event.factuality in _PLAIN or (is_first and event.factuality == WANTED)
    return Question(
        [event.sense],
        roles=roles,
        asked=list(dict.fromkeys(asked)),
        polarity=polarity,
        factuality=() if is_plain else (event.factuality,),
        where={"tense": PAST} if is_plain and event.tense == "past" else {},
    )
