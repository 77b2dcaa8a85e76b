import itertools

import numpy
import pytest
import torch
from allennlp.modules import ConditionalRandomField

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.modules.role_decoders import CrfRoleDecoder, ViterbiRoleDecoder
from lisa_allennlp.modules.role_decoders.crf import FastConditionalRandomField
from tests.modules.role_decoders.role_decoder_test import CONSTRAINTS


@pytest.fixture
def decoder() -> CrfRoleDecoder:
    torch.manual_seed(1)
    return CrfRoleDecoder(CONSTRAINTS)


def negative_log_likelihood(decoder, logits, labels) -> torch.Tensor:
    """Of one sequence, from the scores of all sequences."""
    crf = decoder._crf

    def score(labels):
        result = crf.start_transitions[labels[0]] + crf.end_transitions[labels[-1]]
        result = result + sum(logits[t, label] for t, label in enumerate(labels))
        return result + sum(crf.transitions[i, j] for i, j in itertools.pairwise(labels))

    everything = itertools.product(range(5), repeat=len(labels))
    scores = torch.stack([score(sequence) for sequence in everything])
    return scores.logsumexp(0) - score(labels)


def test_decoded_labels_are_those_of_allennlps_viterbi_tags(decoder):
    size, start, end = 5, 5, 6
    legal = numpy.argwhere(CONSTRAINTS.transitions).tolist()
    legal += [[start, first] for first in numpy.flatnonzero(CONSTRAINTS.starts)]
    peer = ConditionalRandomField(size, [*map(tuple, legal), *((i, end) for i in range(size))])
    for name in ("transitions", "start_transitions", "end_transitions"):
        getattr(peer, name).data = getattr(decoder._crf, name).data
    logits, lengths = 3 * torch.randn(40, 9, 5), torch.randint(1, 10, (40, 1))
    labels = decoder.decode(logits.numpy(), lengths.squeeze(1).numpy())
    for n, (expected, _) in enumerate(peer.viterbi_tags(logits, torch.arange(9) < lengths)):
        assert labels[n, : len(expected)].tolist() == expected


def test_tokens_of_unknown_role_are_left_out_of_their_sequence(decoder):
    logits = torch.randn(3, 4, 5, requires_grad=True)
    roles = torch.tensor([[-100, 1, -100, 0], [3, 4, 0, -100], [-100] * 4])
    mask = torch.ones(3, 4, dtype=torch.bool)
    assert decoder.loss(logits[2:], roles[2:], mask[2:], 0.0) == 0
    loss = decoder.loss(logits, roles, mask, 0.0)
    expected = negative_log_likelihood(decoder, logits[0, [1, 3]], [1, 0])
    expected = expected + negative_log_likelihood(decoder, logits[1, :3], [3, 4, 0])
    torch.testing.assert_close(loss, expected)
    loss.backward()
    assert logits.grad.abs().sum(-1).ne(0).tolist() == roles.ne(-100).tolist()


def test_label_smoothing_is_refused(decoder):
    roles, mask = torch.zeros(1, 3, dtype=torch.long), torch.ones(1, 3, dtype=torch.bool)
    with pytest.raises(ConfigurationError, match="label_smoothing is 0.1; expected 0.0"):
        decoder.loss(torch.zeros(1, 3, 5), roles, mask, 0.1)


def test_only_decoders_without_weights_can_replace_another():
    crf = CrfRoleDecoder(CONSTRAINTS)
    crf.observe(torch.tensor([[0, 1, 2]]), torch.ones(1, 3, dtype=torch.bool))
    replacement = ViterbiRoleDecoder(CONSTRAINTS)
    replacement.load_state_dict(crf.state_dict())
    assert torch.equal(replacement.transition_counts, crf.transition_counts)
    message = "the role decoder is 'crf', but the model was trained with another one"
    with pytest.raises(ConfigurationError, match=message):
        crf.load_state_dict(replacement.state_dict())


@pytest.mark.parametrize("spread", [1.0, 30.0])
def test_likelihoods_and_gradients_are_allennlps(spread):
    torch.manual_seed(3)
    field = FastConditionalRandomField(6).double()
    peer = ConditionalRandomField(6).double()
    peer.load_state_dict(field.state_dict())
    logits = spread * torch.randn(7, 9, 6, dtype=torch.double)
    labels = torch.randint(6, (7, 9))
    mask = torch.arange(9) < torch.randint(1, 10, (7, 1))
    results = []
    for crf in (field, peer):
        scores = logits.clone().requires_grad_()
        likelihood = crf(scores, labels, mask)
        likelihood.backward()
        gradients = [p.grad for p in crf.parameters() if p.requires_grad]
        results.append([likelihood, scores.grad, *gradients])
    torch.testing.assert_close(results[0], results[1], rtol=1e-8, atol=1e-8)
