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


def test_label_bilinear_equals_torch_bilinear_with_ones_appended():
    torch.manual_seed(2)
    ours = LabelBilinear(3, 4, 5)
    randomise(ours)
    reference = torch.nn.Bilinear(4, 5, 5, bias=False)
    reference.weight.data = written_out_forms(ours).detach()
    left, right = torch.randn(6, 3), torch.randn(3, 7, 4)
    indices = torch.tensor([0, 0, 2, 0, 1, 2])

    def append_one(tensor: torch.Tensor) -> torch.Tensor:
        return torch.cat([tensor, torch.ones(*tensor.shape[:-1], 1)], dim=-1)

    expected = reference(
        append_one(left).unsqueeze(1).expand(-1, 7, -1).contiguous(), append_one(right[indices])
    )
    torch.testing.assert_close(ours(left, right, indices), expected)


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


def test_biaffine_attention_is_the_written_out_form():
    torch.manual_seed(1)
    attention = BiaffineAttention(3)
    randomise(attention)
    queries, keys = torch.randn(2, 4, 3), torch.randn(2, 5, 3)
    weights = dict(attention.named_parameters())
    # The layer stores U transposed: it maps queries into the keys' space.
    u_matrix = weights["_query_to_key.weight"].t()
    prior = weights["_query_to_key.bias"]
    scores = attention(queries, keys)
    for b in range(2):
        for i in range(4):
            for j in range(5):
                expected = queries[b, i] @ u_matrix @ keys[b, j] + prior @ keys[b, j]
                torch.testing.assert_close(scores[b, i, j], expected)
