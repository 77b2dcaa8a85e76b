"""The options of labelling, and the lessons that one of them names."""

from dataclasses import dataclass
from typing import FrozenSet, List, NamedTuple, Optional, Protocol, Sequence

import numpy

from lisa_allennlp.decoding.features import Place
from lisa_allennlp.sentence.sentence import Sentence

NO_ROLE = "O"


class Choice(NamedTuple):
    """
    A choice between A rolesets of a predicate, or between the roles of its span from `first` to
    `last`, `NO_ROLE` among them: the number of the frame; the sentence and the predicate; the names
    of the alternatives; (A,) their columns in the scores of the frame; (A,) their scores by the
    model; A lists of features; and the lemmas of the rolesets, with which all features begin.
    """

    frame: int
    sentence: Sentence
    predicate: Place
    first: int
    last: int
    names: List[str]
    columns: numpy.ndarray
    scores: numpy.ndarray
    features: List[List[str]]
    lemmas: FrozenSet[str]

    @property
    def is_role(self) -> bool:
        return NO_ROLE in self.names


class Lesson(Protocol):
    """What corrections teach about the choices in a sentence."""

    def knows(self, lemma: str) -> bool:
        """Whether to ask about a lemma."""

    def scores(self, choices: Sequence[Choice]) -> List[numpy.ndarray]:
        """The numbers to add to the scores of each choice's alternatives."""


@dataclass(frozen=True)
class LabelOptions:
    """
    How sentences are labelled, and what is reported of them. `Labeller`, `LisaLabeller` and
    `SupertagLabeller` describe the options; the limit of `min_probability` is by default that of
    the model's `Confidence`. With `force_verb`, each frame has one V, which begins at its
    predicate. If not, V is predicted as other roles are, as by the authors' code.
    """

    parse_decoder: str = "mst"
    details: bool = False
    probabilities: bool = False
    min_probability: Optional[float] = None
    force_verb: bool = True
    auxiliaries: bool = True
    beta: Optional[float] = None
    adaptation: Optional[Lesson] = None
