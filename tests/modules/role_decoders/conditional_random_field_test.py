"""The faster field against AllenNLP's own."""

import pytest
import torch
from allennlp.modules import ConditionalRandomField

from lisa_allennlp.modules.role_decoders.conditional_random_field import FastConditionalRandomField


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


def test_scores_of_any_size_have_finite_gradients():
    field = FastConditionalRandomField(4)
    logits = (1000 * torch.randn(3, 5, 4)).requires_grad_()
    field(logits, torch.randint(4, (3, 5)), torch.ones(3, 5, dtype=torch.bool)).backward()
    assert logits.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in field.parameters() if p.requires_grad)
