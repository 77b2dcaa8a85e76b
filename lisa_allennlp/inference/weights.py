"""Reads the weights of a network by their PyTorch names."""

from typing import Mapping, NamedTuple, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.model_folder import CODES, SCALES


class Linear(NamedTuple):
    """
    Maps `x` to `x W + b`.

    The shape of `weight` is `(input_dim, output_dim)`, that of `bias` `(output_dim,)`.
    """

    weight: numpy.ndarray
    bias: numpy.ndarray

    def __call__(self, inputs: numpy.ndarray) -> numpy.ndarray:
        outputs = inputs @ self.weight
        outputs += self.bias
        return outputs

    def with_ones(self, *places: int) -> "Linear":
        """The map with more outputs, before these places, that are always 1."""
        return Linear(
            numpy.insert(self.weight, places, 0, axis=1), numpy.insert(self.bias, places, 1)
        )


class Weights:
    """
    Reads the tensors of a model; `source` is its name, with which messages begin.
    In its methods, a tensor that is missing or has another shape than the config says is a
    `ConfigurationError`.
    """

    def __init__(self, tensors: Mapping[str, numpy.ndarray], source: str) -> None:
        self._tensors = tensors
        self._source = source

    def find(self, name: str, *shape: int) -> numpy.ndarray:
        """Returns a tensor as it is stored."""
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape != shape:
            found = "no such tensor" if tensor is None else f"a tensor of the shape {tensor.shape}"
            raise ConfigurationError(
                f"{self._source}: {name}: found {found}; expected {shape}, as in config.json"
            )
        return tensor

    def take(self, name: str, *shape: int) -> numpy.ndarray:
        """Copies a tensor in single precision."""
        return self.find(name, *shape).astype(numpy.float32)

    def linear(
        self, name: str, inputs: int, outputs: int, norm: str = "", centred: bool = False
    ) -> Linear:
        """
        Reads a map. The gain and the shift of the layer norm `norm`, which the map follows, are
        moved into it. If it is `centred`, the mean of its outputs is subtracted from each of them.
        """
        weight = self.take(f"{name}.weight", outputs, inputs)
        bias = self.take(f"{name}.bias", outputs)
        if norm:
            bias += weight @ self.take(f"{norm}.bias", inputs)
            weight *= self.take(f"{norm}.weight", inputs)
        if centred:
            weight -= weight.mean(axis=0)
            bias -= bias.mean()
        return Linear(numpy.ascontiguousarray(weight.T), bias)

    def vectors(self, name: str, num_rows: int, dim: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """
        Returns word vectors, which stay in their file: values or codes of 8 bits, shape
        `(num_rows, dim)`, and the scale that each row is multiplied with, shape `(num_rows, 1)`.
        """
        codes, scales = name + CODES, name + SCALES
        if codes not in self._tensors:
            return self.find(name, num_rows, dim), numpy.ones((num_rows, 1), dtype=numpy.float32)
        return self.find(codes, num_rows, dim), self.take(scales, num_rows)[:, None]
