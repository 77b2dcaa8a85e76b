import torch

from lisa_allennlp.modules.heads.role_scorer import RoleScorer
from lisa_allennlp.nn.padded_tokens import lay_out


def make_scorer() -> RoleScorer:
    torch.manual_seed(3)
    scorer = RoleScorer(input_dim=6, predicate_dim=4, role_dim=5, num_labels=3, dropout=0.0)
    for parameter in scorer.parameters():
        torch.nn.init.normal_(parameter)
    return scorer


def test_frames_do_not_depend_on_their_neighbours():
    scorer = make_scorer()
    states = torch.randn(2, 7, 6)
    layout = lay_out(torch.ones(2, 7, dtype=torch.bool))
    together = scorer(layout.pack(states), layout, torch.tensor([0, 0, 1]), torch.tensor([2, 5, 0]))
    assert together.shape == (3, 7, 3)
    for frame, (sentence, predicate) in enumerate([(0, 2), (0, 5), (1, 0)]):
        one = lay_out(torch.ones(1, 7, dtype=torch.bool))
        alone = scorer(states[sentence], one, torch.tensor([0]), torch.tensor([predicate]))
        torch.testing.assert_close(together[frame], alone[0])


def test_no_frames_no_scores():
    none = torch.zeros(0, dtype=torch.long)
    layout = lay_out(torch.ones(2, 7, dtype=torch.bool))
    assert make_scorer()(torch.randn(14, 6), layout, none, none).shape == (0, 7, 3)


def test_reduced_precision_scores_the_same_frames():
    scorer = make_scorer()
    mask = torch.arange(7) < torch.tensor([[7], [3]])
    states = torch.randn(2, 7, 6)
    frames = torch.tensor([0, 0, 1]), torch.tensor([2, 5, 0])
    layout = lay_out(mask)
    expected = scorer(layout.pack(states), layout, *frames).detach()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        layout = lay_out(mask)
        scores = scorer(layout.pack(states), layout, *frames).float()
    assert scores.shape == expected.shape
    # bfloat16 has 8 bits of precision.
    torch.testing.assert_close(scores, expected, rtol=0.05, atol=0.05 * float(expected.abs().max()))
