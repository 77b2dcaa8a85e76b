import numpy
import pytest
import torch

from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.modules.role_decoders import (
    CrfRoleDecoder,
    GreedyRoleDecoder,
    ViterbiRoleDecoder,
)

CONSTRAINTS = RoleConstraints(["O", "B-A0", "I-A0", "B-A1", "I-A1"])
DECODERS = [CrfRoleDecoder, GreedyRoleDecoder, ViterbiRoleDecoder]


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
