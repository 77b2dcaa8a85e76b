"""The frames of a batch, from the network's scores to roles and senses."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import List, NamedTuple, Optional, Protocol, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.engine import EncodedBatch
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.label_names import (
    NO_CANDIDATE,
    LabelNames,
    particles_of,
    possible_particles,
)
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LinearChain
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import softmax
from lisa_allennlp.sentence.roles import (
    UNKNOWN,
    bio_to_spans,
    lemma_of_roleset,
    span_labels,
    without_arguments,
)
from lisa_allennlp.sentence.sentence import Frame, GivenFrame, Parse, Sentence
from lisa_allennlp.text.tokens import typed_marks

DECIMALS = 4


class RoleDecoder(Protocol):
    """Decodes the roles of frames: a `ChainDecoder`, or a model's own."""

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """The labels of frames, as `ChainDecoder.decode` returns them."""

    def chain(self) -> LinearChain:
        """The chain that gives the probabilities of the roles."""


class Sense(NamedTuple):
    lemma: str = UNKNOWN
    name: str = UNKNOWN
    probability: Optional[float] = None


@dataclass(frozen=True)
class Tokens:
    """
    B sentences of at most T tokens, with tags and trees, and the probabilities, (B, T), of the
    tags, of being a predicate, and, on request, of the arcs.
    """

    names: LabelNames
    encoded: EncodedBatch
    sources: Sequence[Sentence]
    options: LabelOptions
    pos: Sequence[List[str]]
    parses: Sequence[Optional[Parse]]
    tags: numpy.ndarray
    predicates: numpy.ndarray
    arcs: Optional[numpy.ndarray] = None

    @cached_property
    def words(self) -> List[List[str]]:
        return [typed_marks(source.words) for source in self.sources]

    def place(self, row: int, token: int) -> Place:
        """Returns a token for `features`. Without a tree, all are roots without relations."""
        words, parse = self.words[row], self.parses[row]
        parse = parse or Parse(list(range(len(words))), [""] * len(words))
        return Place(words, self.pos[row], parse, token)


@dataclass
class Frames:
    """
    F frames of sentences with at most T tokens, decoded step by step: (F,) the sentence and the
    predicate of each, and its given parts; the logits of roles, (F, T, L); the labels, (F, T), 0 at
    padding, and whether they are given; the indices of candidate rolesets, (F, C), negative for
    padding, and their scores; the senses; the probabilities of spans, as from `span_marginals`; and
    the logits and the probabilities, (F,), that the events happened.
    """

    tokens: Tokens
    sentences: numpy.ndarray
    predicates: numpy.ndarray
    given: Sequence[GivenFrame]
    logits: numpy.ndarray
    labels: numpy.ndarray
    is_given: numpy.ndarray
    candidates: numpy.ndarray
    sense_scores: numpy.ndarray
    senses: Sequence[Sense]
    span_probabilities: Optional[numpy.ndarray] = None
    factuality_logits: Optional[numpy.ndarray] = None
    happened: Optional[numpy.ndarray] = None

    @classmethod
    def begin(
        cls,
        tokens: Tokens,
        sentences: numpy.ndarray,
        predicates: numpy.ndarray,
        given: Sequence[GivenFrame],
    ) -> "Frames":
        logits = tokens.encoded.score_roles(sentences, predicates)
        factuality = tokens.encoded.factuality_logits
        return cls(
            tokens,
            sentences,
            predicates,
            given,
            logits,
            labels=numpy.zeros(logits.shape[:2], int),
            is_given=numpy.zeros(logits.shape[:2], bool),
            candidates=numpy.full((len(logits), 1), NO_CANDIDATE),
            sense_scores=numpy.zeros((len(logits), 1), logits.dtype),
            senses=[Sense()] * len(logits),
            factuality_logits=None if factuality is None else factuality[sentences, predicates],
        )

    def __len__(self) -> int:
        return len(self.logits)

    @property
    def names(self) -> LabelNames:
        return self.tokens.names

    @cached_property
    def lengths(self) -> numpy.ndarray:
        return self.tokens.encoded.lengths[self.sentences]

    @cached_property
    def places(self) -> List[Place]:
        pairs = zip(self.sentences.tolist(), self.predicates.tolist(), strict=True)
        return [self.tokens.place(*pair) for pair in pairs]

    @cached_property
    def forms(self) -> Tuple[List[str], List[str]]:
        places = self.places
        return [p.words[p.token] for p in places], [p.tags[p.token] for p in places]

    def tags(self, number: int) -> List[str]:
        labels = self.labels[number, : self.lengths[number]].tolist()
        return list(map(self.names.roles.__getitem__, labels))

    def finished(self) -> List[Tuple[int, Frame]]:
        """Each frame as it is reported, after the number of its sentence."""
        finished, with_probabilities = [], self.tokens.options.probabilities
        places = zip(self.sentences.tolist(), self.predicates.tolist(), self.senses, strict=True)
        for number, (row, predicate, sense) in enumerate(places):
            source = self.tokens.sources[row]
            place = {"words": source.words, "offsets": source.offsets, "text": source.text}
            frame = Frame(predicate, self.tags(number), sense.lemma, sense.name, **place)
            if self.happened is not None:
                frame = replace(frame, happened=round(float(self.happened[number]), DECIMALS))
            if with_probabilities and self.span_probabilities is not None:
                frame = replace(
                    frame,
                    probability=round(float(self.tokens.predicates[row, predicate]), DECIMALS),
                    sense_probability=sense.probability and round(sense.probability, DECIMALS),
                    span_probabilities=reported(
                        self.span_probabilities[number, [s.first for s in bio_to_spans(frame.tags)]]
                    ),
                )
            finished.append((row, frame))
        return finished


