"""
The probabilities of spans in a linear chain, by the forward-backward algorithm, a whole batch at a
time.

    >>> scores = torch.tensor([[[0.0, 2.0, -9.0], [0.0, -9.0, 1.0]]])  # of O, B-x and I-x
    >>> labels, mask = torch.tensor([[1, 2]]), torch.ones(1, 2, dtype=torch.bool)
    >>> chain = torch.zeros(3, 3), torch.zeros(3), torch.zeros(3)
    >>> span_marginals(scores, labels, mask, torch.tensor([-1, 2, 2]), *chain)
    tensor([[0.6439, 0.6439]])
"""

from typing import NamedTuple, Tuple

import torch

FLOOR = 80.0
"""Not larger, so that `exp(-FLOOR)` is a normal number in single precision."""


@torch.no_grad()
def span_marginals(
    scores: torch.Tensor,
    labels: torch.Tensor,
    mask: torch.Tensor,
    continuing: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
    temperature: float = 1.0,
) -> torch.Tensor:
    """
    The marginal probability of each span of given label sequences, under the distribution

        log P(y) = start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_(t-1), y_t] + end[y_T]
                   - log Z

    in which all scores are divided by the temperature.

    A span of the tokens i to j is the event that these tokens have the given labels and that the
    label of token j + 1, if there is one, does not continue the span. Its probability is

        alpha[i, y_i] prod_(i < t <= j) exp(transitions[y_(t-1), y_t] + scores[t, y_t]) beta[j] / Z

    where alpha sums over all labels of the tokens before i, and beta over all labels of the tokens
    after j that do not continue the span. The sums are in double precision and rescaled at each
    token, so long sentences neither overflow nor underflow. O(N T L^2) operations. A label that
    scores less than the best one of its token by more than `FLOOR` counts as if by `FLOOR`.

    # Parameters

    scores : `torch.Tensor`
        Unary scores, (N, T, L).
    labels : `torch.Tensor`
        (N, T) long, as `viterbi` returns them.
    mask : `torch.Tensor`
        (N, T) bool. All padding is on the right.
    continuing : `torch.Tensor`
        (L,) long: for each label, the label that continues its span (I-x for B-x and I-x); -1 for
        labels that nothing continues (O).
    transitions : `torch.Tensor`
        (L, L), from the row's label to the column's label.
    start, end : `torch.Tensor`
        (L,), the scores of starting and of ending with a label.
    temperature : `float`, optional (default = `1.0`)
        Above 0. The larger, the more even the distribution.

    # Returns

    `torch.Tensor`
        (N, T) in single precision: for each token the probability of its span; 0 at padding. A
        token outside spans counts as a span of its own.
    """
    if labels.numel() == 0:
        return scores.new_zeros(labels.shape, dtype=torch.float)
    labels, mask = labels.t(), mask.t()
    spans = _Spans.of(labels, mask, continuing)
    log_weights = _log_weights(scores, mask, start, end).div_(temperature).clamp_(min=-FLOOR)
    own = _at(log_weights, labels).double()
    weights, transitions = log_weights.exp_().double(), transitions.double() / temperature
    moves = transitions.exp()
    prefixes, prefix_scales = _sum_prefixes(weights, moves, labels)
    suffixes, suffix_scales = _sum_suffixes(weights, moves, labels, mask, continuing)

    own[1:] += transitions[labels[:-1], labels[1:]]
    inside = (own - prefix_scales).masked_fill(spans.is_first, 0.0).cumsum(0)
    outside = (suffix_scales - prefix_scales).masked_fill(~mask, 0.0)
    outside = outside.sum(0) - outside.cumsum(0)
    to_last = (inside + suffixes + outside).gather(0, spans.last)
    to_first = (inside - prefixes).gather(0, spans.first)
    return (to_last - to_first).exp().masked_fill(~mask, 0.0).clamp(max=1.0).t().float()


