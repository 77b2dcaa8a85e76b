"""
Log-linear models of tags, predicates, rolesets and roles, which help the network to choose where
the scores of its first choices are close. Each is a stage of `Tokens` or of `Frames`, and has a
file of weights, which `experiments` fits on the English Web Treebank.
"""

from dataclasses import dataclass, replace
from typing import Dict, List, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.propbank_frames import class_of, packaged_inventory
from lisa_allennlp.decoding.features import (
    GROUPS,
    argument_heads,
    pattern_features,
    predicate_features,
    role_features,
    sense_features,
    tag_features,
)
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.label_names import SenseNames
from lisa_allennlp.decoding.log_linear import (
    LEAST,
    LogLinear,
    alternative_scores,
    log_probabilities,
)
from lisa_allennlp.decoding.sense_topics import CLASSES, PATTERN_UNIT, SenseTopics
from lisa_allennlp.decoding.tokens import Tokens
from lisa_allennlp.decoding.trees import is_token
from lisa_allennlp.decoding.well_formed import RolesOfRolesets

LARGEST_GAP = 3.0
"""Tags, predicates and roles that score higher than all others by more stay."""

LARGEST_SENSE_GAP = 4.0
"""Candidates whose scores are lower than the best one by more are not corrected."""

LARGEST_TOPIC_GAP = 6.0
"""Where the second candidate scores lower by more, arguments and patterns are not compared."""


@dataclass(frozen=True)
class TagContext:
    """
    Tags have probabilities in proportion to sqrt(p q), where p are those of the network and q those
    of the weights. This geometric mean is less sure than a product would be, since both have learnt
    from the same sentences. It needs a tree.
    """

    weights: LogLinear

    def __call__(self, tokens: Tokens) -> Tokens:
        first, second = -numpy.partition(-tokens.tags, 1)[..., :2].transpose(2, 0, 1)
        places, found = tokens.in_trees(second > first * numpy.exp(-LARGEST_GAP))
        if not places:
            return tokens
        scores = log_probabilities(self.weights.scores(list(map(tag_features, places))))
        columns = self.weights.columns.tolist()
        known = [number for number, tag in enumerate(tokens.names.pos) if tag in columns]
        others = numpy.full((len(places), tokens.tags.shape[2]), LEAST)
        others[:, known] = scores[:, [columns.index(tokens.names.pos[n]) for n in known]]
        tokens.tags[found] = _geometric_means(tokens.tags[found], others)
        return replace(tokens)


@dataclass(frozen=True)
class PredicateContext:
    """The same for the two probabilities of being a predicate or not, with the best tags."""

    weights: LogLinear

    def __call__(self, tokens: Tokens) -> Tokens:
        is_open = abs(tokens.predicates - 0.5) < 0.5 - 1 / (1 + numpy.exp(LARGEST_GAP))
        places, found = tokens.in_trees(is_open)
        if places:
            own = tokens.predicates[found]
            scores = self.weights.scores(list(map(predicate_features, places)))
            means = _geometric_means(numpy.stack([1 - own, own], axis=1), scores)
            tokens.predicates[found] = means[:, 1]
        return tokens


def _geometric_means(probabilities: numpy.ndarray, scores: numpy.ndarray) -> numpy.ndarray:
    means = numpy.sqrt(probabilities * numpy.exp(scores))
    return means / means.sum(1, keepdims=True)


@dataclass(frozen=True)
class SenseContext:
    """Adds to the scores of candidate rolesets their scores by the weights."""

    weights: LogLinear

    def __call__(self, frames: Frames) -> Frames:
        found, features = open_candidates(frames)
        if features:
            frames.sense_scores[found] += self.weights.scores(features)[:, 0]
        return frames


