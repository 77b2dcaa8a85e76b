"""LISA's multi-task loss (equation 7)."""

from typing import Dict, Mapping, NamedTuple, Optional

import torch

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields import IGNORED_LABEL
from lisa_allennlp.modules.role_decoders import RoleDecoder
from lisa_allennlp.training.metrics import MeanLosses


class GoldLabels(NamedTuple):
    """
    The gold labels of a batch. Tags and heads are `(batch_size, length)`; a root is its own head,
    and -100 marks padding, unknown labels and missing annotation. `frames` are the tensors of a
    `FramesField`. In a partly annotated corpus, the tags are those of a `PartialJointTagsField`,
    `(batch_size, length, num_joint_tags)`.
    """

    joint_tags: Optional[torch.Tensor] = None
    head_indices: Optional[torch.Tensor] = None
    head_tags: Optional[torch.Tensor] = None
    frames: Optional[Dict[str, torch.Tensor]] = None

    def check_complete(self, needs_parse: bool, needs_senses: bool = False) -> None:
        """Raises a `ConfigurationError` if a task has no gold labels."""
        required = {"POS tags": self.joint_tags, "frames": self.frames}
        missing = [name for name, labels in required.items() if labels is None]
        if needs_parse and (self.head_indices is None or self.head_tags is None):
            missing.append("dependency trees (set the reader's parses_suffix)")
        if needs_senses and "senses" not in (self.frames or {}):
            missing.append("senses (set the reader's option senses)")
        if missing:
            raise ConfigurationError(
                f"cannot train without gold annotation; missing: {', '.join(missing)}"
            )


class Scores(NamedTuple):
    """
    The network's scores of the gold labels of a batch, in single precision.

    # Parameters

    joint_logits : `torch.Tensor`
        Shape `(batch_size, length, num_joint_tags)`.
    arc_scores : `torch.Tensor`, optional
        Shape `(batch_size, length, length)`: for each token, the scores of its possible heads.
    head_tag_logits : `torch.Tensor`, optional
        Shape `(batch_size, length, num_head_tags)`.
    role_logits : `torch.Tensor`, optional
        Shape `(num_frames, length, num_roles)`.
    sense_logits : `torch.Tensor`, optional
        Shape `(num_frames, num_candidates)`, very low for padding.
    sense_candidates : `torch.LongTensor`, optional
        Shape `(num_frames, num_candidates)`: indices of rolesets, negative for padding.
    """

    joint_logits: torch.Tensor
    arc_scores: Optional[torch.Tensor] = None
    head_tag_logits: Optional[torch.Tensor] = None
    role_logits: Optional[torch.Tensor] = None
    sense_logits: Optional[torch.Tensor] = None
    sense_candidates: Optional[torch.Tensor] = None


class MultiTaskLoss(torch.nn.Module):
    """
    The sum of the cross-entropies of all tasks, divided by the number of tokens T (equation 7):

        1/T (roles + joint tags + lambda_1 heads + lambda_2 arc labels)

    and, beyond the paper, the weighted cross-entropy of the rolesets, which is over the candidates
    of each predicate. The joint tags may have a weight, too. A task without gold labels adds
    nothing. With `average_role_loss`, that of the roles is instead the mean over all labels of all
    frames, as in the authors' code, so that it weighs less the more frames there are.
    """

    def __init__(
        self,
        label_smoothing: float,
        arc_weight: float,
        head_tag_weight: float,
        sense_weight: float = 0.1,
        joint_tag_weight: float = 1.0,
        average_role_loss: bool = False,
    ) -> None:
        super().__init__()
        self._label_smoothing = label_smoothing
        self._arc_weight = arc_weight
        self._head_tag_weight = head_tag_weight
        self._sense_weight = sense_weight
        self._joint_tag_weight = joint_tag_weight
        self._average_role_loss = average_role_loss
        self._means = MeanLosses()

    def forward(
        self,
        scores: Scores,
        gold: GoldLabels,
        mask: torch.Tensor,
        role_decoder: RoleDecoder,
        auxiliary: Optional[Mapping[str, torch.Tensor]] = None,
    ) -> Optional[torch.Tensor]:
        """
        Returns a scalar in nats per token; `None` without gold labels. The role decoder's loss is
        the cross-entropy, or the likelihood of a CRF. `auxiliary` has the losses of further tasks
        by name, weighted and summed over the batch.
        """
        smoothing, frames = self._label_smoothing, gold.frames
        losses: Dict[str, torch.Tensor] = {}
        if scores.role_logits is not None and frames is not None:
            is_token = mask[frames["sentence_indices"]]
            losses["srl"] = role_decoder.loss(
                scores.role_logits, frames["roles"], is_token, smoothing
            )
            if self._average_role_loss:
                losses["srl"] = losses["srl"] * mask.sum() / is_token.sum().clamp(min=1)
        if gold.joint_tags is not None:
            of_tags = _cross_entropy if gold.joint_tags.dim() == 2 else _of_possible_labels
            losses["joint_tag"] = self._joint_tag_weight * of_tags(
                scores.joint_logits, gold.joint_tags, smoothing
            )
        if scores.arc_scores is not None and gold.head_indices is not None:
            lowest = torch.finfo(scores.arc_scores.dtype).min
            arc_scores = scores.arc_scores.masked_fill(~mask.unsqueeze(1), lowest)
            losses["arc"] = self._arc_weight * _cross_entropy(arc_scores, gold.head_indices)
        if scores.head_tag_logits is not None and gold.head_tags is not None:
            losses["head_tag"] = self._head_tag_weight * _cross_entropy(
                scores.head_tag_logits, gold.head_tags, smoothing
            )
        logits, candidates = scores.sense_logits, scores.sense_candidates
        if logits is not None and candidates is not None and frames is not None:
            # Predicates whose roleset is unknown or not a candidate are ignored.
            is_gold = candidates.eq(frames["senses"].unsqueeze(-1))
            known, numbers = is_gold.any(-1), is_gold.long().argmax(-1)
            losses["sense"] = self._sense_weight * _cross_entropy(logits[known], numbers[known])
        losses.update(auxiliary or {})
        if not losses:
            return None
        per_token = {f"{name}_loss": loss / mask.sum() for name, loss in losses.items()}
        self._means(per_token)
        return torch.stack(list(per_token.values())).sum()

    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        """
        Returns the mean weighted losses per token: `srl_loss`, `joint_tag_loss`, `arc_loss`,
        `head_tag_loss`, `sense_loss`, and `NAME_loss` of an auxiliary task.
        """
        return self._means.get_metric(reset)


def _cross_entropy(
    logits: torch.Tensor, labels: torch.Tensor, label_smoothing: float = 0.0
) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, -2),
        labels.flatten(),
        ignore_index=IGNORED_LABEL,
        reduction="sum",
        label_smoothing=label_smoothing,
    )


def _of_possible_labels(
    logits: torch.Tensor, possible: torch.Tensor, label_smoothing: float = 0.0
) -> torch.Tensor:
    """
    The negative log-likelihood of the possible labels (true in a tensor like the logits): the
    cross-entropy, smoothed, if there is one; nothing if there is none.
    """
    counts, labels = possible.sum(-1), possible.long().argmax(-1)
    single = labels.masked_fill(counts != 1, IGNORED_LABEL)
    several = counts > 1
    scores, allowed = logits[several], possible[several]
    lowest = torch.finfo(scores.dtype).min
    among = scores.masked_fill(~allowed, lowest).logsumexp(-1)
    return _cross_entropy(logits, single, label_smoothing) + (scores.logsumexp(-1) - among).sum()
