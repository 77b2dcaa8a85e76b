import torch

from lisa_allennlp.modules.dropout import Dropout


def test_only_training_drops() -> None:
    inputs = torch.randn(1000)
    assert torch.equal(Dropout(0.5).eval()(inputs), inputs)
    assert (Dropout(0.5)(inputs) == 0).any()


def test_it_has_torchs_state() -> None:
    torch.nn.Dropout(0.5).load_state_dict(Dropout(0.5).state_dict())
