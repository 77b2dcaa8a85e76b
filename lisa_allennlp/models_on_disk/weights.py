"""A model's weights for its graphs and for the decoder of its roles."""

from typing import Dict, Mapping, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.model_folder import CODES, SCALES, check_weight

LARGEST_CODE = 63
"""
The largest code: two products with inputs of 8 bits fit into the 16 bits in which processors
without VNNI add them up. So all processors answer alike.
"""


class Weights:
    """
    Reads the tensors of a model; `source` begins messages. A tensor that is missing, or has another
    shape or values of no trained network, is a `ConfigurationError`.
    """

    def __init__(self, tensors: Mapping[str, numpy.ndarray], source: str) -> None:
        self._tensors = tensors
        self._source = source

    def _find(self, name: str, *shape: int) -> numpy.ndarray:
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape != shape:
            found = "no such tensor" if tensor is None else f"a tensor of the shape {tensor.shape}"
            raise ConfigurationError(
                f"{self._source}: {name}: found {found}; expected {shape}, as in its graphs"
            )
        return tensor

    def take(self, name: str, *shape: int) -> numpy.ndarray:
        """Copies a tensor in single precision, also from 8 bits."""
        if name + CODES in self._tensors:
            codes, scales = self.rows(name, *shape)
            return codes.astype(numpy.float32) * scales
        tensor = self._find(name, *shape).astype(numpy.float32)
        check_weight(f"{self._source}: {name}", tensor)
        return tensor

    def counts(self, name: str, *shape: int) -> numpy.ndarray:
        return self._find(name, *shape).astype(numpy.int64)

    def rows(self, name: str, *shape: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """
        Returns a matrix that stays in its file: values or codes of 8 bits, and the scale of each
        row, shape `(num_rows, 1)`.
        """
        scales = numpy.ones(shape[0], numpy.float32)
        if name + CODES in self._tensors:
            scales, name = self.take(name + SCALES, shape[0]), name + CODES
        rows = self._find(name, *shape)
        if rows.dtype != numpy.int8:
            check_weight(f"{self._source}: {name}", rows)
        return rows, scales[:, None]

    def for_graph(self, names: Mapping[str, Tuple[int, ...]]) -> Dict[str, numpy.ndarray]:
        """
        Returns named tensors, and for maps in 8 bits their codes, `(num_inputs, num_outputs)`, and
        scales, `(num_outputs,)`.
        """
        found = {}
        for name, shape in names.items():
            if name.endswith(CODES):
                codes, scales = self.rows(name.removesuffix(CODES), *reversed(shape))
                if codes.dtype != numpy.int8 or max(codes.max(), -int(codes.min())) > LARGEST_CODE:
                    weight = self.take(name.removesuffix(CODES), *reversed(shape))
                    scales = numpy.abs(weight).max(1, keepdims=True) / LARGEST_CODE
                    weight /= numpy.maximum(scales, numpy.finfo(numpy.float32).tiny)
                    codes = numpy.rint(weight, out=weight).astype(numpy.int8)
                found[name] = numpy.ascontiguousarray(codes.T)
                found[name.removesuffix(CODES) + SCALES] = scales[:, 0]
            elif not name.endswith(SCALES):
                found[name] = self.take(name, *shape)
        return found
