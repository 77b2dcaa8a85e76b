"""Decoding of linear chains: the best label sequence, and the probabilities of its spans."""

from typing import NamedTuple

import numpy

FORBIDDEN = -1e30
"""Stands for -inf in sums: finite, so that they are never NaN, and beyond any real scores."""

FLOOR = 80.0
"""Not larger, so that `exp(-FLOOR)` is a normal number in single precision."""

FEW = 128
"""The most pairs of a sequence and a label that are extended at once."""

LOGITS_AT_ONCE = 2**23
"""
More logits are decoded in groups, which saves memory in long sentences: one of 2,000 words has
200,000 for each predicate.
"""


class LinearChain(NamedTuple):
    """
    The scores of label sequences that do not depend on the tokens: (L,) of the first label, (L, L)
    from the row's label to the column's, and (L,) of the last label. -inf rules one out.
    """

    start: numpy.ndarray
    transitions: numpy.ndarray
    end: numpy.ndarray


class ChainDecoder:
    """
    Viterbi's algorithm with exact pruning. The best label sequence y of T tokens maximises

        start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_(t-1), y_t] + end[y_T]

    A prefix that ends in label i is extended only if it can still win. Where k ends the best
    prefix, i wins before no label j if

        prefix[i] <= prefix[k] + min_j (transitions[k, j] - transitions[i, j])

    On EWT dev, 1.4 of 107 labels are left per token. The minimum is over the labels that three or
    more labels may precede. The others, I-x after B-x and I-x, are computed from both predecessors.
    Rounding cannot change the result: labels, and the choice of the lowest index between ties, are
    those of an algorithm that tries every predecessor. They do not depend on the rest of the batch.
    """

    def __init__(self, chain: LinearChain) -> None:
        self._chain = chain
        self._start, self._moves, self._end = (numpy.maximum(part, FORBIDDEN) for part in chain)
        size = len(self._start)
        may_precede = chain.transitions > FORBIDDEN
        numpy.fill_diagonal(may_precede, False)
        wide = self._moves[:, may_precede.sum(0) > 1]
        self._moves_to = numpy.ascontiguousarray(self._moves.T)
        self._own = self._moves.diagonal()
        # For I-x this is B-x, the one predecessor beside itself.
        self._other = may_precede.argmax(0)
        self._from_other = self._moves[self._other, numpy.arange(size)]
        self._needed = numpy.empty_like(self._moves)
        for label, moves in enumerate(wide):
            # Rounded down, which keeps a label too many rather than one too few.
            least = (moves - wide).min(1, initial=numpy.inf)
            self._needed[label] = numpy.nextafter(least, -numpy.inf, dtype=least.dtype)
        # The best prefix itself has been extended.
        numpy.fill_diagonal(self._needed, numpy.inf)

    def chain(self) -> LinearChain:
        return self._chain

    def decode(self, scores: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """
        Returns the best labels, (N, T) 64-bit integers, 0 at padding, from (N, T, L) scores and
        (N,) lengths. All padding is on the right. N and T may be 0.
        """
        labels = numpy.zeros(scores.shape[:2], numpy.int64)
        if not labels.size:
            return labels
        # With the longest sequences first, those that reach a token are the first ones.
        order = numpy.argsort(-lengths, kind="stable")
        reaching = (lengths > numpy.arange(scores.shape[1])[:, None]).sum(1).tolist()
        prefixes = scores.swapaxes(0, 1).take(order, axis=1).astype(self._moves.dtype, copy=False)
        prefixes[0] += self._start
        for t, number in enumerate(reaching[1:], start=1):
            prefixes[t, :number] += self._extend(prefixes[t - 1, :number])

        best, following = numpy.zeros_like(labels.T), labels[:0, 0]
        for t, number in reversed(list(enumerate(reaching))):
            prefix = prefixes[t, :number]
            prefix[: len(following)] += self._moves_to.take(following, axis=0)
            prefix[len(following) :] += self._end
            following = best[t, :number] = prefix.argmax(1)
        labels[order] = best.T
        return labels

    def _extend(self, prefix: numpy.ndarray) -> numpy.ndarray:
        """
        Returns the best score of a prefix before each label, (N, L). Subtracts the best score from
        `prefix`, so that long sequences do not lose precision.
        """
        best = prefix.argmax(1)
        prefix -= prefix.max(1, keepdims=True)
        longer = numpy.maximum(self._moves.take(best, axis=0), prefix + self._own)
        numpy.maximum(longer, prefix.take(self._other, axis=1) + self._from_other, out=longer)
        can_win = prefix >= self._needed.take(best, axis=0)
        labels = numpy.logical_or.reduce(can_win).nonzero()[0]
        if len(labels) * len(prefix) <= FEW:
            # The others do no harm.
            moves = prefix.take(labels, axis=1)[..., None] + self._moves.take(labels, axis=0)
            return numpy.maximum(longer, moves.max(1, initial=FORBIDDEN), out=longer)
        rows, labels = can_win.nonzero()
        moves = self._moves.take(labels, axis=0)
        moves += prefix[rows, labels, None]
        is_first = numpy.ones(len(rows), bool)
        numpy.not_equal(rows[1:], rows[:-1], out=is_first[1:])
        starts = is_first.nonzero()[0]
        rows = rows[starts]
        longer[rows] = numpy.maximum(longer[rows], numpy.maximum.reduceat(moves, starts))
        return longer


@numpy.errstate(divide="ignore", invalid="ignore")
def span_marginals(
    scores: numpy.ndarray,
    labels: numpy.ndarray,
    lengths: numpy.ndarray,
    chain: LinearChain,
    continuing: numpy.ndarray,
    temperature: float = 1.0,
) -> numpy.ndarray:
    """
    The marginal probability of each span of given label sequences, (N, T): at the first token of
    the span, 0 at all others. A token outside spans counts as a span of its own. `labels`, (N, T),
    `scores` and `lengths` are as for `ChainDecoder.decode`, with at least one token per sequence.
    `continuing`, (L,), has the label that continues a label's span (I-x for B-x and I-x), -1 for
    labels that nothing continues (O). The distribution is

        log P(y) = start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_(t-1), y_t] + end[y_T]
                   - log Z

    in which all scores are divided by the temperature.

    A span of the tokens i to j is the event that these tokens have the given labels and that the
    label of token j + 1, if there is one, does not continue the span. By the forward-backward
    algorithm, its probability is

        alpha[i, y_i] prod_(i < t <= j) exp(transitions[y_(t-1), y_t] + scores[t, y_t]) beta[j] / Z

    where alpha sums over all labels of the tokens before i, and beta over all labels of the tokens
    after j that do not continue the span. O(N T L^2) operations. Sums are in double precision, in
    which the number of sequences makes no difference that shows. A label that scores less than the
    best one of its token by more than `FLOOR` counts as if by `FLOOR`.
    """
    num_tokens, sequences = labels.shape[1], numpy.arange(len(labels))
    log_weights = scores.astype(numpy.float32)
    log_weights[:, 0] += chain.start
    log_weights[sequences, lengths - 1] += chain.end
    log_weights -= log_weights.max(-1, keepdims=True)
    log_weights /= numpy.float32(temperature)
    numpy.maximum(log_weights, -FLOOR, out=log_weights)
    log_moves = (chain.transitions - chain.transitions.max()).astype(float) / temperature
    steps = numpy.take_along_axis(log_weights, labels[..., None], -1)[..., 0].astype(float)
    steps[:, 1:] += log_moves[labels[:, :-1], labels[:, 1:]]
    weights, moves = numpy.exp(log_weights, out=log_weights), numpy.exp(log_moves)
    ones = numpy.ones(len(moves))
    # Far below any probability that counts, and far above the subnormal numbers, which are slow.
    least = numpy.finfo(float).tiny * 1e8

    # alpha sums to 1 at each token, after it was divided by a scale.
    alpha = weights[:, 0].astype(float)
    own_alpha, scales = numpy.empty(labels.shape), numpy.empty(labels.shape)
    for t in range(num_tokens):
        if t > 0:
            alpha = alpha @ moves
            alpha *= weights[:, t]
        scale = scales[:, t] = alpha @ ones
        alpha /= scale[:, None]
        numpy.maximum(alpha, least, out=alpha)
        own_alpha[:, t] = alpha[sequences, labels[:, t]]

    # beta sums to 1 as well.
    goes_on, next_labels = numpy.arange(1, num_tokens) < lengths[:, None], continuing[labels]
    continued = numpy.where(next_labels < 0, 0.0, moves[labels, next_labels])
    beta, others = numpy.ones_like(alpha), numpy.empty((len(labels), num_tokens - 1))
    beta_scales = numpy.empty_like(others)
    for t in reversed(range(num_tokens - 1)):
        later = beta * weights[:, t + 1]
        beta = later @ moves.T
        others[:, t] = beta[sequences, labels[:, t]]
        others[:, t] -= continued[:, t] * later[sequences, next_labels[:, t]]
        scale = beta_scales[:, t] = beta @ ones
        beta = numpy.where(goes_on[:, t, None], beta / scale[:, None], 1.0)

    log_alpha, log_scales = numpy.log(own_alpha), numpy.log(scales)
    log_others = numpy.log(numpy.maximum(others, 0.0))
    # From the last token to the first: the scale of beta and that of Z take turns.
    turns = numpy.stack([numpy.log(beta_scales), -log_scales[:, 1:]], axis=-1)
    turns = numpy.where(goes_on[..., None], turns, 0.0).reshape(len(labels), -1)
    log_betas = turns[:, ::-1].cumsum(1)[:, ::-1]
    log_beta = numpy.zeros(labels.shape)
    log_beta[:, :-1] = numpy.where(goes_on, log_others + log_betas[:, 1::2], 0.0)

    is_first = numpy.arange(num_tokens) < lengths[:, None]
    is_first[:, 1:] &= continuing[labels[:, :-1]] != labels[:, 1:]
    is_last = numpy.zeros_like(is_first)
    is_last[:, :-1] = is_first[:, 1:]
    is_last[sequences, lengths - 1] = True
    (rows, first), (_, last) = is_first.nonzero(), is_last.nonzero()
    inside = numpy.where(is_first, 0.0, steps - log_scales).cumsum(1)
    logs = log_alpha[rows, first] + inside[rows, last] - inside[rows, first] + log_beta[rows, last]
    marginals = numpy.zeros(labels.shape)
    marginals[rows, first] = numpy.exp(numpy.minimum(logs, 0.0))
    return marginals
