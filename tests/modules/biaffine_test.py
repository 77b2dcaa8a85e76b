import pytest
import torch

from lisa_allennlp.modules.biaffine import PAIRS_AT_ONCE, BiaffineAttention, LabelBilinear


def randomise(module: torch.nn.Module) -> None:
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter)


def written_out_forms(bilinear: LabelBilinear) -> torch.Tensor:
    """U of shape (num_labels, left_dim + 1, right_dim + 1): the last row and column are biases."""
    labels = bilinear._left_to_labels
    num_labels, left_dim = labels.weight.shape
    of_both = bilinear._left_to_form.weight.view(-1, num_labels, left_dim).permute(1, 2, 0)
    of_right = bilinear._right_to_labels.weight.unsqueeze(1)
    of_pairs = torch.cat([of_both, of_right], 1)
    of_left = torch.cat([labels.weight, labels.bias.unsqueeze(-1)], -1)
    return torch.cat([of_pairs, of_left.unsqueeze(-1)], -1)


def test_both_start_without_preferences():
    assert not BiaffineAttention(3)(torch.randn(1, 2, 3), torch.randn(1, 2, 3)).any()
    labels = LabelBilinear(3, 3, 2)
    assert not labels(torch.randn(4, 3), torch.randn(4, 2, 3), torch.arange(4)).any()


@pytest.mark.parametrize("num_pairs", [0, 2 * PAIRS_AT_ONCE + 7])
def test_pairs_are_items_with_one_right_vector(num_pairs):
    torch.manual_seed(2)
    bilinear = LabelBilinear(3, 4, 5)
    randomise(bilinear)
    left, right = torch.randn(num_pairs, 3), torch.randn(num_pairs, 4)
    expected = bilinear(left, right.unsqueeze(1), torch.arange(num_pairs)).squeeze(1)
    torch.testing.assert_close(bilinear.score_pairs(left, right), expected)
