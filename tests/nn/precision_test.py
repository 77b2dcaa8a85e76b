import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.nn.precision import REDUCED_FROM_TOKENS, Precision, weights_converted_once

CPU = torch.device("cpu")


def product_dtype() -> torch.dtype:
    return torch.nn.functional.linear(torch.randn(2, 3), torch.randn(4, 3)).dtype


@pytest.mark.parametrize("name, expected", [("float32", torch.float), ("bfloat16", torch.bfloat16)])
def test_products_have_the_precision(name, expected):
    with Precision(name)(CPU):
        assert product_dtype() == expected
    assert product_dtype() == torch.float


def test_the_default_leaves_mixed_precision_of_others_on():
    with torch.autocast("cpu", dtype=torch.bfloat16), Precision("float32")(CPU):
        assert product_dtype() == torch.bfloat16


class ConversionsOf(TorchDispatchMode):
    """Counts how often a tensor is converted."""

    def __init__(self, tensor: torch.Tensor) -> None:
        super().__init__()
        self.number = 0
        self._address = tensor.data_ptr()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten._to_copy.default and args[0].data_ptr() == self._address:
            self.number += 1
        return function(*args, **(kwargs or {}))


def test_weights_are_converted_once():
    network, inputs = torch.nn.Linear(3, 4), torch.randn(2, 3)
    precision = Precision("bfloat16")

    def forward() -> torch.Tensor:
        with precision(CPU):
            return network(inputs)

    with torch.no_grad(), ConversionsOf(network.weight) as conversions:
        expected = forward()
        forward()
        assert conversions.number == 2
        with weights_converted_once(network):
            for _ in range(3):
                assert torch.equal(forward(), expected)
            assert product_dtype() == torch.float
        assert conversions.number == 3
        network.weight *= 2
        network.bias *= 2
        with weights_converted_once(network):
            assert torch.equal(forward(), 2 * expected)


def test_unknown_precision_is_refused():
    with pytest.raises(ConfigurationError, match="precision is 'float16'; expected one of float32"):
        Precision("float16")


def test_small_batches_on_a_cpu_stay_in_single_precision():
    precision = Precision("bfloat16")
    with precision(CPU, REDUCED_FROM_TOKENS - 1):
        assert product_dtype() == torch.float
    with precision(CPU, REDUCED_FROM_TOKENS):
        assert product_dtype() == torch.bfloat16
