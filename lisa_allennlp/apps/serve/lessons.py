"""What people correct in a corpus counts at once for its other sentences."""

import threading
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Sequence

from lisa_allennlp.decoding.adaptation import (
    NOTHING,
    Adaptation,
    Example,
    examples_of,
    fit_adaptation,
    groups,
    lemmas_of,
)
from lisa_allennlp.decoding.log_linear import keys_of
from lisa_allennlp.decoding.options import Lesson
from lisa_allennlp.formats.corrections import annotated_whole
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.sentence import Sentence

MOST_SHOWN = 500


class Lessons:
    """
    Fits an adaptation again whenever a person accepts a sentence of the corpus, or takes this back.
    `readings` are the corrected sentences, by position. Several threads may use it.
    """

    def __init__(self, labeller: Labeller, readings: Mapping[int, Sentence]) -> None:
        self.is_used = True
        self._labeller = labeller
        self._lock = threading.Lock()
        self._examples: Dict[int, List[Example]] = {}
        start = labeller.options.adaptation
        self.start = start if isinstance(start, Adaptation) else None
        self._fitted = self.start or NOTHING
        self._note(readings)
        self._fit([example for own in self._examples.values() for example in own])

    def learn(self, index: int, reading: Optional[Sentence]) -> FrozenSet[str]:
        """Learns a sentence's saved reading, or forgets it. Returns the lemmas that changed."""
        with self._lock:
            before = self._examples.pop(index, None)
            if reading is not None:
                self._note({index: reading})
            if before is None and index not in self._examples:
                return frozenset()
            return self._fit([*(before or ()), *self._examples.get(index, ())])

    @property
    def present(self) -> Optional[Lesson]:
        """The lesson in use: the labeller's own if the corpus's is off."""
        return self._fitted if self.is_used and self._examples else self.start

    @property
    def lemmas(self) -> FrozenSet[str]:
        return self._fitted.lemmas

    def teachers(self, lemmas: FrozenSet[str]) -> List[int]:
        """Returns the sentences that taught something about lemmas: corrected ones, if any."""
        with self._lock:
            found = [
                (i, e.is_new)
                for i, own in self._examples.items()
                for e in own
                if e.choice.lemmas & lemmas
            ]
        return sorted({i for i, is_new in found if is_new} or {i for i, _ in found})

    def describe(self) -> Dict[str, Any]:
        """Describes the lesson: its sentences, whether it is in use, and changed choices."""
        with self._lock:
            pairs = [(i, e) for i, own in self._examples.items() for e in own if e.is_new]
            number = len(self._examples)
        moved = [{"number": index + 1, **_described(own)} for index, own in pairs[-MOST_SHOWN:]]
        return {"sentences": number, "used": self.is_used, "moved": moved}

    def _note(self, readings: Mapping[int, Sentence]) -> None:
        wholes = {index: annotated_whole(reading) for index, reading in readings.items()}
        known = {index: whole for index, whole in wholes.items() if whole.frames is not None}
        self._examples.update({index: [] for index in known})
        numbers = {id(whole): index for index, whole in known.items()}
        for own in examples_of(self._labeller.label, [*known.values()], self._labeller.options):
            self._examples[numbers[id(own.choice.sentence)]].append(own)

    def _fit(self, changed: Sequence[Example]) -> FrozenSet[str]:
        """
        Fits the lemmas in changed examples and the lemmas that share examples with them, and
        returns these. The others have other features, so their weights stay optimal.
        """
        lemmas, own = lemmas_of(changed), []
        for group in groups([e for examples in self._examples.values() for e in examples]):
            if not lemmas.isdisjoint(lemmas_of(group)):
                own += group
        lemmas |= lemmas_of(own)
        features = {f for e in [*own, *changed] for row in e.choice.features for f in row}
        start = self.start or NOTHING
        weights = self._fitted.weights.with_weights_of(start.weights, keys_of(features))
        before = Adaptation(weights, (self._fitted.lemmas - lemmas) | start.lemmas, start.sentences)
        self._fitted = fit_adaptation(own, len(self._examples), before)
        return lemmas


def _described(example: Example) -> Dict[str, str]:
    choice = example.choice
    words = choice.sentence.words
    span = words[choice.first : choice.last + 1]
    return {
        "predicate": words[choice.predicate.token],
        "words": " ".join(span) if choice.is_role else "",
        "before": choice.names[int(choice.scores.argmax())],
        "after": choice.names[example.right],
    }
