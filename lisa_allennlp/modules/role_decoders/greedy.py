"""A role decoder that chooses each label independently."""

import torch

from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder


@RoleDecoder.register("greedy")
class GreedyRoleDecoder(RoleDecoder):
    """
    The best label of each token, regardless of its neighbours: an I-x may follow an O. It serves as
    a baseline (LISA, Table 7); `ViterbiRoleDecoder` lists the scores of both.

    Registered as a `RoleDecoder` with name "greedy".

    >>> allowed = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    >>> decoder = GreedyRoleDecoder(allowed, allowed_starts=torch.tensor([True, True, False]))
    >>> logits = torch.tensor([[[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0]]])
    >>> decoder(logits, mask=torch.ones(1, 3, dtype=torch.bool))  # 0 is O, 1 is B-x, 2 is I-x
    tensor([[0, 2, 2]])
    """

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`. The next best label replaces an `I-V` that continues no `V`."""
        labels = logits.argmax(-1)
        begin, inside = self.verb
        if begin is not None and inside is not None:
            is_stray = labels.eq(inside) & ~_continues(labels, begin, inside)
            others = logits.clone()
            others[..., inside] = -torch.inf
            labels = torch.where(is_stray, others.argmax(-1), labels)
        return labels.masked_fill(~mask, 0)


def _continues(labels: torch.Tensor, begin: int, inside: int) -> torch.Tensor:
    """(N, T) bool: whether all labels after the last `begin`, up to this one, are `inside`."""
    positions = torch.arange(labels.size(1), device=labels.device).expand_as(labels)
    last_begin = positions.masked_fill(labels.ne(begin), -1).cummax(1).values
    last_other = positions.masked_fill(labels.eq(inside), -1).cummax(1).values
    return last_begin.ge(0) & last_begin.eq(last_other)
