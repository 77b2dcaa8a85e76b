import torch

from lisa_allennlp.modules.role_scorer import RoleScorer


def make_scorer() -> RoleScorer:
    torch.manual_seed(3)
    scorer = RoleScorer(input_dim=6, predicate_dim=4, role_dim=5, num_labels=3, dropout=0.0)
    for parameter in scorer.parameters():
        torch.nn.init.normal_(parameter)
    return scorer


def test_frames_do_not_depend_on_their_neighbours():
    scorer = make_scorer()
    states = torch.randn(2, 7, 6)
    together = scorer(states, torch.tensor([0, 0, 1]), torch.tensor([2, 5, 0]))
    assert together.shape == (3, 7, 3)
    for frame, (sentence, predicate) in enumerate([(0, 2), (0, 5), (1, 0)]):
        alone = scorer(
            states[sentence : sentence + 1], torch.tensor([0]), torch.tensor([predicate])
        )
        torch.testing.assert_close(together[frame], alone[0])


def test_no_frames_no_scores():
    none = torch.zeros(0, dtype=torch.long)
    assert make_scorer()(torch.randn(2, 7, 6), none, none).shape == (0, 7, 3)