def open_candidates(frames: Frames) -> Tuple[Tuple[numpy.ndarray, ...], List[List[str]]]:
    """
    The candidates that compete for a frame, at least two, by the indices of the frames and those of
    the candidates in them; and the features of each.
    """
    best = frames.sense_scores.max(1, keepdims=True)
    is_open = frames.sense_scores > best - LARGEST_SENSE_GAP
    is_open &= is_open.sum(1, keepdims=True) > 1
    found = is_open.nonzero()
    shared = {
        number: sense_features(frames.places[number], frames.tags(number))
        for number in set(found[0].tolist())
    }
    features = []
    for number, index in zip(found[0].tolist(), frames.candidates[found].tolist(), strict=True):
        sense = frames.names.senses.names[index]
        features.append([f"{sense} {feature}" for feature in shared[number]])
    return found, features


class TopicContext:
    """
    Replaces the score s of a candidate roleset by the sum of its `features`, times the `factors` of
    the topics: s, where rolesets that the network does not know have the best one of the others;
    the cosines of the topics of predicate and roleset, of the heads of their objects and of those
    of all their arguments; the log-probability of the predicate's patterns and, once more, those of
    objects and clauses and those of prepositions and adverbs; whether PropBank lists no word of the
    predicate's part of speech; `is_first`; whether the roleset has a particle; and, where the
    network does not know it, the frequency of its lemma.
    """

    def __init__(self, topics: SenseTopics, names: SenseNames) -> None:
        self._topics, self._rows = topics, topics.rows_of(names.names)
        self._num_trained = len(names)
        self._has_particle = numpy.array(["_" in sense for sense in names.names], bool)

    def __call__(self, frames: Frames) -> Frames:
        scores = self.features(frames) @ self._topics.factors
        scores = numpy.where(frames.candidates < 0, frames.sense_scores, scores)
        return replace(frames, sense_scores=scores)

    def features(self, frames: Frames) -> numpy.ndarray:
        """(F, C, 11), what the factors are multiplied with."""
        tokens, found = frames.tokens, frames.candidates
        is_trained = (found >= 0) & (found < self._num_trained)
        best = numpy.where(is_trained, frames.sense_scores, -numpy.inf).max(1, keepdims=True)
        scores = numpy.where(
            is_trained, frames.sense_scores, numpy.where(best > -numpy.inf, best, 0)
        )
        words = [source.words for source in tokens.sources]
        topics = self._topics.at(self._rows[found])
        around = topics.around(words, tokens.pos, frames.sentences, frames.predicates)
        classes = [CLASSES.index(class_of(place.tag())) for place in frames.places]
        columns = numpy.zeros((*found.shape, 11), numpy.float32)
        columns[..., 0] = scores
        columns[..., 1] = (topics.sense_vectors @ around[..., None])[..., 0]
        # Where one candidate leads by far, what takes time would not change the choice.
        is_close = (found >= 0) & (scores > scores.max(1, keepdims=True) - LARGEST_TOPIC_GAP)
        is_open = is_close.sum(1) > 1
        if is_open.any():
            columns[is_open, :, 2:7] = self._of_arguments(frames, topics, is_open)
        columns[..., 7] = ~topics.classes[numpy.arange(len(found)), :, classes]
        columns[..., 8] = topics.is_first
        columns[..., 9] = self._has_particle[found]
        columns[..., 10] = topics.frequencies * ~is_trained
        return columns

    @staticmethod
    def _of_arguments(frames: Frames, topics: SenseTopics, is_open: numpy.ndarray) -> numpy.ndarray:
        """(O, C, 5), the cosines of the arguments and the patterns, by `GROUPS`, of O frames."""
        numbers = numpy.flatnonzero(is_open).tolist()
        places = [frames.places[number] for number in numbers]
        heads = map(topics.of_words, zip(*map(argument_heads, places), strict=True))
        cosines = [
            table[is_open] @ own[..., None]
            for table, own in zip((topics.objects, topics.arguments), heads, strict=True)
        ]
        present = numpy.zeros((len(numbers), *GROUPS.shape), numpy.float32)
        for row, number in enumerate(numbers):
            own = pattern_features(places[row], frames.tags(number))
            present[row, :, own] = GROUPS[:, own].T
        patterns = topics.patterns[is_open] @ present.transpose(0, 2, 1) / PATTERN_UNIT
        return numpy.concatenate([*cosines, patterns], axis=2)


