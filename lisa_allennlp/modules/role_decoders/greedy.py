"""A role decoder that chooses each label independently."""

import numpy

from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder


@RoleDecoder.register("greedy")
class GreedyRoleDecoder(RoleDecoder):
    """
    The best label of each token, regardless of its neighbours: an I-x may follow an O. It serves as
    a baseline (LISA, Table 7); `ViterbiRoleDecoder` lists the scores of both.

    Registered as a `RoleDecoder` with name "greedy".

    >>> from lisa_allennlp.decoding.role_constraints import RoleConstraints
    >>> decoder = GreedyRoleDecoder(RoleConstraints(["O", "B-A0", "I-A0"]))
    >>> logits = numpy.array([[[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0]]])
    >>> decoder.decode(logits, numpy.array([3]))
    array([[0, 2, 2]])
    """

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """As in `RoleDecoder`. The next best label replaces an `I-V` that continues no `V`."""
        labels = logits.argmax(-1)
        begin, inside = self.constraints.verb_begin, self.constraints.verb_inside
        if begin is None or inside is None:
            return labels
        others = logits.copy()
        others[..., inside] = -numpy.inf
        is_stray = (labels == inside) & ~_continues(labels, begin, inside)
        return numpy.where(is_stray, others.argmax(-1), labels)


def _continues(labels: numpy.ndarray, begin: int, inside: int) -> numpy.ndarray:
    """(N, T) bool: whether all labels after the last `begin`, up to this one, are `inside`."""
    positions = numpy.arange(labels.shape[1])
    last_begin, last_other = (
        numpy.maximum.accumulate(numpy.where(is_other, positions, -1), axis=1)
        for is_other in (labels == begin, labels != inside)
    )
    return (last_begin >= 0) & (last_begin == last_other)
