"""Constraints on role labels: BIO, and the predicate's own label; what is decoded with them."""

from typing import Optional, Sequence

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LinearChain
from lisa_allennlp.sentence.roles import VERB, allowed_starts, allowed_transitions

ROLE_DECODERS = ("crf", "greedy", "viterbi")
"""The registered names of the role decoders that label without PyTorch."""

TRANSITIONS = ("scaled_likelihood", "none", "probability", "log_probability")


class RoleConstraints:
    """
    The sequences of L BIO labels, given in the order of their indices, that a frame may have.

    `starts`, (L,) bool, are the labels that a sentence may begin with; `transitions`, (L, L) bool,
    whether the column's label may follow the row's; `continuing`, (L,), the label that continues
    each label's span (I-x for B-x and I-x), -1 for labels that nothing continues.

    >>> RoleConstraints(["O", "B-V", "B-A0", "I-A0"]).continuing
    array([-1, -1,  3,  3])
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.starts = numpy.array(allowed_starts(labels), bool)
        if not self.starts.any():
            raise ConfigurationError(
                "train_data_path: found no predicate in the training data, and so no role labels "
                "in the vocabulary that begin; expected at least one predicate"
            )
        self.transitions = numpy.array(allowed_transitions(labels), bool)
        continues = self.transitions & ~self.starts
        self.continuing = numpy.where(continues.any(-1), continues.argmax(-1), -1)
        numbers = {label: number for number, label in enumerate(labels)}
        self.verb_begin: Optional[int] = numbers.get(f"B-{VERB}")
        self.verb_inside: Optional[int] = numbers.get(f"I-{VERB}")

    def constrain(self, chain: LinearChain) -> LinearChain:
        """Removes the first labels and the transitions that BIO rules out."""
        return LinearChain(
            numpy.where(self.starts, chain.start, -numpy.inf),
            numpy.where(self.transitions, chain.transitions, -numpy.inf),
            chain.end,
        )

    def counted_chain(
        self,
        transition_counts: numpy.ndarray,
        start_counts: numpy.ndarray,
        transitions: str,
        transition_weight: float,
        smoothing: float,
    ) -> LinearChain:
        """
        The scores of the legal transitions, from (L, L) counts of the row's label before the
        column's and (L,) counts of first labels in the training data. `ViterbiRoleDecoder`
        describes `TRANSITIONS`. Without counts, all scores are 0.
        """
        # The start of a sentence counts as one more preceding label: row L.
        counts = numpy.vstack([transition_counts, start_counts])
        allowed = numpy.vstack([self.transitions, self.starts])
        smoothed = numpy.where(allowed, counts + smoothing, 0.0)
        # The maximum keeps 0 / 0 out of the row of a label that no label may follow.
        scores = smoothed / numpy.maximum(smoothed.sum(-1, keepdims=True), smoothing)
        if transitions == "none" or not counts.any():
            scores = numpy.zeros_like(scores)
        elif transitions != "probability":
            prior = counts.sum(0) + smoothing
            with numpy.errstate(divide="ignore"):
                scores = numpy.log(scores)
            if transitions == "scaled_likelihood":
                scores = transition_weight * (scores - numpy.log(prior / prior.sum()))
        scores = numpy.where(allowed, scores, -numpy.inf).astype(numpy.float32)
        return LinearChain(scores[-1], scores[:-1], numpy.zeros_like(scores[-1]))

    def force_verb(self, logits: numpy.ndarray, predicate_indices: numpy.ndarray) -> None:
        """
        Forces one `V` per frame, which begins at its predicate: in the (N, T, L) logits, B-V is
        forbidden except at the (N,) predicates, where other labels are. Without B-V, does nothing.
        """
        if self.verb_begin is not None:
            predicates = numpy.arange(len(logits)), predicate_indices
            own = logits[(*predicates, self.verb_begin)]
            logits[..., self.verb_begin] = FORBIDDEN
            logits[predicates] = FORBIDDEN
            logits[(*predicates, self.verb_begin)] = own

    def force_labels(self, logits: numpy.ndarray, labels: numpy.ndarray) -> None:
        """
        Forces whole spans, given by (N, T) labels, -1 at other tokens: in the (N, T, L) logits,
        other labels of these tokens are forbidden, as are labels that continue a span at the next.
        """
        rows, tokens = (labels >= 0).nonzero()
        labels_there = rows, tokens, labels[rows, tokens]
        own = logits[labels_there]
        logits[rows, tokens] = FORBIDDEN
        logits[labels_there] = own
        following = self.continuing[labels[rows, tokens]]
        is_last = (following >= 0) & (tokens + 1 < labels.shape[1])
        rows, after, following = rows[is_last], tokens[is_last] + 1, following[is_last]
        is_open = labels[rows, after] < 0
        logits[rows[is_open], after[is_open], following[is_open]] = FORBIDDEN

    def span_ends(self, labels: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """(N, T): the last token of each token's span."""
        tokens = numpy.arange(labels.shape[1])
        is_last = tokens == lengths[:, None] - 1
        is_last[:, :-1] |= self.continuing[labels[:, :-1]] != labels[:, 1:]
        ends = numpy.where(is_last, tokens, labels.shape[1])
        return numpy.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]


class GreedyDecoder:
    def __init__(self, constraints: RoleConstraints) -> None:
        self._constraints = constraints

    def chain(self) -> LinearChain:
        size = len(self._constraints.starts)
        start, transitions, end = (numpy.zeros(shape) for shape in (size, (size, size), size))
        return LinearChain(start, transitions, end)

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """Returns the best labels, (N, T). If `V` is forced, the next best replaces stray `I-V`."""
        labels = logits.argmax(-1)
        begin, inside = self._constraints.verb_begin, self._constraints.verb_inside
        if begin is None or inside is None or not (logits[..., begin] == FORBIDDEN).any():
            return labels
        others = logits.copy()
        others[..., inside] = -numpy.inf
        is_stray = (labels == inside) & ~_continues(labels, begin, inside)
        return numpy.where(is_stray, others.argmax(-1), labels)


def _continues(labels: numpy.ndarray, begin: int, inside: int) -> numpy.ndarray:
    """(N, T) bool: whether all labels after the last `begin`, up to this one, are `inside`."""
    positions = numpy.arange(labels.shape[1])
    last_begin, last_other = (
        numpy.maximum.accumulate(numpy.where(is_other, positions, -1), axis=1)
        for is_other in (labels == begin, labels != inside)
    )
    return (last_begin >= 0) & (last_begin == last_other)