class RoleContext:
    """
    Adds to the logit of the label that begins a span, for each role r, log P(r) - log P(own role),
    where P are the probabilities of roles by the weights, and for roles that the roleset lacks 0.
    Given labels and frames without a tree stay as they are.
    """

    def __init__(self, weights: LogLinear, rolesets: RolesOfRolesets) -> None:
        self._weights, self._rolesets = weights, rolesets
        columns, labels = weights.columns.tolist(), rolesets.labels
        self._roles = [name for name in columns if name.startswith("ARG") and f"B-{name}" in labels]
        self._columns: Dict[str, int] = {name: number for number, name in enumerate(columns)}
        self._begins = numpy.array([labels.index(f"B-{role}") for role in self._roles], int)
        self._role_of_label = numpy.full(len(labels), -1)
        self._role_of_label[self._begins] = numpy.arange(len(self._roles))
        self._of_rolesets: Dict[str, Tuple[numpy.ndarray, numpy.ndarray]] = {}

    def __call__(self, frames: Frames) -> Frames:
        has_tree = [frames.tokens.parses[row] is not None for row in frames.sentences.tolist()]
        is_open = is_token(frames.labels.shape[1], frames.lengths * has_tree) & ~frames.is_given
        roles = numpy.where(is_open, self._role_of_label[frames.labels], -1)
        numbers, firsts = (roles >= 0).nonzero()
        scores = frames.logits[numbers[:, None], firsts[:, None], self._begins]
        own = numpy.arange(len(numbers)), roles[numbers, firsts]
        gaps = scores[own]
        scores[own] = -numpy.inf
        is_close = gaps - scores.max(1, initial=-numpy.inf) < LARGEST_GAP
        numbers, firsts = numbers[is_close], firsts[is_close]
        if not len(numbers):
            return frames
        constraints = frames.names.role_constraints
        lasts = constraints.span_ends(frames.labels, frames.lengths)[numbers, firsts]
        senses = [frames.senses[number].name for number in numbers.tolist()]
        spans = zip(numbers.tolist(), senses, firsts.tolist(), lasts.tolist(), strict=True)
        features = [role_features(frames.places[number], *span) for number, *span in spans]
        places, is_lacking = self.alternatives(senses)
        scores = alternative_scores(self._weights.scores(features), places)
        corrections = log_probabilities(numpy.where(is_lacking, -numpy.inf, scores))
        own = numpy.arange(len(numbers)), roles[numbers, firsts]
        corrections -= corrections[own][:, None]
        frames.logits[numbers[:, None], firsts[:, None], self._begins] += corrections
        # Where no other role gains, the best labels stay the best.
        is_stale = frames.is_stale.copy()
        is_stale[numbers[(corrections > 0).any(1)]] = True
        return replace(frames, is_stale=is_stale)

    def alternatives(self, senses: Sequence[str]) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """
        The roles that compete for each of S spans: (S, R, 2), the places of the scores of a role
        and of its function, for `alternative_scores`; and (S, R), whether the roleset lacks it.
        """
        columns, is_lacking = map(numpy.stack, zip(*map(self._of_roleset, senses), strict=True))
        starts = len(self._columns) * numpy.arange(len(senses))[:, None, None]
        return numpy.where(columns < 0, -1, starts + columns), is_lacking

    def _of_roleset(self, sense: str) -> Tuple[numpy.ndarray, numpy.ndarray]:
        if sense not in self._of_rolesets:
            roleset = packaged_inventory().roleset(sense)
            functions = {} if roleset is None else roleset.functions
            columns = [
                (self._columns[role], self._columns.get(functions.get(role, ""), -1))
                for role in self._roles
            ]
            is_lacking = self._rolesets.lacking(sense)[self._begins]
            self._of_rolesets[sense] = numpy.array(columns), is_lacking
        return self._of_rolesets[sense]
