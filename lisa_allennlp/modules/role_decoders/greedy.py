"""Role labels, each decoded by itself."""

import torch

from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder


@RoleDecoder.register("greedy")
class GreedyRoleDecoder(RoleDecoder):
    """
    The best label of each token, whatever its neighbours are: an I-x may follow an O. It is here
    to be compared with (the paper's Table 7); `ViterbiRoleDecoder` says by how much it loses.

    Registered as a `RoleDecoder` with name "greedy".
    """

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`. An `I-V` that continues no `V` gives way to the next best label."""
        labels = logits.argmax(-1)
        begin, inside = self.verb
        if begin is not None and inside is not None:
            is_stray = labels.eq(inside) & ~_continues(labels, begin, inside)
            others = logits.clone()
            others[..., inside] = -torch.inf
            labels = torch.where(is_stray, others.argmax(-1), labels)
        return labels.masked_fill(~mask, 0)


def _continues(labels: torch.Tensor, begin: int, inside: int) -> torch.Tensor:
    """(N, T) bool: whether all labels from the last `begin` up to here are `inside`."""
    positions = torch.arange(labels.size(1), device=labels.device).expand_as(labels)
    last_begin = positions.masked_fill(labels.ne(begin), -1).cummax(1).values
    last_other = positions.masked_fill(labels.eq(inside), -1).cummax(1).values
    return last_begin.ge(0) & last_begin.eq(last_other)
