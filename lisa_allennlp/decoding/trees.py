"""
Decodes arc scores into heads (each token's best head, or the best tree) and labels the arcs.

In this module, `scores[t, q]` is the score of token q as the head of token t. The root of a
sentence is its own head, so its score is on the diagonal.
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.graphs import find_cycle

PARSE_DECODERS = ("argmax", "mst")


def check_parse_decoder(name: str) -> None:
    if name not in PARSE_DECODERS:
        raise ConfigurationError(
            f"parse_decoder is '{name}'; expected one of {', '.join(PARSE_DECODERS)}"
        )


def decode_heads(
    scores: numpy.ndarray,
    lengths: numpy.ndarray,
    parse_decoder: str,
    given: Optional[numpy.ndarray] = None,
) -> numpy.ndarray:
    """
    Decodes by `argmax_heads` or `mst_heads` (`parse_decoder` is `argmax` or `mst`). `given` heads,
    (B, T), negative for other tokens, stay; the others make a tree with them if there is one.
    """
    decode = argmax_heads if parse_decoder == "argmax" else mst_heads
    if given is None:
        return decode(scores, lengths)
    is_other = (given[..., None] >= 0) & (given[..., None] != numpy.arange(scores.shape[-1]))
    heads = decode(numpy.where(is_other, -numpy.inf, scores), lengths)
    return numpy.where(given >= 0, given, heads)


def argmax_heads(scores: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
    """
    The best head of each token, as for the paper's UAS and LAS. There may be cycles and any number
    of roots. Shapes are as for `mst_heads`.
    """
    if not scores.size:
        return numpy.zeros(scores.shape[:2], numpy.int64)
    within = is_token(scores.shape[1], lengths)
    heads = numpy.where(within[:, None], scores, -numpy.inf).argmax(-1)
    return numpy.where(within, heads, 0)


def mst_heads(scores: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
    """
    The best tree with exactly one root (Chu-Liu/Edmonds). Sentences whose best heads are no such
    tree are decoded one by one, in quadratic time per cycle that is contracted.

    Maps (B, T, T) scores, where an arc of score -inf is used only if there is no tree without it,
    and (B,) lengths to (B, T) heads: 0-based; the root is its own head; 0 at padding, which is all
    on the right.
    """
    heads = argmax_heads(scores, lengths)
    for sentence in numpy.flatnonzero(~_is_tree(heads, lengths)):
        length = lengths[sentence]
        heads[sentence, :length] = _best_tree(scores[sentence, :length, :length].astype(float))
    return heads


def decode_head_tags(
    logits: numpy.ndarray, heads: numpy.ndarray, root_label: Optional[int]
) -> numpy.ndarray:
    """
    The best label of each arc, (B, T), undefined at padding, from (B, T, num_labels) logits and (B,
    T) heads. Roots, and only they, get the root label (`find_root_label`), unless it is `None`.
    """
    return _with_root_label(logits, heads == numpy.arange(heads.shape[1]), root_label).argmax(-1)


def arc_probabilities(
    scores: numpy.ndarray,
    logits: numpy.ndarray,
    lengths: numpy.ndarray,
    heads: numpy.ndarray,
    head_tags: numpy.ndarray,
    root_label: Optional[int],
    temperature: float = 1.0,
) -> numpy.ndarray:
    """
    The probability of each labelled arc, (B, T), undefined at padding: its head's among all heads
    of the token, times its label's among all labels of the arc, the two that training maximises. On
    EWT dev they are closer to the share of right arcs than marginals over trees (Koo et al. 2007).
    The temperature divides scores and logits.
    """
    within = is_token(scores.shape[1], lengths)
    scores = numpy.where(within[:, None], scores, -numpy.inf)
    logits = _with_root_label(logits, heads == numpy.arange(heads.shape[1]), root_label)
    chosen = [
        numpy.take_along_axis(softmax(values / temperature), choice[..., None], -1)
        for values, choice in ((scores, heads), (logits, head_tags))
    ]
    return (chosen[0] * chosen[1])[..., 0]


def syntactic_attention(
    arc_scores: numpy.ndarray, head_indices: Optional[numpy.ndarray]
) -> numpy.ndarray:
    """
    The weights of the syntactic head (LISA section 2.2), (..., T, T): a softmax over the scores of
    heads, without padding, or 1 for a given head. `head_indices`, (..., T), are negative for tokens
    without a given head.
    """
    weights = softmax(arc_scores)
    if head_indices is None:
        return weights
    given = head_indices[..., None]
    return numpy.where(given < 0, weights, given == numpy.arange(weights.shape[-1]))


def softmax(scores: numpy.ndarray) -> numpy.ndarray:
    exponentials = numpy.exp(scores - scores.max(-1, keepdims=True))
    # In single precision, sums would depend on the zeros of padding, which change their order.
    sums = exponentials.sum(-1, keepdims=True, dtype=float)
    exponentials /= sums.astype(exponentials.dtype)
    return exponentials


def is_token(length: int, lengths: numpy.ndarray) -> numpy.ndarray:
    """(B, T) bool, false at padding, from T and (B,) lengths."""
    return numpy.arange(length) < lengths[:, None]


def find_root_label(labels: Sequence[str]) -> Optional[int]:
    return next((n for n, label in enumerate(labels) if label.lower() == "root"), None)


def _with_root_label(
    logits: numpy.ndarray, is_root: numpy.ndarray, root_label: Optional[int]
) -> numpy.ndarray:
    """Forces the root label at roots, (...), in (..., num_labels) logits, and only there."""
    if root_label is None:
        return logits
    is_root_label = numpy.arange(logits.shape[-1]) == root_label
    return numpy.where(is_root[..., None] == is_root_label, logits, -numpy.inf)


def _is_tree(heads: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
    within = is_token(heads.shape[1], lengths)
    num_roots = ((heads == numpy.arange(heads.shape[1])) & within).sum(-1)
    # Each round doubles the number of arcs followed.
    ancestors = heads
    for _ in range(max(heads.shape[1] - 1, 0).bit_length()):
        ancestors = numpy.take_along_axis(ancestors, ancestors, 1)
    at_root = numpy.take_along_axis(heads, ancestors, 1) == ancestors
    return ((num_roots == 1) & (at_root | ~within).all(-1)) | (lengths == 0)


def _best_tree(scores: numpy.ndarray) -> numpy.ndarray:
    length = len(scores)
    finite = numpy.isfinite(scores)
    lowest = scores.min(where=finite, initial=0.0)
    scores = numpy.where(finite, scores, lowest - _beyond_difference(scores[finite], length))
    # Node 0 stands above the roots.
    arcs = numpy.full((length + 1, length + 1), -numpy.inf)
    arcs[1:, 1:] = scores
    arcs[1:, 0] = scores.diagonal()
    numpy.fill_diagonal(arcs, -numpy.inf)
    heads = _best_arborescence(arcs)
    if (heads[1:] == 0).sum() > 1:
        # Each root is made to cost more than trees can differ, so that there is one.
        arcs[1:, 0] -= _beyond_difference(scores, length)
        heads = _best_arborescence(arcs)
    return numpy.where(heads[1:] == 0, numpy.arange(length), heads[1:] - 1)


def _best_arborescence(arcs: numpy.ndarray) -> numpy.ndarray:
    """
    The arcs of the best arborescence from node 0. Cycles among the best heads are contracted one by
    one (Chu & Liu 1965; Edmonds 1967). Maps (N, N) scores of dependents and heads, -inf on the
    diagonal and for node 0 as a dependent, to the (N,) heads; node 0 has itself.
    """
    contractions: List[_Contraction] = []
    while True:
        heads = arcs.argmax(axis=1)
        heads[0] = 0
        cycle = find_cycle(heads.tolist())
        if cycle is None:
            break
        contraction, arcs = _contract(arcs, heads, numpy.array(cycle))
        contractions.append(contraction)
    for contraction in reversed(contractions):
        heads = contraction.expand(heads)
    return heads


class _Contraction(NamedTuple):
    """A cycle that became the last node of a smaller graph."""

    heads: numpy.ndarray
    """(N,), the best head of each node before."""
    others: numpy.ndarray
    """(R,), the nodes outside the cycle, in the order of the smaller graph."""
    entrances: numpy.ndarray
    """(R,), the node of the cycle on which an arc from each other node ends."""
    exits: numpy.ndarray
    """(R,), the node of the cycle from which an arc to each other node starts."""

    def expand(self, contracted: numpy.ndarray) -> numpy.ndarray:
        *outer, entering = contracted.tolist()
        heads = self.heads.copy()
        for node, head in enumerate(outer):
            is_other = head < len(self.others)
            heads[self.others[node]] = self.others[head] if is_other else self.exits[node]
        heads[self.entrances[entering]] = self.others[entering]
        return heads


def _contract(
    arcs: numpy.ndarray, heads: numpy.ndarray, cycle: numpy.ndarray
) -> Tuple[_Contraction, numpy.ndarray]:
    is_other = numpy.ones(len(heads), bool)
    is_other[cycle] = False
    (others,) = is_other.nonzero()
    # An arc into the cycle replaces the cycle's own arc to the same node.
    enter = arcs[numpy.ix_(cycle, others)] - arcs[cycle, heads[cycle]][:, None]
    leave = arcs[numpy.ix_(others, cycle)]
    smaller = numpy.full((len(others) + 1,) * 2, -numpy.inf)
    smaller[:-1, :-1] = arcs[numpy.ix_(others, others)]
    smaller[-1, :-1], smaller[:-1, -1] = enter.max(axis=0), leave.max(axis=1)
    entrances, exits = cycle[enter.argmax(axis=0)], cycle[leave.argmax(axis=1)]
    return _Contraction(heads, others, entrances, exits), smaller


def _beyond_difference(scores: numpy.ndarray, length: int) -> float:
    return length * (scores.max(initial=0.0) - scores.min(initial=0.0)) + 1.0
