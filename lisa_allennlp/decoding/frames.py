"""
The frames of a batch, from the network's scores to roles and senses. Each stage on this way is a
function from frames to frames; `Decoder` lists those of a model.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import (
    Callable,
    FrozenSet,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import numpy

from lisa_allennlp.data.formats.roles import (
    UNKNOWN,
    bio_to_spans,
    span_labels,
    split_roleset,
    without_arguments,
)
from lisa_allennlp.data.sentence import Frame, GivenFrame
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.label_names import (
    NO_CANDIDATE,
    LabelNames,
    particles_of,
    possible_particles,
)
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LinearChain, span_marginals
from lisa_allennlp.decoding.tokens import Tokens
from lisa_allennlp.decoding.trees import softmax

_SUBJECTS_AND_OBJECTS = ("nsubj", "nsubj:pass", "nsubjpass", "obj", "dobj")
"""Of Universal and of Stanford Dependencies."""

DECIMALS = 4
"""Those of reported probabilities."""


class RoleDecoder(Protocol):
    """Decodes the roles of frames: a `ChainDecoder`, or a model's own."""

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """The labels of frames, as `ChainDecoder.decode` returns them."""

    def chain(self) -> LinearChain:
        """The chain that gives the probabilities of the roles."""


class Sense(NamedTuple):
    """The lemma and the roleset of a predicate, and its probability."""

    lemma: str = UNKNOWN
    name: str = UNKNOWN
    probability: Optional[float] = None


@dataclass(frozen=True)
class Frames:
    """
    F frames of sentences with at most T tokens: (F,) the sentence of each and the position of its
    predicate there, and what is given of it; the logits of roles, (F, T, L), which take hundreds of
    megabytes for long sentences, so that stages write into them; the present labels, (F, T), 0 at
    padding, and whether they are given; whether logits have changed since then, (F,); the indices
    of candidate rolesets, (F, C), negative for padding, and their scores; the present senses; and
    the probabilities of spans, as `span_marginals` returns them.
    """

    tokens: Tokens
    sentences: numpy.ndarray
    predicates: numpy.ndarray
    given: Sequence[GivenFrame]
    logits: numpy.ndarray
    labels: numpy.ndarray
    is_given: numpy.ndarray
    is_stale: numpy.ndarray
    candidates: numpy.ndarray
    sense_scores: numpy.ndarray
    senses: Sequence[Sense]
    span_probabilities: Optional[numpy.ndarray] = None

    @classmethod
    def begin(
        cls,
        tokens: Tokens,
        sentences: numpy.ndarray,
        predicates: numpy.ndarray,
        given: Sequence[GivenFrame],
    ) -> "Frames":
        """The frames of predicates, of which nothing is decoded."""
        logits = tokens.encoded.score_roles(sentences, predicates)
        return cls(
            tokens,
            sentences,
            predicates,
            given,
            logits,
            labels=numpy.zeros(logits.shape[:2], int),
            is_given=numpy.zeros(logits.shape[:2], bool),
            is_stale=numpy.ones(len(logits), bool),
            candidates=numpy.full((len(logits), 1), NO_CANDIDATE),
            sense_scores=numpy.zeros((len(logits), 1), logits.dtype),
            senses=[Sense()] * len(logits),
        )

    def __len__(self) -> int:
        return len(self.logits)

    @property
    def names(self) -> LabelNames:
        return self.tokens.names

    @cached_property
    def lengths(self) -> numpy.ndarray:
        """(F,), the number of tokens of each frame's sentence."""
        return self.tokens.encoded.lengths[self.sentences]

    @cached_property
    def places(self) -> List[Place]:
        """The predicates, for `features`."""
        pairs = zip(self.sentences.tolist(), self.predicates.tolist(), strict=True)
        return [self.tokens.place(*pair) for pair in pairs]

    @cached_property
    def tags(self) -> List[List[str]]:
        rows = numpy.array(self.names.roles, object)[self.labels].tolist()
        return [row[:length] for row, length in zip(rows, self.lengths.tolist(), strict=True)]

    def particles(self, number: int) -> FrozenSet[str]:
        """The words that may be particles of a predicate."""
        place = self.places[number]
        return particles_of(place.words, place.token, self.tags[number], place.parse)

    def finished(self) -> Iterator[Tuple[int, Frame]]:
        """Each frame as it is reported, after the number of its sentence."""
        with_probabilities = self.tokens.options.probabilities
        places = zip(self.sentences.tolist(), self.predicates.tolist(), self.senses, strict=True)
        for number, (row, predicate, sense) in enumerate(places):
            source = self.tokens.sources[row]
            place = {"words": source.words, "offsets": source.offsets, "text": source.text}
            frame = Frame(predicate, self.tags[number], sense.lemma, sense.name, **place)
            if with_probabilities and self.span_probabilities is not None:
                frame = replace(
                    frame,
                    probability=round(float(self.tokens.predicates[row, predicate]), DECIMALS),
                    sense_probability=sense.probability and round(sense.probability, DECIMALS),
                    span_probabilities=reported(
                        self.span_probabilities[number, [s.first for s in bio_to_spans(frame.tags)]]
                    ),
                )
            yield row, frame


FrameStage = Callable[[Frames], Frames]


def force_verbs(frames: Frames) -> Frames:
    """Allows only paths in which each frame has one V, which begins at its predicate."""
    if frames.tokens.options.force_verb:
        frames.names.role_constraints.force_verb(frames.logits, frames.predicates)
    return frames


