"""
Viterbi's algorithm on a CPU as one compiled loop: the same sums and the same labels, among equals
too, as `linear_chain.viterbi_by_operators`, without a tensor of all moves.
"""

from typing import NamedTuple

import numpy as np
import torch

from lisa_allennlp.nn.cpu.compiled_loops import can_compile, compiled

PAYS_FROM = 2000
"""
The tokens of a call, with padding, from which the loop is used. Loading it takes some tenths of a
second, which a single sentence is not to wait for; a call of this size is one of many.
"""

LANES = 16
"""
What the labels to come from all others are padded to a multiple of, so that vector instructions of
any width need no remainder.
"""


def pays(scores: torch.Tensor) -> bool:
    """Whether the loop is to be used for scores of shape (N, T, L) on a CPU."""
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
        (N, T).
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
    The scores of a chain of L labels, of which W have any predecessor and M only a few.

    # Parameters

    start : `np.ndarray`
        (L,), of beginning with a label.
    end : `np.ndarray`
        (L,), of ending with a label.
    wide : `np.ndarray`
        (W,), the labels with any predecessor.
    to_wide : `np.ndarray`
        (L, W padded to `LANES`), the moves to them; -inf in the padding.
    narrow : `np.ndarray`
        (M,), the labels with few predecessors.
    before_narrow : `np.ndarray`
        (few, M), those.
    to_narrow : `np.ndarray`
        (few, M), the moves from them.
    moves_to : `np.ndarray`
        (L, L), all moves, from the column's label to the row's.
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

    # Parameters

    scores : `np.ndarray`
        (N, T, L).
    lengths : `np.ndarray`
        (N,), the number of tokens of each sequence, up to T.
    moves : `Moves`
    labels : `np.ndarray`
        (N, T), written to: the best label of each token. What is beyond a length stays.
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
            # Four labels to come from at a time: `best` is loaded and stored a quarter as often.
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
            # The label before is the first from which the known score is reached.
            prefix, move, score = prefixes[t - 1], moves.moves_to[label], reached[t, label]
            label = 0
            while label < num_labels - 1 and prefix[label] + move[label] != score:
                label += 1
            labels[n, t - 1] = label
