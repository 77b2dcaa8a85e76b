"""
Decodes arc scores into heads (each token's best head, or the best tree) and labels the arcs.

In this module, `scores[t, q]` is the score of token q as the head of token t. The root of a
sentence is its own head, so its score is on the diagonal.

    >>> scores = torch.tensor([[[1.0, 5.0, 0.0], [6.0, 4.0, 0.0], [0.0, 3.0, 1.0]]])
    >>> mask = torch.ones(1, 3, dtype=torch.bool)
    >>> argmax_heads(scores, mask)  # a cycle of the first two tokens
    tensor([[1, 0, 1]])
    >>> mst_heads(scores, mask)
    tensor([[1, 1, 1]])
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy
import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.common.graphs import find_cycle

PARSE_DECODERS = ("argmax", "mst")


def check_parse_decoder(name: str) -> None:
    """
    # Raises

    `ConfigurationError`
        If `name` is not one of `PARSE_DECODERS`.
    """
    if name not in PARSE_DECODERS:
        raise ConfigurationError(
            f"parse_decoder is '{name}'; expected one of {', '.join(PARSE_DECODERS)}"
        )


def decode_heads(scores: torch.Tensor, mask: torch.Tensor, parse_decoder: str) -> torch.Tensor:
    """Calls `argmax_heads` or `mst_heads`: `parse_decoder` is `argmax` or `mst`."""
    return argmax_heads(scores, mask) if parse_decoder == "argmax" else mst_heads(scores, mask)


@torch.no_grad()
def argmax_heads(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    The best head of each token, chosen independently. The result may have cycles and any number of
    roots. The paper's UAS and LAS are computed from these heads.

    # Parameters

    scores : `torch.Tensor`
        (B, T, T).
    mask : `torch.Tensor`
        (B, T) bool. All padding is on the right.

    # Returns

    `torch.Tensor`
        (B, T) long, the 0-based head of each token; 0 at padding.
    """
    if scores.size(-1) == 0:
        return torch.zeros_like(mask, dtype=torch.long)
    heads = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).argmax(-1)
    return heads.masked_fill_(~mask, 0)


