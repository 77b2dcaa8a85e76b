import pytest
import torch
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.nn.precision import REDUCED_FROM_TOKENS, Precision

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


def test_unknown_precision_is_refused():
    with pytest.raises(ConfigurationError, match="precision is 'float16'; expected one of float32"):
        Precision("float16")


def test_small_batches_on_a_cpu_stay_in_single_precision():
    precision = Precision("bfloat16")
    with precision(CPU, REDUCED_FROM_TOKENS - 1):
        assert product_dtype() == torch.float
    with precision(CPU, REDUCED_FROM_TOKENS):
        assert product_dtype() == torch.bfloat16
