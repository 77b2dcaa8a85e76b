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

    def forward(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`."""
        return logits.argmax(-1).masked_fill(~mask, 0)
