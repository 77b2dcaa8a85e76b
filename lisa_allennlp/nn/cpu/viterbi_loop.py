"""
`linear_chain.viterbi` on a CPU as one compiled loop: the same sums, without a tensor of all moves.
`best_labels` is plain Python on arrays, which Numba makes machine code of.
"""

from typing import NamedTuple

import numpy as np

LANES = 16
"""
What the labels to come from all others are padded to a multiple of, so that vector instructions of
any width need no remainder.
"""


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


def make_moves(
    transitions: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    wide: np.ndarray,
    narrow: np.ndarray,
    before_narrow: np.ndarray,
) -> Moves:
    """
    # Parameters

    transitions : `np.ndarray`
        (L, L), from the row's label to the column's.
    start, end, wide, narrow, before_narrow : `np.ndarray`
        As in `Moves`.

    # Returns

    `Moves`
    """
    padded_size = -(-len(wide) // LANES) * LANES
    to_wide = np.full((len(transitions), padded_size), -np.inf, transitions.dtype)
    to_wide[:, : len(wide)] = transitions[:, wide]
    return Moves(
        np.ascontiguousarray(start),
        np.ascontiguousarray(end),
        np.ascontiguousarray(wide),
        to_wide,
        np.ascontiguousarray(narrow),
        np.ascontiguousarray(before_narrow),
        np.ascontiguousarray(transitions[before_narrow, narrow]),
        np.ascontiguousarray(transitions.T),
    )


def best_labels(scores: np.ndarray, lengths: np.ndarray, moves: Moves, labels: np.ndarray) -> None:
    """
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
