"""
The scores of parts of a corpus: by sentence length (LISA's Figure 5), by the distance between
predicate and argument (Figure 6), by whether parses are wholly right (Tables 6 and 8), by the part
of speech of the predicate, by the frequency of its roleset in the training data, and by role.

    >>> bin_of(12, LENGTH_BINS).label, bin_of(41, LENGTH_BINS).label
    ('11-20', '41+')
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.apps.analyze.frame_pairs import FramePair, counts_by_sentence
from lisa_allennlp.apps.analyze.intervals import Bootstrap, Mean, Score
from lisa_allennlp.scoring.conll05 import NO_ROLE, Conll05Evaluation
from lisa_allennlp.scoring.conllx import count_attachments
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.sentence.roles import UNKNOWN, Argument
from lisa_allennlp.sentence.sentence import Sentence

Pairs = Mapping[str, Sequence[FramePair]]

Predictions = Mapping[str, Sequence[Sentence]]


class Range(NamedTuple):
    """`last` is inclusive; without it, the range has no end."""

    first: int
    last: Optional[int] = None

    @property
    def label(self) -> str:
        if self.last is None:
            return f"{self.first}+"
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


LENGTH_BINS = (Range(1, 10), Range(11, 20), Range(21, 30), Range(31, 40), Range(41))

DISTANCE_BINS = (Range(0, 0), Range(1, 2), Range(3, 6), Range(7))
"""In words between predicate and argument. The paper does not list its own."""

FREQUENCY_BINS = (Range(0, 0), Range(1, 3), Range(4, 20), Range(21))
"""How often a roleset occurs in the training data."""

VERB_CLASS = "verb"

# By tags of the Penn Treebank, and universal ones.
_WORD_CLASSES = {
    VERB_CLASS: re.compile("VB.?|MD|VERB|AUX"),
    "noun": re.compile("NNP?S?|NOUN|PROPN"),
    "adjective": re.compile("JJ[RS]?|ADJ"),
    "other": re.compile(".*"),
}


@dataclass(frozen=True)
class Bin:
    """
    The number of gold arguments in a range (`11-20`) and each system's score; and the number of
    sentences or of gold frames, if the range is of these.
    """

    label: str
    sentences: Optional[int]
    frames: Optional[int]
    arguments: int
    scores: Dict[str, Score]

    @property
    def size(self) -> int:
        sizes = (self.sentences, self.frames, self.arguments)
        return next(size for size in sizes if size is not None)


def bin_of(value: int, bins: Sequence[Range]) -> Range:
    return [candidate for candidate in bins if candidate.first <= value][-1]


def by_sentence_length(gold: Sequence[Sentence], systems: Pairs, bootstrap: Bootstrap) -> List[Bin]:
    places = [LENGTH_BINS.index(bin_of(len(item.words), LENGTH_BINS)) for item in gold]
    is_member = numpy.eye(len(LENGTH_BINS), dtype=int)[places]
    scores = {
        name: bootstrap.scores(
            is_member[:, :, None] * counts_by_sentence(pairs, len(gold))[:, None]
        )
        for name, pairs in systems.items()
    }
    return _bins([r.label for r in LENGTH_BINS], scores, sentences=is_member.sum(0).tolist())


def by_distance(gold: Sequence[Sentence], systems: Pairs, bootstrap: Bootstrap) -> List[Bin]:
    """Returns scores by distance: precision counts predicted arguments, recall gold ones."""
    scores = {}
    for name, pairs in systems.items():
        counts = numpy.zeros((len(gold), len(DISTANCE_BINS), 3), dtype=int)
        for pair in pairs:
            for column, arguments in enumerate((pair.correct, pair.excess, pair.missed)):
                for argument in arguments:
                    range_ = bin_of(distance(argument, pair.gold.predicate), DISTANCE_BINS)
                    counts[pair.sentence, DISTANCE_BINS.index(range_), column] += 1
        scores[name] = bootstrap.scores(counts)
    return _bins([r.label for r in DISTANCE_BINS], scores)


def distance(argument: Argument, predicate: int) -> int:
    return min(
        max(first - predicate - 1, predicate - last - 1, 0) for first, last in argument.pieces
    )


def by_word_class(gold: Sequence[Sentence], systems: Pairs, bootstrap: Bootstrap) -> List[Bin]:
    return _by_frame(
        gold,
        systems,
        bootstrap,
        list(_WORD_CLASSES),
        lambda pair: word_class(gold[pair.sentence][pair.gold.predicate].pos or ""),
    )


def word_class(tag: str) -> str:
    return next(name for name, tags in _WORD_CLASSES.items() if tags.fullmatch(tag))


def by_roleset_frequency(
    gold: Sequence[Sentence], systems: Pairs, bootstrap: Bootstrap, frequencies: Mapping[str, int]
) -> List[Bin]:
    """
    Returns scores by the frequency of a frame's gold roleset in the training data. Gold frames
    without a roleset are left out.
    """

    def label(pair: FramePair) -> Optional[str]:
        if pair.gold.sense == UNKNOWN:
            return None
        return bin_of(frequencies.get(pair.gold.sense, 0), FREQUENCY_BINS).label

    labels = [range_.label for range_ in FREQUENCY_BINS]
    return _by_frame(gold, systems, bootstrap, labels, label)


def _by_frame(
    gold: Sequence[Sentence],
    systems: Pairs,
    bootstrap: Bootstrap,
    labels: Sequence[str],
    label_of: Callable[[FramePair], Optional[str]],
) -> List[Bin]:
    scores = {}
    for name, pairs in systems.items():
        counts = numpy.zeros((len(gold), len(labels), 3), dtype=int)
        labelled = [(pair, label_of(pair)) for pair in pairs]
        for pair, label in labelled:
            if label is not None:
                counts[pair.sentence, labels.index(label)] += pair.counts
        scores[name] = bootstrap.scores(counts)
    # Every system has a pair for each gold frame.
    sizes = Counter(label for _, label in labelled)
    return _bins(labels, scores, frames=[sizes[label] for label in labels])


def _bins(
    labels: Sequence[str],
    scores: Mapping[str, List[Score]],
    sentences: Optional[Sequence[int]] = None,
    frames: Optional[Sequence[int]] = None,
) -> List[Bin]:
    unknown = [None] * len(labels)
    bins = []
    described = zip(labels, sentences or unknown, frames or unknown, strict=True)
    for number, sizes in enumerate(described):
        by_system = {name: found[number] for name, found in scores.items()}
        # Every system is scored against the same gold arguments.
        bins.append(Bin(*sizes, next(iter(by_system.values())).num_gold, by_system))
    return bins


@dataclass(frozen=True)
class ParseGroup:
    """
    The sentences for which each parser is wholly right, or not, in one way; their number and their
    share. For each system, `means` has the mean F1 over sentences with gold arguments, as in the
    paper's tables, and `scores` the score of all arguments together. For each parser, `las` has the
    mean LAS over sentences, without punctuation.
    """

    right: Dict[str, bool]
    sentences: int
    percent: float
    means: Dict[str, Mean]
    scores: Dict[str, Score]
    las: Dict[str, float]

    @property
    def label(self) -> str:
        return ", ".join(
            f"{name} {'right' if is_right else 'wrong'}" for name, is_right in self.right.items()
        )


@dataclass(frozen=True)
class ParseTable:
    """
    All groups of one parser (two groups) or of two parsers (four groups). A right parse has the
    right heads and, if `labelled`, the right relations. Punctuation does not count.
    """

    parsers: Tuple[str, ...]
    labelled: bool
    groups: List[ParseGroup]


def by_parse(
    gold: Sequence[Sentence], systems: Pairs, parses: Predictions, bootstrap: Bootstrap
) -> List[ParseTable]:
    """Returns a table for each parser and each pair of parsers, first labelled, then heads only."""
    counts = {name: counts_by_sentence(pairs, len(gold)) for name, pairs in systems.items()}
    tables = []
    attachment = {
        labelled: {
            name: numpy.array(
                [
                    _attachment(sentence, wanted, labelled)
                    for sentence, wanted in zip(sentences, gold, strict=True)
                ]
            )
            for name, sentences in parses.items()
        }
        for labelled in (True, False)
    }
    for labelled, scores in attachment.items():
        for names in [*combinations(scores, 1), *combinations(scores, 2)]:
            # Without words to attach, a parse is right.
            right = {name: ~(scores[name] < 100) for name in names}
            las = {name: attachment[True][name] for name in names}
            groups = _groups(right, counts, las, bootstrap)
            tables.append(ParseTable(names, labelled, groups))
    return tables


def _attachment(predicted: Sentence, gold: Sentence, labelled: bool) -> float:
    """In percent; NaN without words."""
    words, _ = count_attachments(predicted, gold)
    right = words.arcs if labelled else words.heads
    return 100 * right / words.tokens if words.tokens else math.nan


def _groups(
    right: Mapping[str, numpy.ndarray],
    counts: Mapping[str, numpy.ndarray],
    las: Mapping[str, numpy.ndarray],
    bootstrap: Bootstrap,
) -> List[ParseGroup]:
    # As in the paper, the first parser changes fastest: L+/D+, L-/D+, L+/D-, L-/D-.
    conditions = [condition[::-1] for condition in product((True, False), repeat=len(right))]
    columns = numpy.stack(list(right.values()), axis=1)
    # Shape (sentences, groups).
    is_member = numpy.stack([(columns == c).all(1) for c in numpy.array(conditions)], axis=1)
    means, scores = {}, {}
    for name, by_sentence in counts.items():
        correct, excess, missed = by_sentence.T
        f1 = 200 * correct / numpy.maximum(2 * correct + excess + missed, 1)
        has_gold = correct + missed > 0
        means[name] = bootstrap.means(
            numpy.repeat(f1[:, None], len(conditions), 1), is_member & has_gold[:, None]
        )
        scores[name] = bootstrap.scores(is_member[:, :, None] * by_sentence[:, None])
    sizes = is_member.sum(0).tolist()
    return [
        ParseGroup(
            dict(zip(right, condition, strict=True)),
            sizes[number],
            100 * sizes[number] / len(is_member),
            {name: found[number] for name, found in means.items()},
            {name: found[number] for name, found in scores.items()},
            {
                name: float(numpy.nanmean(found[is_member[:, number]]))
                for name, found in las.items()
                if not numpy.isnan(found[is_member[:, number]]).all()
            },
        )
        for number, condition in enumerate(conditions)
    ]


@dataclass(frozen=True)
class PosRow:
    """
    A gold tag, the number of its gold predicates, and each system's score: a predicate is right at
    the position of a gold predicate.
    """

    pos: str
    predicates: int
    scores: Dict[str, Score]


def by_pos(gold: Sequence[Sentence], systems: Predictions, bootstrap: Bootstrap) -> List[PosRow]:
    """Returns a row per tag with predicates in gold or in a prediction, most frequent first."""
    tags = sorted(set().union(*(sentence.pos or [] for sentence in gold)))
    scores: Dict[str, Dict[str, Score]] = {tag: {} for tag in tags}
    for name, sentences in systems.items():
        counts = numpy.zeros((len(gold), len(tags), 3), dtype=int)
        for number, (wanted, found) in enumerate(zip(gold, sentences, strict=True)):
            wanted_at, found_at = set(wanted.predicates or []), set(found.predicates or [])
            groups = (found_at & wanted_at, found_at - wanted_at, wanted_at - found_at)
            for column, positions in enumerate(groups):
                for position in positions:
                    counts[number, tags.index(wanted[position].pos or ""), column] += 1
        for tag, score in zip(tags, bootstrap.scores(counts), strict=True):
            scores[tag][name] = score
    rows = [
        PosRow(tag, next(iter(found.values())).num_gold, found)
        for tag, found in scores.items()
        if any(score.num_gold + score.excess for score in found.values())
    ]
    return sorted(rows, key=lambda row: -row.predicates)


@dataclass(frozen=True)
class RoleTable:
    """
    The roles of one system, as srl-eval.pl counts them: the counts of each role, V included; and
    for each gold role, how often a span was predicted with each role. `-NONE-` stands for a span
    that one side lacks.
    """

    roles: Dict[str, Counts]
    confusion: Dict[str, Dict[str, int]]

    @property
    def names(self) -> List[str]:
        return [*self.roles, NO_ROLE]

    def to_dict(self) -> Dict[str, Any]:
        roles = {role: counts.to_dict() for role, counts in self.roles.items()}
        return {"roles": roles, "confusion": self.confusion}


def by_role(gold: Sequence[Sentence], predicted: Sequence[Sentence]) -> RoleTable:
    evaluation = Conll05Evaluation(predicted, gold)
    return RoleTable(evaluation.counts.by_role(), evaluation.confusion_rows())


def counts_of_role(tables: Mapping[str, RoleTable]) -> Dict[str, Dict[str, Counts]]:
    names = sorted({role for table in tables.values() for role in table.roles})
    return {
        role: {name: table.roles.get(role, Counts()) for name, table in tables.items()}
        for role in names
    }