def constrain(frames: Frames) -> None:
    """
    Allows only paths with the given spans, each as a whole, and, unless the options say otherwise,
    one V, which begins at the predicate.
    """
    if frames.tokens.options.force_verb:
        frames.names.role_constraints.force_verb(frames.logits, frames.predicates)
    labels = numpy.full(frames.labels.shape, -1)
    for own, frame in zip(labels, frames.given, strict=True):
        for span in frame.get("spans", ()):
            own[span.first : span.last + 1] = list(map(frames.names.roles.index, span_labels(span)))
    frames.names.role_constraints.force_labels(frames.logits, labels)
    frames.is_given = labels >= 0


def score_senses(frames: Frames, temperature: float) -> None:
    """
    Scores the candidate rolesets of predicates with particles: s / temperature. With an inventory,
    which is English, some particles are only possible, and rolesets that the network does not know
    score lower than all others.
    """
    names, places = frames.names.senses, frames.places
    particles = list(map(particles_of, places, map(frames.tags, range(len(frames)))))
    possible = list(map(possible_particles, places)) if names.has_inventory else None
    frames.candidates = names.candidates(*frames.forms, particles, possible)
    trained = numpy.where(frames.candidates < len(names), frames.candidates, NO_CANDIDATE)
    indices = frames.sentences, frames.predicates, trained
    scores = frames.tokens.encoded.score_senses(*indices) / temperature
    frames.sense_scores = numpy.where(trained < 0, numpy.float32(FORBIDDEN), scores)


def choose_senses(frames: Frames) -> None:
    """
    Chooses the given roleset, or else the candidate with the highest score s, the first one between
    ties. Its probability is exp(s) / sum exp, or `None` if the network does not know it. Predicates
    without a candidate get `SenseNames.name`.
    """
    names, shares = frames.names.senses, softmax(frames.sense_scores)
    best = frames.candidates[numpy.arange(len(frames)), frames.sense_scores.argmax(1)].tolist()
    num_trained, named = len(names), [(UNKNOWN, UNKNOWN)] * len(frames)
    if num_trained:
        named = list(map(names.name, best, *frames.forms))
    senses = []
    for number, frame in enumerate(frames.given):
        lemma, sense = named[number]
        if (fixed := frame.get("sense")) is not None:
            lemma, sense = lemma_of_roleset(fixed), fixed
        share, own = None, frames.candidates[number].tolist()
        index = names.numbers.get(sense, num_trained)
        if index < num_trained and index in own:
            share = float(shares[number, own.index(index)])
        senses.append(Sense(lemma, sense, share))
    frames.senses = senses


def weigh_events(frames: Frames, temperature: float) -> None:
    if frames.factuality_logits is not None:
        # The logistic function, without overflow.
        frames.happened = (1 + numpy.tanh(frames.factuality_logits / temperature / 2)) / 2


def leave_out(frames: Frames, least: float, least_core: float) -> None:
    """Leaves out arguments below the limit for their role, with continuations; not given spans."""
    names, probabilities = frames.names, frames.span_probabilities
    assert probabilities is not None
    limits = numpy.where(names.is_core, least_core, least)
    limits[~names.begins_argument] = 0.0
    is_out = (probabilities < limits[frames.labels]) & ~frames.is_given
    for number in is_out.any(1).nonzero()[0].tolist():
        tags = without_arguments(frames.tags(number), is_out[number])
        left = numpy.array(list(map(names.roles.index, tags)))
        own = number, slice(len(tags))
        frames.labels[own] = numpy.where(frames.is_given[own], frames.labels[own], left)


def reported(probabilities: numpy.ndarray) -> List[float]:
    return probabilities.astype(float).round(DECIMALS).tolist()
