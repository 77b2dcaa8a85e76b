"""Graphs of strangers: what they may not do ends in one line."""

import shutil
from pathlib import Path
from typing import Any, Callable, Dict

import numpy
import onnx
import pytest
from onnx import helper, numpy_helper

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from tests.inference.model_test import random_archive

WORDS = ["She", "left", "."]

Damage = Callable[[Any], object]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    random_archive(folder, 0)
    return folder


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "copy"))


def external(tensor: Any) -> Any:
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="secret")
    return tensor


def tensor(name: str = "added") -> Any:
    return numpy_helper.from_array(numpy.ones(4, numpy.float32), name)


def add_node(model: Any, kind: str, **options: Any) -> None:
    model.graph.node.append(helper.make_node(kind, [], ["added"], **options))


def add_function(model: Any) -> None:
    node = helper.make_node("Relu", ["x"], ["y"])
    opset = [helper.make_opsetid("", 17)]
    model.functions.append(helper.make_function("own", "Twice", ["x"], ["y"], [node], opset))


def add_branch(model: Any) -> None:
    node = helper.make_node("Constant", [], ["value"], value=tensor())
    value = helper.make_tensor_value_info("value", onnx.TensorProto.FLOAT, [4])
    branch = helper.make_graph([node], "branch", [], [value])
    add_node(model, "If", then_branch=branch, else_branch=branch)


def add_sparse(model: Any) -> None:
    indices = numpy_helper.from_array(numpy.arange(4), "indices")
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(tensor(), indices, [9]))


def first_weight(model: Any) -> Any:
    return next(one for one in model.graph.initializer if one.external_data)


REFUSED: Dict[str, Damage] = {
    "added: found no such tensor": lambda m: m.graph.initializer.append(external(tensor())),
    "data outside": lambda m: add_node(m, "Constant", value=external(tensor())),
    "operators of its own": lambda m: add_node(m, "Twice", domain="own"),
    "functions of its own": add_function,
    "branches": add_branch,
    "sparse weights": add_sparse,
    "training": lambda m: m.training_info.add(),
    "inputs": lambda m: m.graph.input.append(
        helper.make_tensor_value_info("other", onnx.TensorProto.FLOAT, [1])
    ),
    "outputs": lambda m: m.graph.output.pop(),
    "found a tensor of the shape": lambda m: first_weight(m).dims.append(1),
    "cannot be opened": lambda m: setattr(m.graph.node[-1], "op_type", "Unknown"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_a_graph_may_not_do(message: str, folder: Path) -> None:
    path = folder / "graphs/float32/encode.onnx"
    # The file that a graph names would be right.
    (path.parent / "secret").write_bytes(numpy.ones(4, numpy.float32).tobytes())
    model = onnx.load_from_string(path.read_bytes())
    REFUSED[message](model)
    path.write_bytes(model.SerializeToString())
    refused(folder, message)


def refused(folder: Path, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        lisa_allennlp.load(folder)(WORDS)
    assert "\n" not in error.value.message


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_graph_that_is_cut_off(share: float, folder: Path) -> None:
    path = folder / "graphs/float32/encode.onnx"
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    refused(folder, "graph")


def test_scores_that_are_not_numbers(folder: Path) -> None:
    path = folder / "graphs/float32/encode.onnx"
    model = onnx.load_from_string(path.read_bytes())
    names = [output.name for output in model.graph.output]
    last = next(node for node in model.graph.node if names[0] in node.output)
    last.output[0] = "zeros"
    nan = helper.make_node("Constant", [], ["nan"], value_float=float("nan"))
    model.graph.node.extend([nan, helper.make_node("Add", ["zeros", "nan"], [names[0]])])
    path.write_bytes(model.SerializeToString())
    refused(folder, "not a number")
