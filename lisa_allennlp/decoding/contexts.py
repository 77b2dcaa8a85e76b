"""
Log-linear models of arcs, tags, predicates, rolesets and roles, which help the network to choose
where the scores of its first choices are close. Each is a stage of `Tokens` or of `Frames`, and has
a file of weights, which `experiments` fits on the English Web Treebank.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.propbank_frames import class_of, packaged_inventory
from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.features import (
    GROUPS,
    Place,
    arc_features,
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
from lisa_allennlp.decoding.trees import (
    decode_head_tags,
    decode_heads,
    is_token,
    log_softmax,
    with_root_label,
)
from lisa_allennlp.decoding.well_formed import RolesOfRolesets

LARGEST_GAP = 3.0
"""Tags, predicates and roles that score higher than all others by more stay."""

LARGEST_ARC_GAP = 1.5
"""Heads, and labels of an arc, that score lower than the best one by more are not considered."""

MOST_HEADS, MOST_LABELS = 4, 2
"""That are considered of a token, and of an arc."""

WITHOUT_COMPETING = 20.0
"""Other arcs of a token in which arcs compete cost so much."""

ROUNDS = 2
"""How often a tree is decoded again, each time with the features of the last one."""

LEAST_OF_ARC = -2.5
"""The least log q of `TreeContext`: the weights may be wrong about arcs that they do not know."""

LARGEST_SENSE_GAP = 4.0
"""Candidates whose scores are lower than the best one by more are not corrected."""

LARGEST_TOPIC_GAP = 6.0
"""Where the second candidate scores lower by more, arguments and patterns are not compared."""


class Arcs(NamedTuple):
    """
    N labelled arcs that compete for tokens, at least two for each: (N,) the sentences, the tokens,
    in their order, the heads and the labels, and the network's log-probabilities.
    """

    sentences: numpy.ndarray
    tokens: numpy.ndarray
    heads: numpy.ndarray
    labels: numpy.ndarray
    scores: numpy.ndarray

    def of(self, is_chosen: numpy.ndarray) -> "Arcs":
        return Arcs(*(column[is_chosen] for column in self))

    @property
    def starts(self) -> numpy.ndarray:
        """The first arc of each token."""
        return numpy.flatnonzero(
            numpy.diff(self.sentences, prepend=-1) | numpy.diff(self.tokens, prepend=-1)
        )

    def of_tokens(self, tokens: Tokens) -> Iterator[Tuple[Place, List[Tuple[int, str]]]]:
        names, starts = tokens.names.head_tags, self.starts.tolist()
        sentences, own, heads, labels = (column.tolist() for column in self[:4])
        arcs = [(head, names[label]) for head, label in zip(heads, labels, strict=True)]
        for first, last in itertools.pairwise([*starts, len(own)]):
            yield tokens.place(sentences[first], own[first]), arcs[first:last]


def competing_arcs(tokens: Tokens, largest_gap: float, temperature: float = 1.0) -> Arcs:
    """
    The arcs of tokens without a given head whose scores are close to those of the best ones. The
    temperature divides the scores in their log-probabilities.
    """
    encoded, logits = tokens.encoded, tokens.head_tag_logits
    assert encoded.arc_scores is not None and logits is not None
    within, decoded = is_token(logits.shape[1], encoded.lengths), tokens.heads
    scores = numpy.where(within[:, None], encoded.arc_scores, -numpy.inf)
    is_root = decoded == numpy.arange(within.shape[1])
    of_decoded = with_root_label(logits, is_root, tokens.root_label)
    is_open = (_gap(scores) < largest_gap) | (_gap(of_decoded) < largest_gap)
    is_open |= decoded != scores.argmax(-1)
    is_open &= within if encoded.head_indices is None else within & (encoded.head_indices < 0)
    places = is_open.nonzero()
    scores = scores[places]
    ranked = (-scores).argsort(1, kind="stable")[:, :MOST_HEADS]
    decoded = decoded[places][:, None]
    heads = numpy.append(decoded, ranked, axis=1)
    is_near = numpy.take_along_axis(scores, heads, 1) > scores.max(1, keepdims=True) - largest_gap
    is_near[:, 1:] &= ranked != decoded
    is_near[:, 0] = True
    of_arcs = [logits[places]]
    for column in range(1, heads.shape[1]):
        wanted = numpy.full(within.shape, -1)
        wanted[places] = numpy.where(is_near[:, column], heads[:, column], -1)
        is_any = is_near[:, column].any()
        of_arcs.append(encoded.score_head_tags(wanted)[places] if is_any else of_arcs[0])
    of_labels = numpy.stack(of_arcs, axis=1)
    of_labels = with_root_label(of_labels, heads == places[1][:, None], tokens.root_label)
    labels = (-of_labels).argsort(2, kind="stable")[..., :MOST_LABELS]
    best = numpy.take_along_axis(of_labels, labels, 2)
    is_near = is_near[..., None] & (best > best[..., :1] - largest_gap)
    is_near &= (is_near.sum((1, 2)) > 1)[:, None, None]
    found = is_near.nonzero()
    own = log_softmax(scores / temperature)[found[0], heads[found[:2]]]
    own += numpy.take_along_axis(log_softmax(of_labels / temperature), labels, 2)[found]
    return Arcs(places[0][found[0]], places[1][found[0]], heads[found[:2]], labels[found], own)


def _gap(scores: numpy.ndarray) -> numpy.ndarray:
    """By how much the best score of the last axis is above the second one."""
    if scores.shape[-1] < 2:
        return numpy.full(scores.shape[:-1], numpy.inf)
    second, best = numpy.moveaxis(numpy.partition(scores, -2)[..., -2:], -1, 0)
    return numpy.where(second > -numpy.inf, best - second, numpy.inf)


@dataclass(frozen=True)
class TreeContext:
    """
    Decodes trees again in which labelled arcs compete. They have the scores log p + log(q) / 2,
    where p are the probabilities of the network at a temperature, and q those of the weights among
    the arcs of the token that compete, or `LEAST_OF_ARC`. These arcs have as much probability as
    before.
    """

    weights: LogLinear
    temperature: float

    def __call__(self, tokens: Tokens) -> Tokens:
        if tokens.head_tag_logits is None:
            return tokens
        arcs = competing_arcs(tokens, LARGEST_ARC_GAP, self.temperature)
        for _ in range(ROUNDS):
            if not len(arcs.tokens):
                break
            parses = list(tokens.parses)
            changed = []
            for sentence, parse in self._decode(tokens, arcs):
                if parse != parses[sentence]:
                    parses[sentence] = parse
                    changed.append(sentence)
            tokens = replace(tokens, parses=parses)
            arcs = arcs.of(numpy.isin(arcs.sentences, changed))
        return tokens

    def _decode(self, tokens: Tokens, arcs: Arcs) -> Iterator[Tuple[int, Parse]]:
        encoded, names = tokens.encoded, tokens.names
        assert encoded.arc_scores is not None
        found = [
            features
            for place, competing in arcs.of_tokens(tokens)
            for features in arc_features(place, competing)
        ]
        own, starts = self.weights.scores(found)[:, 0], arcs.starts
        scores = arcs.scores + numpy.maximum(own - _total(own, starts), LEAST_OF_ARC) / 2
        numbers, rows = numpy.unique(arcs.sentences, return_inverse=True)
        lengths = encoded.lengths[numbers]
        within = is_token(encoded.arc_scores.shape[1], lengths)
        table = numpy.where(within[:, None], encoded.arc_scores[numbers], -numpy.inf)
        table = log_softmax(table / self.temperature)
        table[rows, arcs.tokens] -= WITHOUT_COMPETING
        numpy.maximum.at(table, (rows, arcs.tokens, arcs.heads), scores)
        given = None if encoded.head_indices is None else encoded.head_indices[numbers]
        heads = decode_heads(table, lengths, tokens.options.parse_decoder, given)
        is_chosen = heads[rows, arcs.tokens] == arcs.heads
        order = numpy.flatnonzero(is_chosen)[scores[is_chosen].argsort(kind="stable")]
        # Of several labels of an arc, the last one stays.
        places = arcs.sentences[order], arcs.tokens[order]
        labels = numpy.full(encoded.arc_scores.shape[:2], -1)
        labels[places] = arcs.labels[order]
        # A tree may need other heads of other tokens, too.
        moved = numpy.full_like(labels, -1)
        moved[numbers] = numpy.where(within, heads, -1)
        moved[(moved == tokens.heads) | (labels >= 0)] = -1
        if (moved >= 0).any():
            others = decode_head_tags(encoded.score_head_tags(moved), moved, tokens.root_label)
            labels = numpy.where(moved >= 0, others, labels)
        if tokens.arcs is not None:
            shares = scores - _total(scores, starts) + _total(arcs.scores, starts)
            tokens.arcs[places] = numpy.exp(shares[order])
        for number, length, tree in zip(numbers.tolist(), lengths.tolist(), heads, strict=True):
            before = tokens.parses[number]
            assert before is not None
            known = zip(before.head_tags, labels[number, :length].tolist(), strict=True)
            tags = [tag if label < 0 else names.head_tags[label] for tag, label in known]
            yield number, Parse(tree[:length].tolist(), tags)


def _total(scores: numpy.ndarray, starts: numpy.ndarray) -> numpy.ndarray:
    """For each arc, log sum exp(score) over those of its token."""
    counts = numpy.diff(starts, append=len(scores))
    best = numpy.maximum.reduceat(scores, starts)
    sums = numpy.add.reduceat(numpy.exp(scores - numpy.repeat(best, counts)), starts)
    return numpy.repeat(best + numpy.log(sums), counts)


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
        number: sense_features(frames.places[number], frames.tags[number])
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
        scores = self.features(frames) @ self._topics.factors.astype(float)
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
            own = pattern_features(places[row], frames.tags[number])
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