class _Spans(NamedTuple):
    """
    The spans of label sequences. All tensors are (T, N).

    # Parameters

    is_first : `torch.Tensor`
        Whether a token is the first of its span.
    first, last : `torch.Tensor`
        The positions of the first and the last token of each token's span.
    """

    is_first: torch.Tensor
    first: torch.Tensor
    last: torch.Tensor

    @classmethod
    def of(cls, labels: torch.Tensor, mask: torch.Tensor, continuing: torch.Tensor) -> "_Spans":
        is_first = torch.ones_like(mask)
        is_first[1:] = (continuing[labels[:-1]] != labels[1:]) | ~mask[1:]
        is_last = torch.ones_like(mask)
        is_last[:-1] = is_first[1:]
        positions = torch.arange(len(labels), device=labels.device).unsqueeze(-1)
        first = torch.where(is_first, positions, 0).cummax(0).values
        last = torch.where(is_last, positions, len(labels)).flip(0).cummin(0).values.flip(0)
        return cls(is_first, first, last)


def _log_weights(
    scores: torch.Tensor, mask: torch.Tensor, start: torch.Tensor, end: torch.Tensor
) -> torch.Tensor:
    """The scores of each token's labels, with those of start and end, (T, N, L); the best is 0."""
    by_token = scores.float().transpose(0, 1).clone(memory_format=torch.contiguous_format)
    by_token[0] += start
    is_last = mask.clone()
    is_last[:-1] &= ~mask[1:]
    by_token[is_last] += end
    return by_token.sub_(by_token.amax(-1, keepdim=True))


def _sum_prefixes(
    weights: torch.Tensor, moves: torch.Tensor, labels: torch.Tensor
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    # Returns

    `Tuple[torch.Tensor, torch.Tensor]`
        The logarithm of the rescaled sum over the prefixes that end with each token's label, and
        the logarithm of each token's scale, both (T, N).
    """
    sums = torch.empty_like(weights)
    scales = []
    for t, weight in enumerate(weights):
        step = weight if t == 0 else torch.mm(sums[t - 1], moves).mul_(weight)
        scales.append(_positive(step.sum(-1)))
        torch.div(step, scales[-1].unsqueeze(-1), out=sums[t])
    return _at(sums, labels).log(), torch.stack(scales).log()


def _sum_suffixes(
    weights: torch.Tensor,
    moves: torch.Tensor,
    labels: torch.Tensor,
    mask: torch.Tensor,
    continuing: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor]:
    """
    # Returns

    `Tuple[torch.Tensor, torch.Tensor]`
        The logarithm of the rescaled sum over the suffixes that follow each token's label without
        continuing its span, and the logarithm of each token's scale, both (T, N).
    """
    next_labels = continuing[labels]
    can_continue, next_labels = next_labels >= 0, next_labels.clamp(min=0)
    move = moves[labels, next_labels].masked_fill_(~can_continue, 0.0)
    backwards = moves.t().contiguous()
    suffix = torch.ones_like(weights[0])
    sums, scales = [torch.ones_like(move[0])], [torch.ones_like(move[0])]
    for t in reversed(range(len(weights) - 1)):
        later = suffix.mul_(weights[t + 1])
        suffix = torch.mm(later, backwards)
        continued = move[t] * _at(later, next_labels[t])
        total = _at(suffix, labels[t])
        scale = torch.where(mask[t + 1], _positive(suffix.amax(-1)), 1.0)
        suffix.div_(scale.unsqueeze(-1)).masked_fill_(~mask[t + 1].unsqueeze(-1), 1.0)
        sums.append(torch.where(mask[t + 1], (total - continued).clamp_(min=0.0), 1.0))
        scales.append(scale)
    return torch.stack(sums[::-1]).log(), torch.stack(scales[::-1]).log()


def _positive(sums: torch.Tensor) -> torch.Tensor:
    """The sums, but no 0, by which one could not divide."""
    return sums.clamp(min=torch.finfo(sums.dtype).tiny)


def _at(values: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The value of each label: (..., L) at (...)."""
    return values.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
