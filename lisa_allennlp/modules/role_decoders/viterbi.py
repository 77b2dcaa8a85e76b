"""A role decoder with BIO constraints and transition statistics of the training data."""

from typing import Tuple

import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN, Predecessors, viterbi
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder, VerbLabels

TRANSITIONS = ("scaled_likelihood", "none", "probability", "log_probability")


@RoleDecoder.register("viterbi")
class ViterbiRoleDecoder(RoleDecoder):
    """
    The best legal label sequence of each frame: it maximises the sum of the labels'
    log-probabilities and of a score for each transition. BIO rules some transitions out.

    The paper adds "the transition probabilities given by the training data" to the scores. The form
    of these transition scores matters. Development F1 of one model on the English Web Treebank
    after 4, 8, 12 and 16 epochs:

    | decoder | 4 | 8 | 12 | 16 |
    | --- | --- | --- | --- | --- |
    | `greedy` | 36.4 | 50.5 | 57.7 | 60.9 |
    | `none`: legal transitions score 0 | 37.2 | 52.0 | 59.3 | 62.2 |
    | `probability`: P(y given y'), as in the authors' code | 34.8 | 50.6 | 59.5 | 62.3 |
    | `log_probability`: log P(y given y') | 22.5 | 37.5 | 50.5 | 52.4 |
    | `scaled_likelihood`: 0.25 (log P(y given y') - log P(y)) | 40.2 | 54.1 | 61.1 | 64.0 |

    The network's scores already contain the prior P(y). `log_probability` counts it twice, so O
    wins and recall collapses. `scaled_likelihood` divides it out, as hybrid HMM taggers do; it is
    the default.

    Until labels have been counted, every legal transition scores 0.

    Registered as a `RoleDecoder` with name "viterbi", the default.

    >>> allowed = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    >>> decoder = ViterbiRoleDecoder(allowed, allowed_starts=torch.tensor([True, True, False]))
    >>> logits = torch.tensor([[[2.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 2.0]]])
    >>> decoder(logits, mask=torch.ones(1, 3, dtype=torch.bool))  # 0 is O, 1 is B-x, 2 is I-x
    tensor([[0, 1, 2]])

    # Parameters

    transitions : `str`, optional (default = `"scaled_likelihood"`)
        The score of a legal transition, one of the forms in the table. The first label of a
        sentence is scored in the same form, with P(y given the start of a sentence).
    transition_weight : `float`, optional (default = `0.25`)
        The factor of `scaled_likelihood`; the other forms have none. Choose it on development data:
        after 4, 8 and 12 epochs 0.5 gave 40.4, 53.3 and 60.5, and 1.0 only 24.8, 28.4 and 32.6.
    smoothing : `float`, optional (default = `1.0`)
        Added to the count of each legal transition. It must be more than 0.

    # Raises

    `ConfigurationError`
        If `transitions` is unknown or `smoothing` is not positive.
    """

    def __init__(
        self,
        allowed_transitions: torch.Tensor,
        allowed_starts: torch.Tensor,
        transitions: str = "scaled_likelihood",
        transition_weight: float = 0.25,
        smoothing: float = 1.0,
        verb: VerbLabels = VerbLabels(),  # noqa: B008
    ) -> None:
        super().__init__(allowed_transitions, allowed_starts, verb)
        if transitions not in TRANSITIONS:
            raise ConfigurationError(
                f"transitions of the 'viterbi' role decoder is {transitions!r}; "
                f"expected one of {', '.join(TRANSITIONS)}"
            )
        if not smoothing > 0:
            raise ConfigurationError(
                f"smoothing of the 'viterbi' role decoder is {smoothing}; expected more than 0, "
                "since an unseen legal transition would otherwise score log(0)"
            )
        self._transitions = transitions
        self._transition_weight = transition_weight
        self._smoothing = smoothing
        self._predecessors = Predecessors(self.allowed_transitions)

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`."""
        # Log-probabilities would decode to the same labels: they differ from the logits by one
        # constant per token.
        return viterbi(logits, mask, *self.potentials(), self._predecessors)

    def potentials(self) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """As in `RoleDecoder`."""
        transitions, starts = self.move_scores()
        return transitions, starts, torch.zeros_like(starts)

    @torch.no_grad()
    def move_scores(self) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        # Returns

        `Tuple[torch.Tensor, torch.Tensor]`
            The scores of transitions (L, L), from the row's label to the column's, and of the first
            label (L,). Illegal ones are `FORBIDDEN`.
        """
        # The start of a sentence counts as one more preceding label: row L.
        allowed = torch.cat([self.allowed_transitions, self.allowed_starts.unsqueeze(0)])
        counts = torch.cat([self.transition_counts, self.start_counts.unsqueeze(0)]).float()
        smoothed = (counts + self._smoothing).masked_fill(~allowed, 0.0)
        # The clamp keeps 0 / 0 out of the row of a label that no label may follow.
        conditional = smoothed / smoothed.sum(-1, keepdim=True).clamp(min=self._smoothing)
        prior = counts.sum(0) + self._smoothing
        prior = prior / prior.sum()
        scores = self._legal_move_scores(conditional, prior)
        scores = torch.where(counts.sum() > 0, scores, torch.zeros_like(scores))
        scores = scores.masked_fill(~allowed, FORBIDDEN)
        return scores[:-1], scores[-1]

    def _legal_move_scores(self, conditional: torch.Tensor, prior: torch.Tensor) -> torch.Tensor:
        if self._transitions == "none":
            return torch.zeros_like(conditional)
        if self._transitions == "probability":
            return conditional
        if self._transitions == "log_probability":
            return conditional.log()
        return self._transition_weight * (conditional.log() - prior.log())
