"""The base class of role decoders with the loss that most of them share, and the simplest one."""

from typing import Any, Dict, Mapping

import numpy
import torch
from allennlp.common import Registrable

from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.role_constraints import GreedyDecoder, RoleConstraints


class RoleDecoder(torch.nn.Module, Registrable):
    """
    Computes the loss that trains the role scores of N frames over T tokens and L labels, and
    decodes these scores, in NumPy, into one label per token. A `decoding.Decoder` calls `decode`
    and `chain`. Subclasses override at least one of them.

    The frames of a batch may come from different sentences. A frame has one label per token of its
    sentence, and its padding is on the right.

    Every decoder has the counts of the training data's labels, each sentence counted once by the
    trainer's callback `role_statistics`. They are saved with the model even if the decoder does not
    use them, so that a model can be evaluated with another decoder than it was trained with.

    >>> decoder = RoleDecoder.by_name("viterbi")(RoleConstraints(["O", "B-A0", "I-A0"]))
    >>> roles, mask = torch.tensor([[0, 1, 2], [1, 0, -100]]), torch.ones(2, 3, dtype=torch.bool)
    >>> decoder.observe(roles, mask)
    >>> decoder.start_counts, decoder.transition_counts[1]
    (tensor([1, 1, 0]), tensor([1, 0, 1]))
    >>> decoder.loss(torch.zeros(2, 3, 3), roles, mask)  # 5 log 3
    tensor(5.4931)

    A config leaves out the constraints, which the model sets.
    """

    default_implementation = "viterbi"

    transition_counts: torch.Tensor
    start_counts: torch.Tensor

    options: Mapping[str, Any] = {}
    """The options of the decoder in `network.json`."""

    def __init__(self, constraints: RoleConstraints) -> None:
        super().__init__()
        self.constraints = constraints
        size = len(constraints.starts)
        self.register_buffer("transition_counts", torch.zeros(size, size, dtype=torch.long))
        self.register_buffer("start_counts", torch.zeros(size, dtype=torch.long))

    @property
    def num_labels(self) -> int:
        return len(self.constraints.starts)

    def loss(
        self,
        logits: torch.Tensor,
        roles: torch.Tensor,
        mask: torch.Tensor,
        label_smoothing: float = 0.0,
    ) -> torch.Tensor:
        """
        Returns the cross-entropy of the labels (equation 7), in nats, summed over the tokens in the
        (N, T) mask, from (N, T, L) logits and (N, T) roles. Unknown roles (-100) add nothing.
        `label_smoothing` is the probability mass that is spread evenly over all labels.
        """
        return torch.nn.functional.cross_entropy(
            logits.reshape(-1, self.num_labels),
            roles.masked_fill(~mask, IGNORED_LABEL).reshape(-1),
            ignore_index=IGNORED_LABEL,
            reduction="sum",
            label_smoothing=label_smoothing,
        )

    @torch.no_grad()
    def observe(self, roles: torch.Tensor, mask: torch.Tensor) -> None:
        """
        Counts the transitions and the first labels of frames, with roles and mask as in `loss`,
        without padding and unknown roles (-100).
        """
        known = mask & (roles != IGNORED_LABEL)
        roles = roles.masked_fill(~known, 0)
        moves = roles[:, :-1] * self.num_labels + roles[:, 1:]
        # Not `bincount`, which makes the host wait for the GPU.
        self.transition_counts.view(-1).scatter_add_(
            0, moves.reshape(-1), (known[:, :-1] & known[:, 1:]).reshape(-1).long()
        )
        self.start_counts.scatter_add_(0, roles[:, 0], known[:, 0].long())

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        """
        Decodes the best label sequences in `chain`, (N, T), undefined at padding, from (N, T, L)
        logits, which contain the constraints on `V`, and (N,) lengths.
        """
        return ChainDecoder(self.chain()).decode(logits, lengths)

    def chain(self) -> LinearChain:
        """
        The chain that decodes roles and gives their probabilities; in the base class, labels are
        independent.
        """
        return GreedyDecoder(self.constraints).chain()

    def _load_from_state_dict(self, state_dict: Dict[str, Any], prefix: str, *args: Any) -> None:
        """Ignores the weights of another decoder, with which the model was trained."""
        super()._load_from_state_dict(state_dict, prefix, *args)
        unexpected_keys = args[3]
        unexpected_keys[:] = [key for key in unexpected_keys if not key.startswith(prefix)]


@RoleDecoder.register("greedy")
class GreedyRoleDecoder(RoleDecoder):
    """
    The best label of each token, regardless of its neighbours: an I-x may follow an O. It serves as
    a baseline (LISA, Table 7); `ViterbiRoleDecoder` lists the scores of both.
    """

    def decode(self, logits: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
        return GreedyDecoder(self.constraints).decode(logits, lengths)
