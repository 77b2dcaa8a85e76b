import math

import pytest
import torch

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.models.lisa_loss import GoldLabels, MultiTaskLoss, Scores
from lisa_allennlp.modules.role_decoders import RoleDecoder

NUM_ROLES = 4
MASK = torch.tensor([[True, True, True], [True, True, False]])


def make_decoder() -> RoleDecoder:
    return RoleDecoder(RoleConstraints(["O", "B-A0", "B-A1", "B-V"]))


def make_scores(seed: int = 0) -> Scores:
    torch.manual_seed(seed)
    return Scores(
        joint_logits=torch.randn(2, 3, 5),
        arc_scores=torch.randn(2, 3, 3),
        head_tag_logits=torch.randn(2, 3, 6),
        role_logits=torch.randn(2, 3, NUM_ROLES),
    )


GOLD = GoldLabels(
    joint_tags=torch.tensor([[0, 4, -100], [2, 1, -100]]),
    head_indices=torch.tensor([[1, 1, 0], [0, 0, -100]]),
    head_tags=torch.tensor([[5, -100, 0], [1, 2, -100]]),
    frames={
        "sentence_indices": torch.tensor([0, 1]),
        "roles": torch.tensor([[0, 1, 2], [3, -100, -100]]),
    },
)


def nats(scores: torch.Tensor, label: int, smoothing: float = 0.0) -> float:
    """The cross entropy of one smoothed label, written out."""
    values = scores.tolist()
    total = math.log(sum(map(math.exp, values)))
    spread = sum(total - value for value in values) / len(values)
    return (1 - smoothing) * (total - values[label]) + smoothing * spread


def summed(scores: torch.Tensor, labels: torch.Tensor, smoothing: float) -> float:
    return sum(
        nats(scores[row, position], int(labels[row, position]), smoothing)
        for row, position in (labels >= 0).nonzero().tolist()
    )


def test_equation_7_written_out():
    scores, smoothing = make_scores(), 0.1
    loss = MultiTaskLoss(smoothing, arc_weight=2.0, head_tag_weight=0.5)
    total = loss(scores, GOLD, MASK, make_decoder())
    assert scores.role_logits is not None and scores.head_tag_logits is not None
    assert scores.arc_scores is not None and GOLD.frames is not None
    # A head is one of the sentence's own tokens, and its label is not smoothed.
    arcs = sum(nats(scores.arc_scores[0, token], head) for token, head in enumerate([1, 1, 0]))
    arcs += sum(nats(scores.arc_scores[1, token, :2], 0) for token in range(2))
    num_tokens = 5
    expected = {
        "srl_loss": summed(scores.role_logits, GOLD.frames["roles"], smoothing) / num_tokens,
        "joint_tag_loss": summed(scores.joint_logits, GOLD.joint_tags, smoothing) / num_tokens,
        "arc_loss": 2.0 * arcs / num_tokens,
        "head_tag_loss": 0.5
        * summed(scores.head_tag_logits, GOLD.head_tags, smoothing)
        / num_tokens,
    }
    assert float(total) == pytest.approx(sum(expected.values()), rel=1e-5)
    assert loss.get_metrics() == pytest.approx(expected, rel=1e-5)


def test_the_loss_of_roles_may_be_the_mean_over_all_labels_of_all_frames():
    """Those of two frames in the first sentence, whose three tokens are six labels."""
    roles = torch.tensor([[0, 1, 2], [3, 3, 0]])
    frames = {"sentence_indices": torch.tensor([0, 0]), "roles": roles}
    scores, gold = make_scores(), GoldLabels(frames=frames)
    assert scores.role_logits is not None
    mean = MultiTaskLoss(0.1, 1.0, 1.0, average_role_loss=True)(scores, gold, MASK, make_decoder())
    assert mean is not None
    assert float(mean) == pytest.approx(summed(scores.role_logits, roles, 0.1) / 6, rel=1e-5)
    nothing = {"sentence_indices": torch.zeros(0).long(), "roles": torch.zeros(0, 3).long()}
    scores = scores._replace(role_logits=torch.zeros(0, 3, NUM_ROLES))
    loss = MultiTaskLoss(0.1, 1.0, 1.0, average_role_loss=True)
    assert loss(scores, GoldLabels(frames=nothing), MASK, make_decoder()) == 0


def test_tasks_without_gold_labels_add_nothing():
    loss = MultiTaskLoss(0.0, 1.0, 1.0)
    assert loss(make_scores(), GoldLabels(), MASK, make_decoder()) is None
    gold = GoldLabels(joint_tags=GOLD.joint_tags)
    total = loss(make_scores(), gold, MASK, make_decoder())
    assert total is not None
    assert loss.get_metrics() == {"joint_tag_loss": pytest.approx(float(total))}


def test_what_training_needs() -> None:
    GOLD.check_complete(needs_parse=True)
    with pytest.raises(ConfigurationError, match="missing: dependency trees"):
        GOLD._replace(head_tags=None).check_complete(needs_parse=True)
    with pytest.raises(ConfigurationError, match="missing: POS tags, frames$"):
        GoldLabels().check_complete(needs_parse=False)


def test_rolesets_compete_with_the_other_candidates() -> None:
    logits = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, -1e30], [1.0, 2.0, -1e30], [4.0, 2.0, 1.0]])
    candidates = torch.tensor([[7, 2, 9], [4, 7, -1], [5, 6, -1], [3, 2, 1]])
    # The third roleset is not a candidate, the fourth is unknown.
    senses = torch.tensor([2, 4, 9, -100])
    assert GOLD.frames is not None
    gold = GoldLabels(frames={**GOLD.frames, "senses": senses})
    loss = MultiTaskLoss(0.0, 1.0, 1.0, sense_weight=0.5)
    joint_logits = make_scores().joint_logits
    scores = Scores(joint_logits, sense_logits=logits, sense_candidates=candidates)
    total = loss(scores, gold, MASK, make_decoder())
    expected = 0.5 * (nats(logits[0], 1) + nats(logits[1, :2], 0)) / 5
    assert float(total) == pytest.approx(expected, rel=1e-5)
    assert loss.get_metrics() == {"sense_loss": pytest.approx(expected, rel=1e-5)}


def test_without_weight_joint_tags_are_not_learned():
    scores = make_scores()
    logits = scores.joint_logits.requires_grad_()
    full, other = (
        MultiTaskLoss(0.0, 1.0, 1.0, joint_tag_weight=weight)(scores, GOLD, MASK, make_decoder())
        for weight in (1.0, 0.0)
    )
    assert full is not None and other is not None
    assert torch.autograd.grad(full, logits)[0].any()
    assert not torch.autograd.grad(other, logits)[0].any()
