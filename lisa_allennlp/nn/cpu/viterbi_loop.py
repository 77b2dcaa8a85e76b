"""
Viterbi's algorithm on a CPU as one compiled loop. It computes the same sums and the same labels as
`linear_chain.viterbi_by_operators`, with the same choice between ties, but no tensor of all
transitions.
"""

from typing import NamedTuple

import numpy as np
import torch

from lisa_allennlp.nn.cpu.compiled_loops import can_compile, compiled

PAYS_FROM = 2000
"""
The loop is used for at least this many tokens per call, padding included. Loading it takes some
tenths of a second, which a single sentence should not wait for; a call of this size is one of many.
"""

LANES = 16
"""
The labels with any predecessor are padded to a multiple of this, so that vector instructions of any
width leave no remainder.
"""


def pays(scores: torch.Tensor) -> bool:
    """Whether the loop should decode scores of shape (N, T, L) on a CPU."""
    num_tokens = scores.size(0) * scores.size(1)
    has_type = scores.dtype in (torch.float, torch.double)
    return num_tokens >= PAYS_FROM and has_type and can_compile()


def viterbi(
    scores: torch.Tensor,
    mask: torch.Tensor,
    transitions: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
    wide: torch.Tensor,
    narrow: torch.Tensor,
    before_narrow: torch.Tensor,
) -> torch.Tensor:
    """
    # Parameters

    scores : `torch.Tensor`
        (N, T, L).
    mask : `torch.Tensor`
        (N, T). All padding is on the right.
    transitions, start, end, wide, narrow, before_narrow : `torch.Tensor`
        As in `linear_chain.Chain`.

    # Returns

    `torch.Tensor`
        (N, T) long; 0 at padding.
    """
    to_all = transitions.detach().numpy()
    padded_size = -(-wide.numel() // LANES) * LANES
    to_wide = np.full((len(to_all), padded_size), -np.inf, to_all.dtype)
    to_wide[:, : wide.numel()] = to_all[:, wide.numpy()]
    moves = Moves(
        start.detach().contiguous().numpy(),
        end.detach().contiguous().numpy(),
        wide.numpy(),
        to_wide,
        narrow.numpy(),
        before_narrow.contiguous().numpy(),
        np.ascontiguousarray(to_all[before_narrow.numpy(), narrow.numpy()]),
        np.ascontiguousarray(to_all.T),
    )
    labels = torch.zeros(mask.shape, dtype=torch.long)
    loop = compiled(best_labels)
    loop(scores.detach().contiguous().numpy(), mask.sum(-1).numpy(), moves, labels.numpy())
    return labels


class Moves(NamedTuple):
    """
    The transition scores of a chain of L labels. W of them have any predecessor, and M only a few.

    # Parameters

    start : `np.ndarray`
        (L,), the scores of starting with a label.
    end : `np.ndarray`
        (L,), the scores of ending with a label.
    wide : `np.ndarray`
        (W,), the labels with any predecessor.
    to_wide : `np.ndarray`
        (L, W padded to `LANES`), the transitions to `wide`; -inf in the padding.
    narrow : `np.ndarray`
        (M,), the labels with few predecessors.
    before_narrow : `np.ndarray`
        (few, M), the predecessors of `narrow`.
    to_narrow : `np.ndarray`
        (few, M), the transitions from them.
    moves_to : `np.ndarray`
        (L, L), all transitions, from the column's label to the row's.
    """

    start: np.ndarray
    end: np.ndarray
    wide: np.ndarray
    to_wide: np.ndarray
    narrow: np.ndarray
    before_narrow: np.ndarray
    to_narrow: np.ndarray
    moves_to: np.ndarray


def best_labels(scores: np.ndarray, lengths: np.ndarray, moves: Moves, labels: np.ndarray) -> None:
    """
    Plain Python on arrays, which Numba compiles.

    >>> scores = np.array([[[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0]]])
    >>> transitions = np.array([[0.0, 0.0, -np.inf], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> no_scores, every, none = np.zeros(3), np.arange(3), np.zeros((2, 0), int)
    >>> moves = Moves(
    ...     no_scores, no_scores, every, transitions, none[0], none, none * 0.0, transitions.T
    ... )
    >>> labels = np.zeros((1, 3), int)
    >>> best_labels(scores, np.array([3]), moves, labels)
    >>> labels
    array([[0, 1, 2]])

    # Parameters

    scores : `np.ndarray`
        (N, T, L).
    lengths : `np.ndarray`
        (N,), the number of tokens of each sequence, at most T.
    labels : `np.ndarray`
        (N, T), overwritten with the best label of each token. Padding is left as it is.
    """
    num_tokens, num_labels = scores.shape[1:]
    num_wide = moves.wide.shape[0]
    # The best score of a prefix that ends in a label, without and with that label's own score.
    reached = np.empty((num_tokens, num_labels), scores.dtype)
    prefixes = np.empty((num_tokens, num_labels), scores.dtype)
    best = np.empty(moves.to_wide.shape[1], scores.dtype)
    for n in range(scores.shape[0]):
        length = lengths[n]
        if length == 0:
            continue
        prefixes[0] = scores[n, 0] + moves.start
        for t in range(1, length):
            prefix = prefixes[t - 1]
            best[:] = -np.inf
            # Four predecessors at a time: `best` is loaded and stored a quarter as often.
            whole = num_labels // 4 * 4
            for i in range(0, whole, 4):
                p0, p1, p2, p3 = prefix[i], prefix[i + 1], prefix[i + 2], prefix[i + 3]
                for j in range(best.shape[0]):
                    a = p0 + moves.to_wide[i, j]
                    b = p1 + moves.to_wide[i + 1, j]
                    c = p2 + moves.to_wide[i + 2, j]
                    d = p3 + moves.to_wide[i + 3, j]
                    a = a if a > b else b
                    c = c if c > d else d
                    a = a if a > c else c
                    best[j] = a if a > best[j] else best[j]
            for i in range(whole, num_labels):
                for j in range(best.shape[0]):
                    a = prefix[i] + moves.to_wide[i, j]
                    best[j] = a if a > best[j] else best[j]
            for j in range(num_wide):
                reached[t, moves.wide[j]] = best[j]
            for j in range(moves.narrow.shape[0]):
                a = prefix[moves.before_narrow[0, j]] + moves.to_narrow[0, j]
                for k in range(1, moves.before_narrow.shape[0]):
                    b = prefix[moves.before_narrow[k, j]] + moves.to_narrow[k, j]
                    a = a if a > b else b
                reached[t, moves.narrow[j]] = a
            for i in range(num_labels):
                prefixes[t, i] = reached[t, i] + scores[n, t, i]
        label = int(np.argmax(prefixes[length - 1] + moves.end))
        labels[n, length - 1] = label
        for t in range(length - 1, 0, -1):
            # The preceding label is the first that reaches the known score.
            prefix, move, score = prefixes[t - 1], moves.moves_to[label], reached[t, label]
            label = 0
            while label < num_labels - 1 and prefix[label] + move[label] != score:
                label += 1
            labels[n, t - 1] = label
