import torch
from allennlp.common import Params

from lisa_allennlp.modules.heads.linear_sense_tagger import LinearSenseTagger
from lisa_allennlp.modules.heads.sense_tagger import SenseTagger


def test_logits_are_those_of_a_linear_layer():
    tagger = LinearSenseTagger(input_dim=4, num_senses=9).eval()
    states, candidates = torch.randn(3, 4), torch.tensor([[3, 5], [0, 8], [7, 7]])
    expected = tagger._projection(states).gather(1, candidates)
    torch.testing.assert_close(tagger(states, candidates).logits, expected)
    half = tagger(states.bfloat16(), candidates).logits
    torch.testing.assert_close(half, expected, atol=0.1, rtol=0.1)


def test_dropout_is_of_training_only():
    tagger = LinearSenseTagger(4, 9, dropout=1.0)
    states, candidates = torch.ones(1, 4), torch.tensor([[3, 5]])
    bias = tagger._projection.bias[candidates]
    torch.testing.assert_close(tagger(states, candidates).logits, bias)
    assert not torch.equal(tagger.eval()(states, candidates).logits, bias)


def test_it_is_the_default():
    tagger = SenseTagger.from_params(Params({}), input_dim=4, num_senses=9)
    assert isinstance(tagger, LinearSenseTagger)
