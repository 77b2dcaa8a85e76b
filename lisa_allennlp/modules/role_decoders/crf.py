"""Role labels, decoded by frame with transition scores that are trained."""

import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.modules.role_decoders.conditional_random_field import FastConditionalRandomField
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN, Predecessors, viterbi
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder, VerbLabels


@RoleDecoder.register("crf")
class CrfRoleDecoder(RoleDecoder):
    """
    A linear-chain conditional random field: the scores of the moves from label to label are
    trained with the network. It is AllenNLP's `ConditionalRandomField`, computed faster; as there,
    the constraints hold in decoding and not in the loss. Decoding gives what its `viterbi_tags`
    gives, for all the frames at once.

    Registered as a `RoleDecoder` with name "crf".
    """

    def __init__(
        self,
        allowed_transitions: torch.Tensor,
        allowed_starts: torch.Tensor,
        verb: VerbLabels = VerbLabels(),  # noqa: B008
    ) -> None:
        super().__init__(allowed_transitions, allowed_starts, verb)
        self._predecessors = Predecessors(self.allowed_transitions)
        size = self.num_labels
        start, end = size, size + 1
        constraints = [(i, j) for i, j in self.allowed_transitions.nonzero().tolist()]
        constraints += [(start, j) for (j,) in self.allowed_starts.nonzero().tolist()]
        constraints += [(i, end) for i in range(size)]
        self._crf = FastConditionalRandomField(size, constraints)

    def loss(
        self,
        logits: torch.Tensor,
        roles: torch.Tensor,
        mask: torch.Tensor,
        label_smoothing: float = 0.0,
    ) -> torch.Tensor:
        """
        The negative log-likelihood of whole label sequences.

        A token of unknown role (-100) is left out of its sequence, and the tokens beside it become
        neighbours; a frame of nothing but unknown roles adds nothing.

        # Raises

        `ConfigurationError`
            When `label_smoothing` is not 0: it is defined for one label, not for a sequence.
        """
        if label_smoothing:
            raise ConfigurationError(
                f"The crf role decoder cannot smooth labels, but label_smoothing is "
                f'{label_smoothing}. Set it to 0.0, or choose the "viterbi" role decoder.'
            )
        counted = mask & (roles != IGNORED_LABEL)
        # AllenNLP's CRF reads a sequence's last label at the number of its tokens, so the tokens
        # that count must come first and there must be one.
        frames = counted.any(-1).nonzero().squeeze(-1)
        if frames.numel() == 0:
            return logits.sum() * 0.0
        counted = counted.index_select(0, frames)
        order = counted.long().argsort(dim=1, descending=True, stable=True)
        counted = counted.gather(1, order)
        roles = roles.index_select(0, frames).gather(1, order).masked_fill(~counted, 0)
        logits = logits.float().index_select(0, frames)
        logits = logits.gather(1, order.unsqueeze(-1).expand_as(logits))
        return -self._crf(logits, roles, counted)

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`."""
        crf = self._crf
        return viterbi(
            logits,
            mask,
            crf.transitions.masked_fill(~self.allowed_transitions, FORBIDDEN),
            crf.start_transitions.masked_fill(~self.allowed_starts, FORBIDDEN),
            crf.end_transitions,
            self._predecessors,
        )
