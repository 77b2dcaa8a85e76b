import itertools

import pytest
import torch

from lisa_allennlp.modules.whole_input_dropout import WholeInputDropout


def test_the_survivor_of_two_is_doubled():
    torch.manual_seed(1)
    inputs = torch.rand(20, 50, 5) + 1
    outputs = WholeInputDropout([3, 2], [0.33, 0.33])(inputs)
    factors = outputs / inputs
    # Whole words and whole tags.
    word, tag = factors[..., 0], factors[..., 3]
    torch.testing.assert_close(factors[..., :3], word.unsqueeze(-1).expand(-1, -1, 3))
    torch.testing.assert_close(factors[..., 3:], tag.unsqueeze(-1).expand(-1, -1, 2))
    pairs = list(zip(word.flatten().tolist(), tag.flatten().tolist(), strict=True))
    pairs = [(round(w), round(t)) for w, t in pairs]
    assert set(pairs) == {(1, 1), (2, 0), (0, 2), (0, 0)}
    # Independently of each other, and at each token anew.
    expected = {(1, 1): 0.67**2, (2, 0): 0.67 * 0.33, (0, 2): 0.33 * 0.67, (0, 0): 0.33**2}
    for pair, probability in expected.items():
        assert pairs.count(pair) / len(pairs) == pytest.approx(probability, abs=0.05)


def test_what_is_left_of_several_adds_up():
    torch.manual_seed(1)
    outputs = WholeInputDropout([1, 1, 1], [0.5] * 3)(torch.ones(10, 20, 3))
    seen = {tuple(row) for row in outputs.view(-1, 3).tolist()}
    assert seen == {
        tuple(3 / max(sum(kept), 1) * k for k in kept)
        for kept in itertools.product([0, 1], repeat=3)
    }


def test_an_only_input_is_dropped_without_scaling():
    torch.manual_seed(1)
    outputs = WholeInputDropout([4], [0.33])(torch.ones(5, 30, 4))
    assert set(outputs.flatten().tolist()) == {0.0, 1.0}


def test_nothing_happens_in_evaluation_and_without_dropout():
    inputs = torch.rand(2, 3, 4)
    assert torch.equal(WholeInputDropout([3, 1], [0.3, 0.3]).eval()(inputs), inputs)
    assert torch.equal(WholeInputDropout([3, 1], [0.0, 0.0])(inputs), inputs)


def test_one_of_two_may_be_dropped_alone():
    torch.manual_seed(1)
    outputs = WholeInputDropout([2, 1], [0.0, 0.4])(torch.ones(20, 50, 3))
    assert {tuple(row) for row in outputs.view(-1, 3).tolist()} == {(1, 1, 1), (2, 2, 0)}
    assert (outputs[..., 2] == 0).float().mean() == pytest.approx(0.4, abs=0.05)
