"""
From scores to heads, the best head of each token or the best tree, and to the labels of their arcs.

Everywhere here, `scores[t, q]` is the score that token q is the head of token t, and the root of a
sentence is its own head: its score is on the diagonal.
"""

from typing import Optional, Sequence

import numpy
import torch
from allennlp.common.checks import ConfigurationError

PARSE_DECODERS = ("argmax", "mst")


def check_parse_decoder(name: str) -> None:
    """
    # Raises

    `ConfigurationError`
        If `decode_heads` does not know it.
    """
    if name not in PARSE_DECODERS:
        raise ConfigurationError(
            f"parse_decoder is '{name}'; expected one of {', '.join(PARSE_DECODERS)}"
        )


def decode_heads(scores: torch.Tensor, mask: torch.Tensor, parse_decoder: str) -> torch.Tensor:
    """As `argmax_heads` or `mst_heads`, as `parse_decoder` says: `argmax` or `mst`."""
    return argmax_heads(scores, mask) if parse_decoder == "argmax" else mst_heads(scores, mask)


@torch.no_grad()
def argmax_heads(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    The best head of each token by itself. The result may have cycles, and any number of roots; it
    is what the paper's UAS and LAS are computed from.

    # Parameters

    scores : `torch.Tensor`
        (B, T, T).
    mask : `torch.Tensor`
        (B, T) bool. All the padding is on the right.

    # Returns

    `torch.Tensor`
        (B, T) long, the head of each token, 0-based; 0 at padding.
    """
    if scores.size(-1) == 0:
        return torch.zeros_like(mask, dtype=torch.long)
    heads = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).argmax(-1)
    return heads.masked_fill_(~mask, 0)


@torch.no_grad()
def mst_heads(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    The tree with the highest sum of scores among those with exactly one root, by Chu, Liu and
    Edmonds' algorithm. A sentence whose best heads are such a tree already is done at once; each
    of the others is worked out on the CPU, in quadratic time per cycle.

    # Parameters

    scores : `torch.Tensor`
        (B, T, T). An arc of score -inf is used only where there is no tree without it.
    mask : `torch.Tensor`
        (B, T) bool. All the padding is on the right.

    # Returns

    `torch.Tensor`
        (B, T) long, the head of each token, 0-based, the root its own; 0 at padding.
    """
    heads = argmax_heads(scores, mask)
    for sentence in (~_is_tree(heads, mask)).nonzero().squeeze(-1).tolist():
        length = int(mask[sentence].sum())
        arcs = scores[sentence, :length, :length].double().cpu().numpy()
        heads[sentence, :length] = torch.from_numpy(_best_tree(arcs)).to(heads)
    return heads


@torch.no_grad()
def decode_head_tags(
    logits: torch.Tensor, heads: torch.Tensor, root_label: Optional[int]
) -> torch.Tensor:
    """
    The best label of each arc. The arcs of roots, and no others, have the root label.

    # Parameters

    logits : `torch.Tensor`
        (B, T, num_labels).
    heads : `torch.Tensor`
        (B, T) long, 0-based; a root is its own head.
    root_label : `int`, optional
        The number of the label of roots (see `find_root_label`). With `None` any arc may have any
        label.

    # Returns

    `torch.Tensor`
        (B, T) long; undefined at padding.
    """
    if root_label is None:
        return logits.argmax(-1)
    is_root = heads == torch.arange(heads.size(1), device=heads.device)
    excluded = torch.tensor([root_label], device=logits.device)
    tags = logits.index_fill(-1, excluded, float("-inf")).argmax(-1)
    return tags.masked_fill_(is_root, root_label)


def find_root_label(labels: Sequence[str]) -> Optional[int]:
    """
    # Returns

    `int`, optional
        The position of the first label that is "root" in any capitalisation.
    """
    return next((n for n, label in enumerate(labels) if label.lower() == "root"), None)


def _is_tree(heads: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    # Returns

    `torch.Tensor`
        (B,) bool, whether there is one root and every token leads to it. A sentence without
        tokens counts as a tree.
    """
    num_tokens = heads.size(1)
    tokens = torch.arange(num_tokens, device=heads.device)
    num_roots = ((heads == tokens) & mask).sum(-1)
    # Each round doubles the number of arcs followed.
    ancestors = heads
    for _ in range(max(num_tokens - 1, 0).bit_length()):
        ancestors = ancestors.gather(1, ancestors)
    at_root = heads.gather(1, ancestors) == ancestors
    return ((num_roots == 1) & (at_root | ~mask).all(-1)) | ~mask.any(-1)


def _best_tree(scores: numpy.ndarray) -> numpy.ndarray:
    """
    # Parameters

    scores : `numpy.ndarray`
        (T, T), of dependents and heads.

    # Returns

    `numpy.ndarray`
        (T,) of the heads; the root's is itself.
    """
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
    The arcs with the highest sum of scores by which every node is reached from node 0.

    # Parameters

    arcs : `numpy.ndarray`
        (N, N), of dependents and heads; -inf on the diagonal and for node 0 as a dependent.

    # Returns

    `numpy.ndarray`
        (N,) of the heads; that of node 0 is 0.
    """
    heads = arcs.argmax(axis=1)
    heads[0] = 0
    cycle = _find_cycle(heads)
    if cycle is None:
        return heads
    # The cycle becomes one node. An arc into it is worth what it adds to the cycle, of which it
    # breaks one arc; an arc out of it begins at the best of its nodes.
    others = numpy.setdiff1d(numpy.arange(len(heads)), cycle)
    enter = arcs[numpy.ix_(cycle, others)] - arcs[cycle, heads[cycle]][:, None]
    leave = arcs[numpy.ix_(others, cycle)]
    contracted = numpy.full((len(others) + 1,) * 2, -numpy.inf)
    contracted[:-1, :-1] = arcs[numpy.ix_(others, others)]
    contracted[-1, :-1], contracted[:-1, -1] = enter.max(axis=0), leave.max(axis=1)
    *outer, entrance = _best_arborescence(contracted)
    for node, head in enumerate(outer):
        is_outside = head < len(others)
        heads[others[node]] = others[head] if is_outside else cycle[leave[node].argmax()]
    heads[cycle[enter[:, entrance].argmax()]] = others[entrance]
    return heads


def _find_cycle(heads: numpy.ndarray) -> Optional[numpy.ndarray]:
    """The nodes of a cycle, if there is one; node 0, its own head, makes none."""
    seen_from = numpy.full(len(heads), -1)
    seen_from[0] = 0
    for start in range(1, len(heads)):
        node = start
        while seen_from[node] < 0:
            seen_from[node] = start
            node = heads[node]
        if node != 0 and seen_from[node] == start:
            nodes = [node]
            while heads[nodes[-1]] != node:
                nodes.append(heads[nodes[-1]])
            return numpy.array(nodes)
    return None


def _beyond_difference(scores: numpy.ndarray, length: int) -> float:
    """More than the difference between any two sums of `length` of the scores."""
    return length * (scores.max(initial=0.0) - scores.min(initial=0.0)) + 1.0
