"""
Exact decoding of linear chains, a whole batch at a time.

    >>> scores = torch.tensor([[[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0]]])
    >>> transitions = torch.zeros(3, 3)
    >>> transitions[0, 2] = FORBIDDEN
    >>> viterbi(scores, torch.ones(1, 3, dtype=torch.bool), transitions, start=torch.zeros(3))
    tensor([[0, 1, 2]])
"""

from typing import NamedTuple, Optional

import torch

from lisa_allennlp.nn.cpu import viterbi_loop
from lisa_allennlp.nn.device import is_on_cpu

# The score of a forbidden transition. Finite, so that sums and differences of scores are never NaN,
# and so low that no sum of real scores makes up for it.
FORBIDDEN = -1e30


class Predecessors(torch.nn.Module):
    """
    The labels that may precede each label, arranged so that `viterbi` can skip all others. In BIO
    only B-x and I-x may precede I-x, so nearly half of the transitions need no arithmetic.

    # Parameters

    allowed : `torch.Tensor`
        (L, L) bool, from the row's label to the column's label.
    few : `int`, optional (default = `2`)
        Labels with at most this many predecessors are computed from those alone.
    """

    wide: torch.Tensor
    narrow: torch.Tensor
    before_narrow: torch.Tensor

    def __init__(self, allowed: torch.Tensor, few: int = 2) -> None:
        super().__init__()
        is_narrow = allowed.sum(0) <= few
        narrow = is_narrow.nonzero().squeeze(-1)
        # A label with fewer predecessors is padded with forbidden ones, which cannot win.
        before_narrow = allowed[:, narrow].int().topk(min(few, allowed.size(0)), dim=0).indices
        # (W,), (M,) and (few, M), with W + M = L. A saved model need not repeat them.
        self.register_buffer("wide", (~is_narrow).nonzero().squeeze(-1), persistent=False)
        self.register_buffer("narrow", narrow, persistent=False)
        self.register_buffer("before_narrow", before_narrow, persistent=False)


@torch.no_grad()
def viterbi(
    scores: torch.Tensor,
    mask: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: Optional[torch.Tensor] = None,
    predecessors: Optional[Predecessors] = None,
) -> torch.Tensor:
    """
    The best label sequence y of each of N sequences, under the score

        start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_(t-1), y_t] (+ end[y_T])

    by Viterbi's algorithm: O(N T L^2) operations, O(N L (T + L)) memory. On a CPU, large batches
    are decoded by a compiled loop, which gives the same labels several times as fast.

    # Parameters

    scores : `torch.Tensor`
        Unary scores, (N, T, L). They are converted to the type of `transitions`.
    mask : `torch.Tensor`
        (N, T), true for tokens and false for padding. All padding is on the right.
    transitions : `torch.Tensor`
        (L, L), from the row's label to the column's label. `FORBIDDEN` or -inf rules a transition
        out.
    start : `torch.Tensor`
        (L,), the score of starting with a label.
    end : `torch.Tensor`, optional (default = `None`)
        (L,), the score of ending with a label.
    predecessors : `Predecessors`, optional (default = `None`)
        Made from the transitions that are not ruled out. Decoding is then faster, with the same
        result.

    # Returns

    `torch.Tensor`
        (N, T) long; 0 at padding. N and T may be 0.
    """
    scores = scores.to(transitions.dtype)
    if end is None:
        end = torch.zeros_like(start)
    if predecessors is None:
        predecessors = Predecessors(torch.ones(transitions.shape, dtype=torch.bool))
        predecessors.to(transitions.device)
    chain = Chain(transitions, start, end, *predecessors.buffers())
    if is_on_cpu(scores) and viterbi_loop.pays(scores):
        return viterbi_loop.viterbi(scores, mask, *chain)
    return viterbi_by_operators(scores, mask, chain)


class Chain(NamedTuple):
    """
    The scores and the sparsity of a linear chain.

    # Parameters

    transitions : `torch.Tensor`
        (L, L), as for `viterbi`.
    start : `torch.Tensor`
        (L,), as for `viterbi`.
    end : `torch.Tensor`
        (L,), as for `viterbi`.
    wide : `torch.Tensor`
        (W,), the labels that many labels may precede.
    narrow : `torch.Tensor`
        (M,), the labels that only a few may precede.
    before_narrow : `torch.Tensor`
        (few, M), the predecessors of `narrow`.
    """

    transitions: torch.Tensor
    start: torch.Tensor
    end: torch.Tensor
    wide: torch.Tensor
    narrow: torch.Tensor
    before_narrow: torch.Tensor


def viterbi_by_operators(scores: torch.Tensor, mask: torch.Tensor, chain: Chain) -> torch.Tensor:
    """
    `viterbi` in PyTorch's operators, on any device. Only time is a Python loop, and nothing is
    copied from the device to the host.

    The forward pass keeps the best score of each prefix, without back-pointers: a maximum without
    its index is several times as fast, and tracing back then takes one `argmax` over L per token,
    not over L^2.
    """
    num_sequences, num_tokens, num_labels = scores.shape
    labels = scores.new_zeros((num_sequences, num_tokens), dtype=torch.long)
    if labels.numel() == 0:
        return labels
    prefixes = _best_prefix_scores(scores, chain)

    # A pseudo-label that follows the last token of every sequence; its row holds the end scores.
    stop = num_labels
    moves_to = torch.cat([chain.transitions.t(), chain.end.unsqueeze(0)])
    following = labels.new_full((num_sequences,), stop)
    for t in reversed(range(num_tokens)):
        prefix = prefixes[t].t().contiguous()
        best = (prefix + moves_to.index_select(0, following)).argmax(-1)
        labels[:, t] = best
        following = torch.where(mask[:, t], best, stop)
    return labels.masked_fill_(~mask, 0)


def _best_prefix_scores(scores: torch.Tensor, chain: Chain) -> torch.Tensor:
    """
    # Returns

    `torch.Tensor`
        (T, L, N): the score of the best label sequence that ends at each token with each label.
    """
    num_sequences, num_tokens, num_labels = scores.shape
    to_wide = chain.transitions[:, chain.wide].unsqueeze(-1)
    to_narrow = chain.transitions[chain.before_narrow, chain.narrow].unsqueeze(-1)
    # The sequences are the innermost dimension and the maximum is over the outermost one. The sum
    # and the maximum then both run over contiguous memory, which is 2 to 4 times as fast on a CPU
    # as any other order. All steps share one buffer, (from, to, N), because it is large.
    moves = scores.new_empty((num_labels, to_wide.size(1), num_sequences))
    prefixes = scores.new_empty((num_tokens, num_labels, num_sequences))
    by_token = scores.transpose(0, 1).contiguous()
    torch.add(by_token[0].t(), chain.start.unsqueeze(-1), out=prefixes[0])
    for t in range(1, num_tokens):
        torch.add(prefixes[t - 1].unsqueeze(1), to_wide, out=moves)
        before = prefixes[t - 1][chain.before_narrow]
        prefixes[t].index_copy_(0, chain.wide, moves.amax(0))
        prefixes[t].index_copy_(0, chain.narrow, (before + to_narrow).amax(0))
        prefixes[t] += by_token[t].t().contiguous()
    return prefixes
