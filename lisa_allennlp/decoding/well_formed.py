"""Decodes frames again that repeat a core role, or refer to a missing role."""

from typing import Dict, List, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.frames import RoleDecoder
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LOGITS_AT_ONCE, LinearChain
from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE, is_core


class WellFormedFrames:
    """
    Finds frames that PropBank does not have: with a core role twice (`ARG0` to `ARG5`, `ARGA`),
    with `R-X` or `C-X` but without `X`, or with `C-X` right after `X` (`put` as V, `up` as C-V).
    Such a frame is decoded again without one of the spans that begin there, in each way that this
    is possible, until it is well formed; the path with the highest score wins. Given labels stay:
    what only they could mend remains.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        begins = [(number, label[2:]) for number, label in enumerate(labels) if label[:2] == "B-"]
        self._roles = [role for _, role in begins]
        self._first_labels = numpy.array([number for number, _ in begins], int)
        self._role_of_label = numpy.full(len(labels), -1)
        self._role_of_label[self._first_labels] = numpy.arange(len(begins))
        numbers: Dict[str, int] = {role: number for number, role in enumerate(self._roles)}
        self._core = [n for role, n in numbers.items() if is_core(role)]
        derived = [
            (number, numbers.get(role[len(CONTINUATION) :], -1))
            for role, number in numbers.items()
            if role.startswith((CONTINUATION, REFERENCE))
        ]
        self._derived, self._bases = numpy.array(derived, int).reshape(-1, 2).T
        # The role of O, -1, is not what a label that is no C-X continues, -2.
        self._inside = numpy.array([numbers.get(label[2:], -1) for label in labels], int)
        self._continued = numpy.full(len(labels), -2)
        for number, role in begins:
            if role.startswith(CONTINUATION):
                self._continued[number] = numbers.get(role[len(CONTINUATION) :], -2)

    def repair_labels(
        self,
        logits: numpy.ndarray,
        labels: numpy.ndarray,
        lengths: numpy.ndarray,
        is_given: numpy.ndarray,
        decoder: RoleDecoder,
    ) -> None:
        """
        Replaces the labels, (N, T), of frames that are not well formed: best paths, 0 at padding,
        for logits, (N, T, L), and lengths, (N,). Labels with `is_given`, (N, T), stay.
        """
        chain = decoder.chain()
        frames = self._is_bad(labels, lengths, is_given).nonzero()[0]
        own_logits = logits[frames]
        while len(frames):
            exclusions = [
                (number, *exclusion)
                for number, frame in enumerate(frames.tolist())
                for exclusion in self._exclusions(
                    labels[frame, : lengths[frame]], is_given[frame, : lengths[frame]]
                )
            ]
            owner = numpy.array([number for number, _, _ in exclusions])
            found = numpy.zeros((len(owner), labels.shape[1]), int)
            scores = numpy.zeros(len(owner))
            size = 1 + LOGITS_AT_ONCE // own_logits[0].size
            for part in (slice(start, start + size) for start in range(0, len(owner), size)):
                changed, own_lengths = own_logits[owner[part]], lengths[frames[owner[part]]]
                for alternative, (_, tokens, label) in zip(changed, exclusions[part], strict=True):
                    alternative[tokens, label] = FORBIDDEN
                found[part] = decoder.decode(changed, own_lengths)
                scores[part] = path_scores(changed, found[part], own_lengths, chain)
            # The best alternative of each frame; the first one between ties.
            order = numpy.lexsort((-scores, owner))
            best = order[numpy.unique(owner[order], return_index=True)[1]]
            labels[frames] = found[best]
            for number, tokens, label in (exclusions[own] for own in best.tolist()):
                own_logits[number, tokens, label] = FORBIDDEN
            is_bad = self._is_bad(labels[frames], lengths[frames], is_given[frames])
            frames, own_logits = frames[is_bad], own_logits[is_bad]

    def _is_bad(
        self, labels: numpy.ndarray, lengths: numpy.ndarray, is_given: numpy.ndarray
    ) -> numpy.ndarray:
        is_token = numpy.arange(labels.shape[1]) < lengths[:, None]
        begun = numpy.where(is_token, self._role_of_label[labels], -1)
        counts = self._counts(begun)
        may_go = self._counts(numpy.where(is_given, -1, begun)) > 0
        is_orphan = may_go[:, self._derived] & (counts[:, self._bases] == 0)
        is_repeated = may_go[:, self._core] & (counts[:, self._core] > 1)
        adjoins = self._adjoins(labels, is_given) & is_token
        return is_repeated.any(1) | is_orphan.any(1) | adjoins.any(1)

    def _adjoins(self, labels: numpy.ndarray, is_given: numpy.ndarray) -> numpy.ndarray:
        """(..., T) bool: where a C-X that may go begins right after X."""
        adjoins = numpy.zeros(labels.shape, bool)
        adjoins[..., 1:] = self._continued[labels[..., 1:]] == self._inside[labels[..., :-1]]
        return adjoins & ~is_given

    def _counts(self, begun: numpy.ndarray) -> numpy.ndarray:
        rows, tokens = (begun >= 0).nonzero()
        size = len(self._roles) + 1
        # One more column, of no spans, stands for bases that are no label.
        numbers = rows * size + begun[rows, tokens]
        return numpy.bincount(numbers, minlength=len(begun) * size).reshape(-1, size)

    def _exclusions(
        self, labels: numpy.ndarray, is_given: numpy.ndarray
    ) -> List[Tuple[numpy.ndarray, int]]:
        """The ways to mend the first fault: tokens where a label may not be, and the label."""
        begun = self._role_of_label[labels]
        (open_tokens,) = (~is_given).nonzero()
        for role in self._core:
            (starts,) = (begun == role).nonzero()
            if len(starts) > 1 and not is_given[starts].all():
                label = int(self._first_labels[role])
                if is_given[starts].any():
                    return [(open_tokens, label)]
                return [(open_tokens[open_tokens != start], label) for start in starts]
        for role, base in zip(self._derived.tolist(), self._bases.tolist(), strict=True):
            may_go = (begun[open_tokens] == role).any()
            if may_go and not (base >= 0 and (begun == base).any()):
                return [(open_tokens, int(self._first_labels[role]))]
        adjoining = self._adjoins(labels, is_given).nonzero()[0][:1]
        return [(adjoining, int(label)) for label in labels[adjoining]]


def path_scores(
    logits: numpy.ndarray, labels: numpy.ndarray, lengths: numpy.ndarray, chain: LinearChain
) -> numpy.ndarray:
    """Scores (N, T) paths by (N, T, L) logits and the chain, (N,). Lengths are at least 1."""
    is_token = numpy.arange(labels.shape[1]) < lengths[:, None]
    own = numpy.take_along_axis(logits, labels[..., None], -1)[..., 0]
    own[:, 1:] += chain.transitions[labels[:, :-1], labels[:, 1:]]
    last = labels[numpy.arange(len(labels)), lengths - 1]
    return numpy.where(is_token, own, 0.0).sum(1) + chain.start[labels[:, 0]] + chain.end[last]
