"""The frames that srl-eval.pl scores, paired by predicate, and the costliest of them."""

from dataclasses import dataclass
from typing import Collection, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.sentence.roles import CONTINUATION, VERB, Argument, arguments
from lisa_allennlp.sentence.sentence import Frame, Sentence

NUM_COSTLY_FRAMES = 50


@dataclass(frozen=True)
class FramePair:
    """
    A gold frame of a sentence (0-based), and the frame predicted for its predicate, if any.
    `wanted` and `found` are their arguments, as srl-eval.pl counts them.
    """

    sentence: int
    gold: Frame
    predicted: Optional[Frame]
    wanted: Tuple[Argument, ...]
    found: Tuple[Argument, ...]

    @property
    def correct(self) -> Tuple[Argument, ...]:
        return tuple(argument for argument in self.found if argument in self.wanted)

    @property
    def excess(self) -> Tuple[Argument, ...]:
        return tuple(argument for argument in self.found if argument not in self.wanted)

    @property
    def missed(self) -> Tuple[Argument, ...]:
        return tuple(argument for argument in self.wanted if argument not in self.found)

    @property
    def counts(self) -> Tuple[int, int, int]:
        return count(self.found, self.wanted)

    @property
    def num_errors(self) -> int:
        return sum(self.counts[1:])


def count(found: Sequence[Argument], wanted: Sequence[Argument]) -> Tuple[int, int, int]:
    correct = len(set(found) & set(wanted))
    return correct, len(found) - correct, len(wanted) - correct


def frame_pairs(gold: Sequence[Sentence], predicted: Sequence[Sentence]) -> List[FramePair]:
    """
    Pairs each gold frame, in text order, with its prediction. Predicted frames whose predicate is
    not in gold are left out, as in srl-eval.pl.
    """
    pairs = []
    for number, (wanted, found) in enumerate(zip(gold, predicted, strict=True)):
        for frame in sorted(wanted.frames or [], key=lambda frame: frame.predicate):
            prediction = found.frame_at(frame.predicate)
            found_arguments = () if prediction is None else tuple(arguments(prediction.tags))
            pairs.append(
                FramePair(number, frame, prediction, tuple(arguments(frame.tags)), found_arguments)
            )
    return pairs


def counts_by_sentence(pairs: Sequence[FramePair], num_sentences: int) -> numpy.ndarray:
    """Returns the correct, excess and missed arguments. Shape `(num_sentences, 3)`."""
    counts = numpy.zeros((num_sentences, 3), dtype=int)
    for pair in pairs:
        counts[pair.sentence] += pair.counts
    return counts


@dataclass(frozen=True)
class MarkedSpan:
    """
    A span with its role as annotated; `first` and `last` (inclusive) are 0-based. A predicted span
    is right if its argument is in gold; a gold span, if every system has its argument.
    """

    role: str
    first: int
    last: int
    text: str
    is_right: bool


@dataclass(frozen=True)
class CostlyFrame:
    """
    A gold frame with all systems' predictions. The number of its sentence is 1-based, the predicate
    0-based. `errors` counts each system's excess and missed arguments. Spans include `V`; they are
    `None` for a system that did not predict the predicate.
    """

    sentence: int
    words: List[str]
    predicate: int
    lemma: str
    sense: str
    errors: Dict[str, int]
    gold: List[MarkedSpan]
    spans: Dict[str, Optional[List[MarkedSpan]]]


def costly_frames(
    gold: Sequence[Sentence],
    systems: Mapping[str, Sequence[FramePair]],
    number: int = NUM_COSTLY_FRAMES,
) -> List[CostlyFrame]:
    """Returns at most `number` frames with errors, the most over all systems first."""
    frames = [
        dict(zip(systems, pairs, strict=True)) for pairs in zip(*systems.values(), strict=True)
    ]
    costs = [sum(pair.num_errors for pair in pairs.values()) for pairs in frames]
    order = sorted((place for place, cost in enumerate(costs) if cost), key=lambda i: -costs[i])
    return [_costly_frame(gold, frames[place]) for place in order[:number]]


def _costly_frame(gold: Sequence[Sentence], pairs: Mapping[str, FramePair]) -> CostlyFrame:
    first = next(iter(pairs.values()))
    frame = first.gold
    right_everywhere = set(first.wanted).intersection(*(pair.found for pair in pairs.values()))
    return CostlyFrame(
        first.sentence + 1,
        gold[first.sentence].words,
        frame.predicate,
        frame.lemma,
        frame.sense,
        {name: pair.num_errors for name, pair in pairs.items()},
        _marked(frame, right_everywhere),
        {
            name: None if pair.predicted is None else _marked(pair.predicted, pair.correct)
            for name, pair in pairs.items()
        },
    )


def _marked(frame: Frame, right: Collection[Argument]) -> List[MarkedSpan]:
    pieces = {piece for argument in right for piece in argument.pieces}
    return [
        MarkedSpan(
            span.role,
            span.first,
            span.last,
            span.text or "",
            span.role.removeprefix(CONTINUATION) == VERB or (span.first, span.last) in pieces,
        )
        for span in frame.roles
    ]
