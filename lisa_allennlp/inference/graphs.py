"""
Graphs in ONNX Runtime. Their files are untrusted: a graph computes with the standard operators of
ONNX on its inputs and named weights, and reads no file.
"""

import os
from contextlib import contextmanager
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple, Union

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.weights import Weights

OWN_DOMAIN, OWN_OPERATOR = "com.microsoft", "MatMulIntegerToFloat"
"""ONNX Runtime's own operator for products in 8 bits, the one beside the standard operators."""

_FIXED_SIZES = {1: 8, 5: 4}

_OWN = OWN_DOMAIN + OWN_OPERATOR

_IN_MODELS = {20: "training", 25: "functions of its own"}
_IN_GRAPHS = {15: "sparse weights"}
_IN_OPERATORS = {7: "operators of its own"}
_IN_ATTRIBUTES = {6: "branches", 10: "tensors", 11: "branches", 22: "tensors", 23: "tensors"}
_IN_TENSORS = {13: "data outside", 14: "data outside"}
"""Forbidden content, by the number of its field in ONNX's messages (onnx.proto3)."""


def check_graph(content: bytes) -> Dict[str, Tuple[int, ...]]:
    """
    Returns the names and shapes of a graph's weights. Operators, functions or branches of its own,
    and other data outside, are errors.
    """
    weights = {}
    for graph in _fields(memoryview(content), _IN_MODELS).get(7, ()):
        parts = _fields(graph, _IN_GRAPHS)
        for tensor in parts.get(5, ()):
            found = _fields(tensor)
            if not _IN_TENSORS.keys().isdisjoint(found):
                weights[bytes(found[8][-1]).decode()] = tuple(_integers(found.get(1, ())))
        for node in parts.get(1, ()):
            found = _fields(node)
            if b"".join([*found.get(7, ()), *found[4]]).decode() != _OWN:
                _refuse(found, _IN_OPERATORS)
            for attribute in found.get(5, ()):
                for tensor in _fields(attribute, _IN_ATTRIBUTES).get(5, ()):
                    _fields(tensor, _IN_TENSORS)
    return weights


class Graph:
    """A graph with its weights, run by one thread of ONNX Runtime."""

    def __init__(self, content: bytes, weights: Weights) -> None:
        # ONNX Runtime would report its use otherwise.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # With them, the memory of the longest sentence is never given back.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        options.add_session_config_entry("session.load_model_format", "ONNX")
        with _opening():
            shapes = check_graph(content)
        found = weights.for_graph(shapes)
        # The session reads them where they are.
        self._weights = [onnxruntime.OrtValue.ortvalue_from_numpy(v) for v in found.values()]
        if found:
            options.add_external_initializers(list(found), self._weights)
        providers = ["CPUExecutionProvider"]
        with _opening():
            self._session = onnxruntime.InferenceSession(content, options, providers=providers)
        self.inputs = [value.name for value in self._session.get_inputs()]
        self.outputs = [value.name for value in self._session.get_outputs()]

    def __call__(self, *inputs: numpy.ndarray) -> List[numpy.ndarray]:
        """A value that is not a number is a `ConfigurationError`."""
        if len(inputs) != len(self.inputs):
            raise ConfigurationError(
                f"the model's graph: found inputs {', '.join(self.inputs)}; expected {len(inputs)}"
            )
        outputs = self._session.run(self.outputs, dict(zip(self.inputs, inputs, strict=True)))
        for name, values in zip(self.outputs, outputs, strict=True):
            if numpy.isnan(values.max(initial=0)):
                raise ConfigurationError(
                    f"the model's graph: {name}: found a value that is not a number (nan); "
                    "expected the scores of a trained network"
                )
        return outputs


@contextmanager
def _opening() -> Iterator[None]:
    """Turns errors of damaged graphs, of various classes, into one line."""
    try:
        yield
    except ConfigurationError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise ConfigurationError(
            f"the model's graph: cannot be opened ({type(error).__name__}: {reason}); expected one "
            "as `lisa export` writes"
        ) from error


def _fields(message: memoryview, refused: Mapping[int, str] = {}) -> Dict[int, List[Any]]:  # noqa: B006
    """
    The fields of a message of protocol buffers by number: integers, and messages or texts. Numbers
    in `refused` are errors.
    """
    found: Dict[int, List[Any]] = {}
    place, end = 0, len(message)
    while place < end:
        key, place = _varint(message, place)
        number, kind = divmod(key, 8)
        if kind == 0:
            value, place = _varint(message, place)
            found.setdefault(number, []).append(value)
            continue
        size, place = _varint(message, place) if kind == 2 else (_FIXED_SIZES[kind], place)
        found.setdefault(number, []).append(message[place : place + size])
        place += size
    _refuse(found, refused)
    return found


def _varint(message: memoryview, place: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def _integers(values: Iterable[Union[int, memoryview]]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        place = 0
        while place < len(value):
            integer, place = _varint(value, place)
            yield integer


def _refuse(fields: Iterable[int], names: Mapping[int, str]) -> None:
    for number in fields:
        if number in names:
            raise ConfigurationError(
                f"found a graph with {names[number]}; expected one as `lisa export` writes"
            )
