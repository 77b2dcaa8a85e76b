import pytest
import torch
from allennlp.common import FromParams, Lazy, Params

from lisa_allennlp.modules.role_decoders import (
    CrfRoleDecoder,
    GreedyRoleDecoder,
    RoleDecoder,
    ViterbiRoleDecoder,
)

# O, B-A0, I-A0, B-A1, I-A1
ALLOWED = torch.tensor(
    [
        [True, True, False, True, False],
        [True, True, True, True, False],
        [True, True, True, True, False],
        [True, True, False, True, True],
        [True, True, False, True, True],
    ]
)
STARTS = torch.tensor([True, True, False, True, False])
DECODERS = [CrfRoleDecoder, GreedyRoleDecoder, ViterbiRoleDecoder]


class Owner(FromParams):
    """Has a role decoder as a model has one."""

    def __init__(self, role_decoder: Lazy[RoleDecoder]) -> None:
        self.decoder = role_decoder.construct(allowed_transitions=ALLOWED, allowed_starts=STARTS)


@pytest.mark.parametrize(
    "params, expected",
    [
        ({"role_decoder": {}}, ViterbiRoleDecoder),
        ({"role_decoder": {"type": "greedy"}}, GreedyRoleDecoder),
        ({"role_decoder": {"type": "crf"}}, CrfRoleDecoder),
        ({"role_decoder": {"type": "viterbi", "transitions": "none"}}, ViterbiRoleDecoder),
    ],
)
def test_a_configuration_chooses_the_decoder(params, expected):
    assert type(Owner.from_params(Params(params)).decoder) is expected


@pytest.mark.parametrize("decoder_class", [GreedyRoleDecoder, ViterbiRoleDecoder])
@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_loss_is_the_summed_cross_entropy_of_the_known_roles(decoder_class, label_smoothing):
    torch.manual_seed(1)
    logits = torch.randn(2, 3, 5)
    roles = torch.tensor([[0, 1, 2], [-100, 3, 4]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    loss = decoder_class(ALLOWED, STARTS).loss(logits, roles, mask, label_smoothing)
    expected = 0.0
    for n, t in [(0, 0), (0, 1), (0, 2), (1, 1)]:
        log_probabilities = (logits[n, t].double().exp() / logits[n, t].double().exp().sum()).log()
        expected -= (1 - label_smoothing) * log_probabilities[roles[n, t]]
        expected -= label_smoothing * log_probabilities.mean()
    torch.testing.assert_close(loss.double(), expected)


@pytest.mark.parametrize("decoder_class", DECODERS)
@pytest.mark.parametrize("num_frames, num_tokens", [(0, 4), (2, 0), (0, 0)])
def test_a_batch_without_frames_has_no_loss_and_no_labels(decoder_class, num_frames, num_tokens):
    decoder = decoder_class(ALLOWED, STARTS)
    logits = torch.zeros(num_frames, num_tokens, 5, requires_grad=True)
    roles = torch.zeros(num_frames, num_tokens, dtype=torch.long)
    mask = torch.ones(num_frames, num_tokens, dtype=torch.bool)
    decoder.observe(roles, mask)
    loss = decoder.loss(logits, roles, mask, 0.0)
    loss.backward()
    assert loss.item() == 0.0
    assert decoder(logits, mask).shape == (num_frames, num_tokens)


@pytest.mark.parametrize("decoder_class", DECODERS)
def test_decoding_and_observing_never_wait_for_the_device(decoder_class):
    """Tensors without values raise when the host asks for one, or when a shape depends on one."""
    decoder = decoder_class(ALLOWED, STARTS).to("meta")
    logits, mask = torch.zeros(3, 4, 5, device="meta"), torch.ones(3, 4, device="meta").bool()
    decoder.observe(logits.argmax(-1), mask)
    assert decoder(logits, mask).shape == (3, 4)


@pytest.mark.parametrize("decoder_class", [CrfRoleDecoder, ViterbiRoleDecoder])
def test_decoded_labels_are_legal_whatever_the_scores(decoder_class):
    torch.manual_seed(2)
    decoder = decoder_class(ALLOWED, STARTS)
    logits = 10 * torch.randn(50, 7, 5)
    mask = torch.arange(7) < torch.randint(1, 8, (50, 1))
    decoder.observe(torch.randint(5, (50, 7)), mask)
    labels = decoder(logits, mask)
    assert STARTS[labels[:, 0]].all()
    assert ALLOWED[labels[:, :-1], labels[:, 1:]][mask[:, 1:]].all()
    assert labels[~mask].eq(0).all()
