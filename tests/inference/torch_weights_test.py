"""The weights of `torch.save`, read without PyTorch."""

import io
import pickle
import zipfile
from typing import Any

import numpy
import pytest
import torch

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.torch_weights import read_torch_weights


def saved(content: Any) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(content, file)
    file.seek(0)
    return file


def test_tensors_are_those_of_pytorch() -> None:
    shared = torch.randn(4, 6)
    weights = {
        "matrix": torch.randn(3, 5),
        "transposed": shared.T,
        "part": shared[1:, 2:4],
        "number": torch.tensor(7),
        "half": torch.randn(3).half(),
        "empty": torch.zeros(0, 3),
    }
    model = torch.nn.Linear(2, 3)
    weights.update(model.state_dict())
    found = read_torch_weights(saved(weights), "weights.th")
    assert found.keys() == weights.keys()
    for name, weight in weights.items():
        numpy.testing.assert_array_equal(found[name], weight.numpy())
        assert found[name].shape == tuple(weight.shape)


class Attack:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return print, ("attacked",)


def test_code_is_refused(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(ConfigurationError, match="expected tensors only"):
        read_torch_weights(saved({"a": Attack()}), "weights.th")
    assert "attacked" not in capsys.readouterr().out


def test_damage_is_reported() -> None:
    with pytest.raises(ConfigurationError, match="weights.th: damaged data"):
        read_torch_weights(io.BytesIO(b"PK nothing"), "weights.th")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x/data.pkl", pickle.dumps({"a": 1})[:-3])
    with pytest.raises(ConfigurationError, match="damaged data"):
        read_torch_weights(file, "weights.th")
