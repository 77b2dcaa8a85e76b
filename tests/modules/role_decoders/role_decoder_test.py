import numpy
import pytest
import torch

from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.modules.role_decoders import (
    CrfRoleDecoder,
    GreedyRoleDecoder,
    RoleDecoder,
    ViterbiRoleDecoder,
)

CONSTRAINTS = RoleConstraints(["O", "B-A0", "I-A0", "B-A1", "I-A1"])
DECODERS = [CrfRoleDecoder, GreedyRoleDecoder, ViterbiRoleDecoder]


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_loss_is_the_summed_cross_entropy_of_the_known_roles(label_smoothing):
    torch.manual_seed(1)
    logits = torch.randn(2, 3, 5)
    roles = torch.tensor([[0, 1, 2], [-100, 3, 4]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    loss = RoleDecoder(CONSTRAINTS).loss(logits, roles, mask, label_smoothing)
    expected = 0.0
    for n, t in [(0, 0), (0, 1), (0, 2), (1, 1)]:
        log_probabilities = (logits[n, t].double().exp() / logits[n, t].double().exp().sum()).log()
        expected -= (1 - label_smoothing) * log_probabilities[roles[n, t]]
        expected -= label_smoothing * log_probabilities.mean()
    torch.testing.assert_close(loss.double(), expected)


@pytest.mark.parametrize("decoder_class", DECODERS)
def test_a_batch_without_frames_has_no_loss_and_no_labels(decoder_class):
    decoder = decoder_class(CONSTRAINTS)
    logits = torch.zeros(0, 4, 5, requires_grad=True)
    roles, mask = torch.zeros(0, 4, dtype=torch.long), torch.ones(0, 4, dtype=torch.bool)
    decoder.observe(roles, mask)
    loss = decoder.loss(logits, roles, mask, 0.0)
    loss.backward()
    assert loss.item() == 0.0
    assert decoder.decode(logits.detach().numpy(), numpy.zeros(0, int)).shape == (0, 4)


def test_observing_never_waits_for_the_device():
    """Tensors without values raise when the host asks for one, or when a shape depends on one."""
    decoder = ViterbiRoleDecoder(CONSTRAINTS).to("meta")
    roles = torch.zeros(3, 4, device="meta").long()
    decoder.observe(roles, torch.ones_like(roles).bool())


def test_greedy_takes_the_best_label_of_each_token_even_if_illegal() -> None:
    decoder = GreedyRoleDecoder(RoleConstraints(["O", "B-A0", "I-A0"]))
    logits = numpy.array([[[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [0.0, 0.0, 9.0]]])
    assert decoder.decode(logits, numpy.array([3])).tolist() == [[2, 0, 2]]
