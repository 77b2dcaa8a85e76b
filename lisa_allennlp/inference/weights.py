"""
Reads the weights of an exported folder without PyTorch.

A file of safetensors is the length of its header in 8 bytes, the header in JSON, and the tensors.
"""

import json
from pathlib import Path
from typing import Dict, Mapping, NamedTuple, Tuple

import numpy

from lisa_allennlp.common.digests import digest_of_file
from lisa_allennlp.common.errors import ConfigurationError

_TYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1"}


def read_safetensors(path: Path, sha256: str) -> Dict[str, numpy.ndarray]:
    """
    Maps the tensors of a file into memory.

    # Parameters

    path : `Path`
    sha256 : `str`
        The expected checksum.

    # Returns

    `Dict[str, numpy.ndarray]`
        The tensors by their names. They stay in the file until they are read.

    # Raises

    `ConfigurationError`
        If the file is missing or has another checksum.
    """
    if not path.is_file():
        raise ConfigurationError(
            f"{path}: found no such file; expected all files that `lisa export` wrote"
        )
    if digest_of_file(path) != sha256:
        raise ConfigurationError(
            f"{path}: found damaged or other weights than those that were exported; expected the "
            f"SHA-256 {sha256}, as in model.json"
        )
    content = numpy.memmap(path, mode="r")
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8:start].tobytes())
    header.pop("__metadata__", None)
    tensors = {}
    for name, tensor in header.items():
        first, end = tensor["data_offsets"]
        values = content[start + first : start + end].view(_TYPES[tensor["dtype"]])
        tensors[name] = values.reshape(tensor["shape"])
    return tensors


class Linear(NamedTuple):
    """
    Maps `x` to `x W + b`.

    # Parameters

    weight : `numpy.ndarray`
        Shape `(input_dim, output_dim)`.
    bias : `numpy.ndarray`
        Shape `(output_dim,)`.
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
    Reads the weights of a network.

    # Parameters

    tensors : `Mapping[str, numpy.ndarray]`
        By their PyTorch names.
    source : `str`
        The name of the file, with which messages begin.

    # Raises

    `ConfigurationError`
        In its methods, if a tensor is missing or has another shape than the config says.
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
        Reads a map.

        # Parameters

        norm : `str`, optional
            The layer norm whose gain and shift are moved into the map that follows it.
        centred : `bool`, optional (default = `False`)
            Whether the mean of the outputs is subtracted from each of them.
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
        Returns word vectors that stay in their file.

        # Returns

        `Tuple[numpy.ndarray, numpy.ndarray]`
            Values, or codes of 8 bits, of the shape `(num_rows, dim)`; and what each row is
            multiplied with, of the shape `(num_rows, 1)`.
        """
        codes, scales = f"{name}|codes", f"{name}|scales"
        if codes not in self._tensors:
            return self.find(name, num_rows, dim), numpy.ones((num_rows, 1), dtype=numpy.float32)
        return self.find(codes, num_rows, dim), self.take(scales, num_rows)[:, None]