@torch.no_grad()
def mst_heads(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    The tree with the highest sum of scores among the trees with exactly one root (Chu-Liu/Edmonds).
    If the best heads of a sentence already form such a tree, they are returned. All other sentences
    are decoded on the CPU, in quadratic time per cycle that is contracted.

    # Parameters

    scores : `torch.Tensor`
        (B, T, T). An arc of score -inf is used only if there is no tree without it.
    mask : `torch.Tensor`
        (B, T) bool. All padding is on the right.

    # Returns

    `torch.Tensor`
        (B, T) long, the 0-based head of each token; the root is its own head; 0 at padding.
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
    The best label of each arc. Roots, and only they, get the root label.

    # Parameters

    logits : `torch.Tensor`
        (B, T, num_labels).
    heads : `torch.Tensor`
        (B, T) long, 0-based; a root is its own head.
    root_label : `int`, optional
        The index of the root label (see `find_root_label`). If `None`, any arc may have any label.

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


@torch.no_grad()
def arc_probabilities(
    scores: torch.Tensor,
    logits: torch.Tensor,
    mask: torch.Tensor,
    heads: torch.Tensor,
    head_tags: torch.Tensor,
    root_label: Optional[int],
    temperature: float = 1.0,
) -> torch.Tensor:
    """
    The probability of each labelled arc: that of its head among all heads of the token, times that
    of its label among all labels of the arc. Training maximises these two. On EWT dev they are
    closer to the share of right arcs than marginals over trees (Koo et al. 2007).

    # Parameters

    scores : `torch.Tensor`
        (B, T, T).
    logits : `torch.Tensor`
        (B, T, num_labels), for the arcs from `heads`.
    mask : `torch.Tensor`
        (B, T) bool. All padding is on the right.
    heads, head_tags : `torch.Tensor`
        (B, T) long, the arcs.
    root_label : `int`, optional
        As for `decode_head_tags`.
    temperature : `float`, optional (default = `1.0`)
        Divides scores and logits. The larger, the lower the probabilities.

    # Returns

    `torch.Tensor`
        (B, T); undefined at padding.
    """
    of_heads = (scores / temperature).masked_fill(~mask.unsqueeze(1), -torch.inf).log_softmax(-1)
    if root_label is not None:
        is_root = heads == torch.arange(heads.size(1), device=heads.device)
        is_root_label = torch.arange(logits.size(-1), device=logits.device) == root_label
        logits = logits.masked_fill(is_root.unsqueeze(-1) != is_root_label, -torch.inf)
    of_labels = (logits / temperature).log_softmax(-1)
    chosen_heads = of_heads.gather(-1, heads.unsqueeze(-1))
    chosen_labels = of_labels.gather(-1, head_tags.unsqueeze(-1))
    return (chosen_heads + chosen_labels).squeeze(-1).exp()


def find_root_label(labels: Sequence[str]) -> Optional[int]:
    """
    # Returns

    `int`, optional
        The index of the first label that is "root" in any capitalisation, or `None`.
    """
    return next((n for n, label in enumerate(labels) if label.lower() == "root"), None)


def _is_tree(heads: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """
    # Returns

    `torch.Tensor`
        (B,) bool: whether the heads form a tree with one root. A sentence without tokens counts as
        a tree.
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
        (T, T), from dependents (rows) to heads (columns).

    # Returns

    `numpy.ndarray`
        (T,), the heads; the root is its own head.
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
    The arcs with the highest sum of scores over which every node is reached from node 0. Cycles
    among the best heads are contracted one by one (Chu & Liu 1965; Edmonds 1967).

    # Parameters

    arcs : `numpy.ndarray`
        (N, N), of dependents and heads; -inf on the diagonal and for node 0 as a dependent.

    # Returns

    `numpy.ndarray`
        (N,) of the heads; node 0 has itself.
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
    """
    A cycle that became the last node of a smaller graph.

    # Parameters

    heads : `numpy.ndarray`
        (N,), the best head of each node before.
    cycle : `numpy.ndarray`
        (C,), the nodes of the cycle.
    others : `numpy.ndarray`
        (R,), the other nodes, in the order of the smaller graph.
    entrances : `numpy.ndarray`
        (R,), the node of the cycle on which an arc from each other node ends.
    exits : `numpy.ndarray`
        (R,), the node of the cycle from which an arc to each other node starts.
    """

    heads: numpy.ndarray
    cycle: numpy.ndarray
    others: numpy.ndarray
    entrances: numpy.ndarray
    exits: numpy.ndarray

    def expand(self, contracted: numpy.ndarray) -> numpy.ndarray:
        """The heads in the larger graph, from those in the smaller one."""
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
    """The contraction of a cycle, and the arcs of the smaller graph."""
    others = numpy.setdiff1d(numpy.arange(len(heads)), cycle)
    # An arc into the cycle replaces the cycle's own arc to the same node.
    enter = arcs[numpy.ix_(cycle, others)] - arcs[cycle, heads[cycle]][:, None]
    leave = arcs[numpy.ix_(others, cycle)]
    smaller = numpy.full((len(others) + 1,) * 2, -numpy.inf)
    smaller[:-1, :-1] = arcs[numpy.ix_(others, others)]
    smaller[-1, :-1], smaller[:-1, -1] = enter.max(axis=0), leave.max(axis=1)
    entrances, exits = cycle[enter.argmax(axis=0)], cycle[leave.argmax(axis=1)]
    return _Contraction(heads, cycle, others, entrances, exits), smaller


def _beyond_difference(scores: numpy.ndarray, length: int) -> float:
    """A number larger than the difference between any two sums of `length` scores."""
    return length * (scores.max(initial=0.0) - scores.min(initial=0.0)) + 1.0