def force_given(frames: Frames) -> Frames:
    """Allows only paths that have the given spans, each as a whole."""
    labels = numpy.full(frames.labels.shape, -1)
    for own, frame in zip(labels, frames.given, strict=True):
        for span in frame.get("spans", ()):
            own[span.first : span.last + 1] = list(map(frames.names.roles.index, span_labels(span)))
    frames.names.role_constraints.force_labels(frames.logits, labels)
    return replace(frames, is_given=labels >= 0)


def decode(frames: Frames, decoder: RoleDecoder) -> Frames:
    """Finds the best labels of frames whose logits have changed."""
    stale = slice(None) if frames.is_stale.all() else frames.is_stale
    labels = frames.labels.copy()
    labels[stale] = decoder.decode(frames.logits[stale], frames.lengths[stale])
    return replace(frames, labels=labels, is_stale=numpy.zeros_like(frames.is_stale))


def score_senses(frames: Frames, temperature: float) -> Frames:
    """
    Scores the rolesets that a predicate with its particles may have: s / temperature. With an
    inventory, which is English, some particles are only possible.
    """
    words = [place.words[place.token] for place in frames.places]
    tags = [place.tag() for place in frames.places]
    particles = list(map(frames.particles, range(len(frames))))
    names = frames.names.senses
    possible = list(map(possible_particles, frames.places)) if names.has_inventory else None
    candidates = names.candidates(words, tags, particles, possible)
    trained = numpy.where(candidates < len(names), candidates, NO_CANDIDATE)
    indices = frames.sentences, frames.predicates, trained
    scores = frames.tokens.encoded.score_senses(*indices) / temperature
    scores = numpy.where(trained < 0, numpy.float32(FORBIDDEN), scores)
    return replace(frames, candidates=candidates, sense_scores=scores)


def choose_senses(frames: Frames) -> Frames:
    """
    Chooses the roleset with the highest score s, whose probability is exp(s) / sum exp. Predicates
    without a candidate have what `SenseNames.name` says.
    """
    best = numpy.arange(len(frames)), frames.sense_scores.argmax(1)
    chosen = frames.candidates[best].tolist()
    shares = softmax(frames.sense_scores)[best].tolist()
    senses = []
    for number, (place, sense) in enumerate(zip(frames.places, chosen, strict=True)):
        own = place.words[place.token], place.tag()
        if sense != NO_CANDIDATE:
            senses.append(Sense(*frames.names.senses.name(sense, *own), shares[number]))
        else:
            senses.append(Sense(*frames.names.senses.name(sense, *own)))
    return replace(frames, senses=senses)


def keep_given_senses(frames: Frames) -> Frames:
    """Given rolesets replace others. One that is no candidate has no probability."""
    senses, shares = list(frames.senses), softmax(frames.sense_scores)
    for number, frame in enumerate(frames.given):
        sense = frame.get("sense")
        if sense is not None:
            own = frames.candidates[number].tolist()
            index = frames.names.senses.numbers.get(sense)
            share = float(shares[number, own.index(index)]) if index in own else None
            senses[number] = Sense(split_roleset(UNKNOWN, sense)[0], sense, share)
    return replace(frames, senses=senses)


def weigh_spans(frames: Frames, decoder: RoleDecoder, confidence: Confidence) -> Frames:
    """Computes the probabilities of spans if they are reported, or if arguments may go."""
    options = frames.tokens.options
    if not options.probabilities and not any(confidence.limits(options.min_probability)):
        return frames
    spans = span_marginals(
        frames.logits,
        frames.labels,
        frames.lengths,
        decoder.chain(),
        frames.names.role_constraints.continuing,
        confidence.role_temperature,
    )
    return replace(frames, span_probabilities=spans)


def leave_out(frames: Frames, confidence: Confidence) -> Frames:
    """
    Leaves out arguments that are less probable than the limit for their role. With an argument go
    its continuations. What is given stays. With a lexicon, so do core roles of what the tree has as
    a subject or direct object, unless the options have a limit: its extent is improbable, not that
    it is one.
    """
    if frames.span_probabilities is None:
        return frames
    least, least_core = confidence.limits(frames.tokens.options.min_probability)
    limits = numpy.where(frames.names.is_core, least_core, least)
    limits[~frames.names.begins_argument] = 0.0
    is_out = (frames.span_probabilities < limits[frames.labels]) & ~frames.is_given
    if frames.names.lexicon is not None and frames.tokens.options.min_probability is None:
        is_out &= ~_are_subjects_or_objects(frames, is_out)
    labels = frames.labels.copy()
    for number in is_out.any(1).nonzero()[0].tolist():
        tags = without_arguments(frames.tags[number], is_out[number])
        left = numpy.array(list(map(frames.names.roles.index, tags)))
        own = number, slice(len(tags))
        labels[own] = numpy.where(frames.is_given[own], labels[own], left)
    return replace(frames, labels=labels)


def _are_subjects_or_objects(frames: Frames, is_open: numpy.ndarray) -> numpy.ndarray:
    """
    (F, T) bool: the open beginnings of core arguments that the tree has as subjects or objects of
    the predicate.
    """
    found = numpy.zeros_like(is_open)
    ends = frames.names.role_constraints.span_ends(frames.labels, frames.lengths)
    for number, first in numpy.argwhere(is_open & frames.names.is_core[frames.labels]).tolist():
        place = frames.places[number]
        head = place.parse.span_head(first, int(ends[number, first]))
        relation = place.parse.head_tags[head]
        is_own = place.parse.head_indices[head] == place.token
        found[number, first] = is_own and relation in _SUBJECTS_AND_OBJECTS
    return found


def reported(probabilities: numpy.ndarray) -> List[float]:
    return probabilities.astype(float).round(DECIMALS).tolist()
