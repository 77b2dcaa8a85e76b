"""
Exact decoding of a linear chain, for a whole batch of sequences at once.
"""

from typing import Any, Callable, Optional

import torch

from lisa_allennlp.nn.cpu import viterbi_loop
from lisa_allennlp.nn.cpu.compiled_loops import compiled

# The score of a move that may not happen. Finite, so that sums and differences of scores are never
# NaN, and so far down that no sum of real scores makes up for it.
FORBIDDEN = -1e30


class Predecessors(torch.nn.Module):
    """
    Which labels may come before a label, arranged for `viterbi` to leave out the others. In BIO
    only B-x and I-x come before I-x, so nearly half of all the moves need no arithmetic.

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
        # A label with fewer predecessors is filled up with moves that are not allowed, which
        # cannot win.
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
    use_kernel: Optional[bool] = None,
) -> torch.Tensor:
    """
    The best label sequence y of each of N sequences, under the score

        start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_(t-1), y_t] (+ end[y_T])

    by Viterbi's algorithm: O(N T L^2) operations, O(N L (T + L)) memory. Only time is a Python
    loop, and nothing is read back from the device. On a CPU the compiled loop of
    `viterbi_loop` gives the same labels several times sooner.

    The forward pass keeps the best score of every prefix, not where it came from: a maximum
    without its index is several times faster, and the way back needs one `argmax` over L for each
    token, not over L^2.

    # Parameters

    scores : `torch.Tensor`
        Unary scores, (N, T, L). Read as numbers of the type of `transitions`.
    mask : `torch.Tensor`
        (N, T), true for a token and false for padding. All the padding is on the right.
    transitions : `torch.Tensor`
        (L, L), from the row's label to the column's label. `FORBIDDEN` or -inf rules a move out.
    start : `torch.Tensor`
        (L,), the score of beginning with a label.
    end : `torch.Tensor`, optional (default = `None`)
        (L,), the score of ending with a label.
    predecessors : `Predecessors`, optional (default = `None`)
        Made from the moves that `transitions` does not rule out: the same answer, sooner.
    use_kernel : `bool`, optional (default = `None`)
        Whether to use the compiled loop where it is possible, on a CPU in single or double
        precision. By default it is used once this process has decoded 50,000 tokens: loading it
        takes some tenths of a second, and compiling it, once on a machine, some seconds.

    # Returns

    `torch.Tensor`
        (N, T) long; 0 at padding. N and T may be 0.
    """
    num_sequences, num_tokens, num_labels = scores.shape
    labels = scores.new_zeros((num_sequences, num_tokens), dtype=torch.long)
    if labels.numel() == 0:
        return labels
    scores = scores.to(transitions.dtype)
    end = transitions.new_zeros(num_labels) if end is None else end
    kernel = _kernel(scores, use_kernel)
    if kernel is not None:
        return _viterbi_by_kernel(kernel, scores, mask, transitions, start, end, predecessors)
    prefixes = _best_prefix_scores(scores, transitions, start, predecessors)

    # A pseudo-label that follows the last token of every sequence; its row holds the end scores.
    stop = num_labels
    moves_to = torch.cat([transitions.t(), end.unsqueeze(0)])
    following = labels.new_full((num_sequences,), stop)
    for t in reversed(range(num_tokens)):
        prefix = prefixes[t].t().contiguous()
        best = (prefix + moves_to.index_select(0, following)).argmax(-1)
        labels[:, t] = best
        following = torch.where(mask[:, t], best, stop)
    return labels.masked_fill_(~mask, 0)


class _Usage:
    """How many tokens this process has decoded on a CPU: from some number on, the kernel pays."""

    KERNEL_PAYS_FROM = 50_000

    def __init__(self) -> None:
        self.num_tokens = 0


_usage = _Usage()


def _kernel(scores: torch.Tensor, use_kernel: Optional[bool]) -> Optional[Callable[..., Any]]:
    """The compiled loop, if it can be used for these scores and is wanted."""
    if scores.device.type != "cpu" or scores.dtype not in (torch.float, torch.double):
        return None
    if use_kernel is None:
        _usage.num_tokens += scores.size(0) * scores.size(1)
        use_kernel = _usage.num_tokens > _usage.KERNEL_PAYS_FROM
    return compiled(viterbi_loop.best_labels) if use_kernel else None


def _viterbi_by_kernel(
    kernel: Callable[..., Any],
    scores: torch.Tensor,
    mask: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
    predecessors: Optional[Predecessors],
) -> torch.Tensor:
    if predecessors is None:
        wide = torch.arange(scores.size(-1))
        narrow, before_narrow = wide[:0], wide[:0].unsqueeze(0)
    else:
        wide, narrow = predecessors.wide, predecessors.narrow
        before_narrow = predecessors.before_narrow
    moves = viterbi_loop.make_moves(
        *(tensor.detach().to(scores.dtype).numpy() for tensor in (transitions, start, end)),
        *(tensor.numpy() for tensor in (wide, narrow, before_narrow)),
    )
    labels = torch.zeros(mask.shape, dtype=torch.long)
    kernel(scores.contiguous().numpy(), mask.sum(-1).numpy(), moves, labels.numpy())
    return labels


def _best_prefix_scores(
    scores: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    predecessors: Optional[Predecessors],
) -> torch.Tensor:
    """
    # Returns

    `torch.Tensor`
        (T, L, N), the score of the best label sequence that ends at a token with a label.
    """
    num_sequences, num_tokens, num_labels = scores.shape
    to_wide = transitions
    if predecessors is not None:
        wide, narrow = predecessors.wide, predecessors.narrow
        before = predecessors.before_narrow
        to_wide = transitions[:, wide]
        to_narrow = transitions[before, narrow].unsqueeze(-1)
    # The sequences are the innermost dimension and the maximum is over the outermost one: both the
    # sum and the maximum then run over contiguous memory, which is 2 to 4 times faster on a CPU
    # than any other order. One buffer, (from, to, N), serves all steps, because it is large.
    to_wide = to_wide.unsqueeze(-1)
    moves = transitions.new_empty((num_labels, to_wide.size(1), num_sequences))
    prefixes = transitions.new_empty((num_tokens, num_labels, num_sequences))
    by_token = scores.transpose(0, 1).contiguous()
    torch.add(by_token[0].t(), start.unsqueeze(-1), out=prefixes[0])
    for t in range(1, num_tokens):
        torch.add(prefixes[t - 1].unsqueeze(1), to_wide, out=moves)
        if predecessors is None:
            torch.amax(moves, dim=0, out=prefixes[t])
        else:
            prefixes[t].index_copy_(0, wide, moves.amax(0))
            prefixes[t].index_copy_(0, narrow, (prefixes[t - 1][before] + to_narrow).amax(0))
        prefixes[t] += by_token[t].t().contiguous()
    return prefixes
