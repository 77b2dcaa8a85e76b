import numpy
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.models_on_disk.model_folder import CODES, SCALES
from lisa_allennlp.models_on_disk.weights import LARGEST_CODE, Weights


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_codes_of_weights(num_outputs: int, num_inputs: int, seed: int) -> None:
    """Each is within half a unit of its output; one beyond 63 could overflow a sum of 16 bits."""
    generator = numpy.random.default_rng(seed)
    factors = 10.0 ** generator.integers(-6, 3, (num_outputs, 1))
    weight = factors * generator.standard_normal((num_outputs, num_inputs)).astype(numpy.float32)
    weight[0] *= generator.integers(2)
    weights = Weights({"map": weight}, "a model")
    found = weights.for_graph({f"map{CODES}": (num_inputs, num_outputs), f"map{SCALES}": ()})
    codes, scales = found[f"map{CODES}"], found[f"map{SCALES}"]
    assert codes.dtype == numpy.int8 and numpy.abs(codes).max() <= LARGEST_CODE == 63
    assert (numpy.abs(codes.T * scales[:, None] - weight) <= 0.501 * scales[:, None]).all()
