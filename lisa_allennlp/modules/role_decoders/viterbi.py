"""Role labels, decoded by frame with constraints and training statistics."""

from typing import Tuple

import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.modules.role_decoders.linear_chain import FORBIDDEN, Predecessors, viterbi
from lisa_allennlp.modules.role_decoders.role_decoder import RoleDecoder, VerbLabels

TRANSITIONS = ("scaled_likelihood", "none", "probability", "log_probability")


@RoleDecoder.register("viterbi")
class ViterbiRoleDecoder(RoleDecoder):
    """
    The best legal label sequence of each frame: the log-probability of each token's label plus a
    score for each move from a label to the next, with the moves that BIO rules out forbidden.

    The paper adds "the transition probabilities given by the training data" to the scores. How it
    is done matters. Development F1 of one model on the English Web Treebank after 4, 8, 12 and 16
    epochs:

    | decoder | 4 | 8 | 12 | 16 |
    | --- | --- | --- | --- | --- |
    | `greedy` | 36.4 | 50.5 | 57.7 | 60.9 |
    | `none`: legal moves score 0 | 37.2 | 52.0 | 59.3 | 62.2 |
    | `probability`: P(y given y'), what the authors' code does | 34.8 | 50.6 | 59.5 | 62.3 |
    | `log_probability`: log P(y given y') | 22.5 | 37.5 | 50.5 | 52.4 |
    | `scaled_likelihood`: 0.25 (log P(y given y') - log P(y)) | 40.2 | 54.1 | 61.1 | 64.0 |

    The network's scores already hold the prior P(y). `log_probability` counts it twice: O wins, and
    recall collapses. `scaled_likelihood` divides it out, as hybrid HMM taggers do, and is the
    default.

    Before anything is counted, every legal move scores 0.

    Registered as a `RoleDecoder` with name "viterbi", which is the default.

    # Parameters

    transitions : `str`, optional (default = `"scaled_likelihood"`)
        The score of a legal move, one of the forms in the table. The first token of a sentence has
        the same form, with P(y given that a sentence begins).
    transition_weight : `float`, optional (default = `0.25`)
        The factor of `scaled_likelihood`; the other forms have none. Choose it on development
        data: after 4, 8 and 12 epochs 0.5 gave 40.4, 53.3 and 60.5, and 1.0 only 24.8, 28.4 and
        32.6.
    smoothing : `float`, optional (default = `1.0`)
        What is added to the count of each legal move. More than 0.

    # Raises

    `ConfigurationError`
        When `transitions` is unknown or `smoothing` is not positive.
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
                f"The viterbi role decoder has no transitions {transitions!r}: "
                f"choose one of {', '.join(TRANSITIONS)}."
            )
        if not smoothing > 0:
            raise ConfigurationError(
                f"The smoothing of the viterbi role decoder is {smoothing}, but must be more than "
                "0: a legal move that was never seen would get the logarithm of 0."
            )
        self._transitions = transitions
        self._transition_weight = transition_weight
        self._smoothing = smoothing
        self._predecessors = Predecessors(self.allowed_transitions)

    def decode(self, logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """As in `RoleDecoder`."""
        transitions, starts = self.move_scores()
        # Log-probabilities would differ by one number for all the labels of a token, and decode to
        # the same.
        return viterbi(logits, mask, transitions, starts, predecessors=self._predecessors)

    @torch.no_grad()
    def move_scores(self) -> Tuple[torch.Tensor, torch.Tensor]:
        """
        # Returns

        `Tuple[torch.Tensor, torch.Tensor]`
            The scores of the moves (L, L), from the row's label to the column's, and of the first
            label (L,). Illegal ones are `FORBIDDEN`.
        """
        # The start of a sentence is one more label to come from: row L.
        allowed = torch.cat([self.allowed_transitions, self.allowed_starts.unsqueeze(0)])
        counts = torch.cat([self.transition_counts, self.start_counts.unsqueeze(0)]).float()
        smoothed = (counts + self._smoothing).masked_fill(~allowed, 0.0)
        # A label from which nothing is allowed has no legal move to score; the clamp keeps 0 / 0
        # out of its row.
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
