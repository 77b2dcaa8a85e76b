"""The base class of role decoders, and the loss that most of them share."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
from allennlp.common import Registrable

from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN
from lisa_allennlp.modules.role_decoders.span_marginals import span_marginals


class VerbLabels(NamedTuple):
    """
    The indices of the predicate's own labels, `B-V` and `I-V`; `None` for a label that the training
    data lacks.
    """

    begin: Optional[int] = None
    inside: Optional[int] = None


class RoleDecoder(torch.nn.Module, Registrable):
    """
    Decodes the role scores of N frames over T tokens into one of L labels per token, and computes
    the loss that trains these scores. Subclasses implement `decode`.

    The frames of a batch may come from different sentences. A frame has one label per token of its
    sentence, and its padding is on the right.

    Every decoder has the counts of the training data's labels, each sentence counted once by the
    trainer's callback `role_statistics`. They are saved with the model even if the decoder does not
    use them, so that a model can be evaluated with another decoder than it was trained with.

    >>> allowed = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    >>> starts = torch.tensor([True, True, False])
    >>> decoder = RoleDecoder.by_name("viterbi")(allowed, starts)
    >>> roles, mask = torch.tensor([[0, 1, 2], [1, 0, -100]]), torch.ones(2, 3, dtype=torch.bool)
    >>> decoder.observe(roles, mask)
    >>> decoder.start_counts, decoder.transition_counts[1]
    (tensor([1, 1, 0]), tensor([1, 0, 1]))
    >>> decoder.loss(torch.zeros(2, 3, 3), roles, mask)  # 5 log 3
    tensor(5.4931)

    # Parameters

    allowed_transitions : `torch.Tensor`
        (L, L) bool, from the row's label to the column's label. Set by the model, not by the
        configuration.
    allowed_starts : `torch.Tensor`
        (L,) bool, the labels that the first token of a sentence may have. Set by the model.
    verb : `VerbLabels`, optional
        Set by the model. If given, each decoded frame has one `V`, which begins at the predicate.
    """

    default_implementation = "viterbi"

    allowed_transitions: torch.Tensor
    allowed_starts: torch.Tensor
    continuing: torch.Tensor
    transition_counts: torch.Tensor
    start_counts: torch.Tensor

    def __init__(
        self,
        allowed_transitions: torch.Tensor,
        allowed_starts: torch.Tensor,
        verb: VerbLabels = VerbLabels(),  # noqa: B008
    ) -> None:
        super().__init__()
        # The vocabulary determines both, so a saved model need not repeat them.
        self.register_buffer("allowed_transitions", allowed_transitions.bool(), persistent=False)
        self.register_buffer("allowed_starts", allowed_starts.bool(), persistent=False)
        continues = self.allowed_transitions & ~self.allowed_starts
        continuing = continues.int().argmax(-1).masked_fill(~continues.any(-1), -1)
        self.register_buffer("continuing", continuing, persistent=False)
        size = self.num_labels
        self.register_buffer("transition_counts", torch.zeros(size, size, dtype=torch.long))
        self.register_buffer("start_counts", torch.zeros(size, dtype=torch.long))
        self.verb = verb

    @property
    def num_labels(self) -> int:
        """The number of labels, L."""
        return self.allowed_starts.size(0)

    def loss(
        self,
        logits: torch.Tensor,
        roles: torch.Tensor,
        mask: torch.Tensor,
        label_smoothing: float = 0.0,
    ) -> torch.Tensor:
        """
        The cross-entropy of the labels, the role term of the paper's loss (equation 7).

        # Parameters

        logits : `torch.Tensor`
            (N, T, L).
        roles : `torch.Tensor`
            (N, T) long; -100 where the label is unknown. Such tokens add nothing to the loss.
        mask : `torch.Tensor`
            (N, T) bool.
        label_smoothing : `float`, optional (default = `0.0`)
            The probability mass that is spread evenly over all labels.

        # Returns

        `torch.Tensor`
            A scalar: the negative log-likelihood in nats, summed (not averaged) over the tokens in
            the mask with a known role.
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
        Adds the transitions and the first labels of some frames to the counts. Transitions from or
        to padding or an unknown role (-100) are not counted.

        # Parameters

        roles : `torch.Tensor`
            (N, T) long; -100 where the label is unknown.
        mask : `torch.Tensor`
            (N, T) bool.
        """
        if roles.size(1) == 0:
            return
        known = mask & (roles != IGNORED_LABEL)
        roles = roles.masked_fill(~known, 0)
        moves = roles[:, :-1] * self.num_labels + roles[:, 1:]
        # Not `bincount`, which makes the host wait for the GPU.
        self.transition_counts.view(-1).scatter_add_(
            0, moves.reshape(-1), (known[:, :-1] & known[:, 1:]).reshape(-1).long()
        )
        self.start_counts.scatter_add_(0, roles[:, 0], known[:, 0].long())

    def forward(
        self,
        logits: torch.Tensor,
        mask: torch.Tensor,
        predicate_indices: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        # Parameters

        logits : `torch.Tensor`
            (N, T, L).
        mask : `torch.Tensor`
            (N, T) bool.
        predicate_indices : `torch.Tensor`, optional
            (N,) long, the position of each frame's predicate, where its `V` begins. If `None`, a
            `V` may begin anywhere.

        # Returns

        `torch.Tensor`
            (N, T) long, the decoded labels; 0 at padding.
        """
        return self.decode(self._constrained(logits, predicate_indices), mask)

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """
        As `forward`, but the logits are in single precision and already contain all constraints on
        `V`.
        """
        raise NotImplementedError

    def span_probabilities(
        self,
        logits: torch.Tensor,
        labels: torch.Tensor,
        mask: torch.Tensor,
        predicate_indices: Optional[torch.Tensor] = None,
        temperature: float = 1.0,
    ) -> torch.Tensor:
        """
        The marginal probability of each decoded span, in the chain of `potentials`.

        # Parameters

        logits, mask, predicate_indices :
            As for `forward`.
        labels : `torch.Tensor`
            (N, T) long, the decoded labels.
        temperature : `float`, optional (default = `1.0`)
            As for `span_marginals`.

        # Returns

        `torch.Tensor`
            (N, T), as `span_marginals` returns it.
        """
        logits, potentials = self._constrained(logits, predicate_indices), self.potentials()
        return span_marginals(logits, labels, mask, self.continuing, *potentials, temperature)

    def potentials(self) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """
        The chain in which this decoder finds the best labels. In the base class, the labels of a
        frame are independent of each other.

        # Returns

        `Tuple[torch.Tensor, torch.Tensor, torch.Tensor]`
            The scores of transitions (L, L), from the row's label to the column's, of the first
            label (L,) and of the last label (L,).
        """
        transitions = torch.zeros_like(self.allowed_transitions, dtype=torch.float)
        none = torch.zeros_like(self.allowed_starts, dtype=torch.float)
        return transitions, none, none

    def _load_from_state_dict(
        self,
        state_dict: Dict[str, Any],
        prefix: str,
        local_metadata: Dict[str, Any],
        strict: bool,
        missing_keys: List[str],
        unexpected_keys: List[str],
        error_msgs: List[str],
    ) -> None:
        """Ignores the weights of another decoder, with which the model was trained."""
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )
        unexpected_keys[:] = [key for key in unexpected_keys if not key.startswith(prefix)]

    def _constrained(
        self, logits: torch.Tensor, predicate_indices: Optional[torch.Tensor]
    ) -> torch.Tensor:
        logits = logits.float()
        if predicate_indices is None or self.verb.begin is None:
            return logits
        return self._with_verb_at(logits, predicate_indices)

    def _with_verb_at(self, logits: torch.Tensor, predicate_indices: torch.Tensor) -> torch.Tensor:
        """The logits, with `B-V` forced at predicates and forbidden at other tokens."""
        positions = torch.arange(logits.size(1), device=logits.device)
        is_predicate = (positions == predicate_indices.unsqueeze(-1)).unsqueeze(-1)
        is_begin = torch.zeros(self.num_labels, dtype=torch.bool, device=logits.device)
        is_begin[self.verb.begin] = True
        return logits.masked_fill(is_predicate != is_begin, FORBIDDEN)
