"""A role decoder with trained transition scores, and its loss."""

from typing import Any, Dict

import torch
from allennlp.modules import ConditionalRandomField

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.decoding.linear_chain import LinearChain
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder


@RoleDecoder.register("crf")
class CrfRoleDecoder(RoleDecoder):
    """
    A linear-chain conditional random field: the transition scores are trained with the network. It
    is AllenNLP's `ConditionalRandomField`, computed faster. As there, the constraints apply in
    decoding and not in the loss. Decoding gives the labels of its `viterbi_tags`.
    """

    def __init__(self, constraints: RoleConstraints) -> None:
        super().__init__(constraints)
        # Constraints of the field would be weights of the model; `chain` applies ours.
        self._crf = FastConditionalRandomField(self.num_labels)

    def loss(
        self,
        logits: torch.Tensor,
        roles: torch.Tensor,
        mask: torch.Tensor,
        label_smoothing: float = 0.0,
    ) -> torch.Tensor:
        """
        The negative log-likelihood of whole label sequences, for which no label smoothing is
        defined.

        A token with an unknown role (-100) is left out of its sequence, and the tokens on its two
        sides become neighbours. A frame without a known role adds nothing to the loss.
        """
        if label_smoothing:
            raise ConfigurationError(
                f"label_smoothing is {label_smoothing}; expected 0.0 with the 'crf' role decoder, "
                "which cannot smooth labels (the 'viterbi' role decoder can)"
            )
        counted = mask & (roles != IGNORED_LABEL)
        # AllenNLP's CRF finds a sequence's last label by its number of tokens, so the tokens that
        # count must come first, and there must be at least one.
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

    def _load_from_state_dict(self, state_dict: Dict[str, Any], prefix: str, *args: Any) -> None:
        is_other = f"{prefix}_crf.transitions" not in state_dict
        if is_other and f"{prefix}transition_counts" in state_dict:
            raise ConfigurationError(
                "the role decoder is 'crf', but the model was trained with another one; expected "
                "'viterbi' or 'greedy', which have no weights"
            )
        super()._load_from_state_dict(state_dict, prefix, *args)

    def chain(self) -> LinearChain:
        crf = self._crf
        start, transitions, end = (
            weight.detach().cpu().numpy()
            for weight in (crf.start_transitions, crf.transitions, crf.end_transitions)
        )
        return self.constraints.constrain(LinearChain(start, transitions, end))


class FastConditionalRandomField(ConditionalRandomField):
    """
    AllenNLP's `ConditionalRandomField` with the same parameters and likelihoods, many times as
    fast. A step of the forward algorithm multiplies the exponentiated scores of prefixes and
    transitions, where AllenNLP's sums a tensor of all pairs of labels. The best prefix is
    subtracted first, so that sums are positive unless a transition scores below -87.
    """

    def _input_likelihood(
        self, logits: torch.Tensor, transitions: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """
        The log of the sum over all label sequences, `(batch_size,)`, from logits,
        `(batch_size, length, num_labels)`, transitions from the row's label to the column's, and a
        mask with all padding on the right.
        """
        with torch.autocast(logits.device.type, enabled=False):
            moves = transitions.exp()
            prefixes = self.start_transitions + logits[:, 0]
            for scores, counts in zip(logits.unbind(1)[1:], mask.unbind(1)[1:], strict=True):
                # Detached, since its gradient cancels out.
                best = prefixes.detach().amax(dim=-1, keepdim=True)
                longer = ((prefixes - best).exp() @ moves).log() + best + scores
                prefixes = torch.where(counts.unsqueeze(-1), longer, prefixes)
            return (prefixes + self.end_transitions).logsumexp(dim=-1)
