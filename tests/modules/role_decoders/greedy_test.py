import torch

from lisa_allennlp.modules.role_decoders import GreedyRoleDecoder


def test_greedy_takes_the_best_label_of_each_token_even_if_illegal():
    # O, B-A0, I-A0
    allowed = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    decoder = GreedyRoleDecoder(allowed, torch.tensor([True, True, False]))
    logits = torch.tensor([[[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [0.0, 0.0, 9.0]]])
    mask = torch.tensor([[True, True, False]])
    assert decoder(logits, mask).tolist() == [[2, 0, 0]]
