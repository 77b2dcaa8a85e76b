"""A role decoder with trained transition scores."""

from typing import Any, Dict, Tuple

import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.modules.role_decoders.conditional_random_field import FastConditionalRandomField
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN, Predecessors, viterbi
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder, VerbLabels


@RoleDecoder.register("crf")
class CrfRoleDecoder(RoleDecoder):
    """
    A linear-chain conditional random field: the transition scores are trained with the network. It
    is AllenNLP's `ConditionalRandomField`, computed faster. As there, the constraints apply in
    decoding and not in the loss. Decoding gives the labels of its `viterbi_tags`, for all frames at
    once.

    Registered as a `RoleDecoder` with name "crf".

    >>> allowed = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    >>> decoder = CrfRoleDecoder(allowed, allowed_starts=torch.tensor([True, True, False]))
    >>> logits = torch.tensor([[[20.0, 0.0, 0.0], [0.0, 10.0, 20.0], [0.0, 0.0, 20.0]]])
    >>> decoder(logits, mask=torch.ones(1, 3, dtype=torch.bool))  # 0 is O, 1 is B-x, 2 is I-x
    tensor([[0, 1, 2]])

    # Raises

    `ConfigurationError`
        When the weights of a model with another role decoder are loaded.
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

        A token with an unknown role (-100) is left out of its sequence, and the tokens on its two
        sides become neighbours. A frame without a known role adds nothing to the loss.

        # Raises

        `ConfigurationError`
            If `label_smoothing` is not 0: it is defined for a single label, not for a sequence.
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

    def _load_from_state_dict(
        self, state_dict: Dict[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        is_other = f"{prefix}_crf.transitions" not in state_dict
        if is_other and f"{prefix}transition_counts" in state_dict:
            raise ConfigurationError(
                "the role decoder is 'crf', but the model was trained with another one; expected "
                "'viterbi' or 'greedy', which have no weights"
            )
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`."""
        return viterbi(logits, mask, *self.potentials(), self._predecessors)

    def potentials(self) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """As in `RoleDecoder`."""
        crf = self._crf
        return (
            crf.transitions.masked_fill(~self.allowed_transitions, FORBIDDEN),
            crf.start_transitions.masked_fill(~self.allowed_starts, FORBIDDEN),
            crf.end_transitions,
        )
