"""
Graphs whose large products are computed in 8 bits, made from those of single precision.

The module is private, so that `--include-package lisa_allennlp` does without onnx.
"""

import copy
from collections import defaultdict
from pathlib import Path
from typing import Any, DefaultDict, Dict, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

import numpy
import onnx

from lisa_allennlp.inference.graphs import OWN_DOMAIN, OWN_OPERATOR
from lisa_allennlp.inference.model import InferenceModel, open_model
from lisa_allennlp.models.graphs import make_external
from lisa_allennlp.models_on_disk.model_folder import CODES, SCALES
from lisa_allennlp.models_on_disk.pretrained import FLOAT32, GRAPHS_NAME, INT8
from lisa_allennlp.sentence.request import Request

IN_8_BITS = (
    "._attention._projection",
    "._output_projection",
    "._feedforward.",
    "._syntactic_head._projection",
    "_head_tagger._left_to_form",
    "_role_scorer._predicate_projection",
    "_role_scorer._role_projection",
    "_role_scorer._bilinear._left_to_form",
    ".attention.",
    ".intermediate.",
    ".output.dense.",
    "_sense_tagger._projection",
    "_sense_tagger._descriptions",
)
"""
Parts of the names of weights in 8 bits: of maps, whose products are computed in 8 bits (last those
of transformers), and of the tables of rolesets, whose rows are read.
"""


class Range(NamedTuple):
    low: float
    high: float


def write_graphs_in_8_bits(folder: Path, requests: Sequence[Request]) -> None:
    """
    Writes a model's graphs again, with the products of `IN_8_BITS` in 8 bits. Labels sentences to
    find the ranges of these maps' inputs, which are fixed, so that no answer depends on others.
    """
    model = open_model(folder, precision=FLOAT32)
    assert isinstance(model, InferenceModel)
    graphs = {name: onnx.load_from_string(graph) for name, graph in model.network.graphs.items()}
    ranges = _find_ranges(model, graphs, requests)
    target = folder / GRAPHS_NAME / INT8
    target.mkdir(parents=True, exist_ok=True)
    for name, graph in graphs.items():
        _round(graph, ranges)
        (target / f"{name}.onnx").write_bytes(graph.SerializeToString())


def _find_ranges(
    model: InferenceModel, graphs: Mapping[str, Any], requests: Sequence[Request]
) -> Dict[str, Range]:
    """The ranges of maps by weight. Graphs also return the inputs of maps."""
    inputs: Dict[str, Dict[str, str]] = {}
    for name, graph in graphs.items():
        inputs[name] = {weight: node.input[0] for node, weight in _maps(graph.graph)}
        changed = copy.deepcopy(graph)
        for value in dict.fromkeys(inputs[name].values()):
            changed.graph.output.add(name=value)
        model.network.graphs[name] = changed.SerializeToString()
    lowest: DefaultDict[str, List[float]] = defaultdict(list)
    highest: DefaultDict[str, List[float]] = defaultdict(list)
    run = model.network.run

    def observe(name: str, *given: numpy.ndarray) -> List[numpy.ndarray]:
        outputs, number = run(name, *given), len(graphs[name].graph.output)
        values = dict(zip(dict.fromkeys(inputs[name].values()), outputs[number:], strict=True))
        for weight, value in inputs[name].items():
            if values[value].size:
                lowest[weight].append(values[value].min())
                highest[weight].append(values[value].max())
        return outputs[:number]

    model.network.run = observe  # type: ignore[method-assign]
    model.label(requests)
    # Few sentences have values beyond these, and all others gain precision.
    low = {weight: min(0.0, float(numpy.percentile(v, 5))) for weight, v in lowest.items()}
    return {w: Range(low[w], max(1e-6, float(numpy.percentile(v, 95)))) for w, v in highest.items()}


def _maps(graph: Any) -> Iterator[Tuple[Any, str]]:
    transposed = {n.output[0]: n.input[0] for n in graph.node if n.op_type == "Transpose"}
    for node in graph.node:
        if node.op_type in ("Gemm", "MatMul"):
            weight = transposed.get(node.input[1], node.input[1])
            if any(part in weight for part in IN_8_BITS):
                yield node, weight


def _round(model: Any, ranges: Mapping[str, Range]) -> None:
    graph = model.graph
    maps = {node.output[0]: weight for node, weight in _maps(graph) if weight in ranges}
    sizes = {initializer.name: initializer.dims for initializer in graph.initializer}
    nodes: List[Any] = []
    for node in graph.node:
        weight = maps.get(node.output[0])
        nodes += [node] if weight is None else _product(node, weight)
    for weight in dict.fromkeys(maps.values()):
        num_outputs, num_inputs = sizes[weight]
        graph.initializer.extend(_constants(weight, num_outputs, num_inputs, ranges[weight]))
    # Without the transposed weights of single precision.
    used = {name for node in nodes for name in node.input} | {value.name for value in graph.output}
    nodes = [node for node in nodes if used.intersection(node.output)]
    used = {name for node in nodes for name in node.input}
    kept = [initializer for initializer in graph.initializer if initializer.name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(kept)
    model.opset_import.add(domain=OWN_DOMAIN, version=1)


def _product(node: Any, weight: str) -> List[Any]:
    codes, names = f"{node.output[0]}|inputs", _names(weight)
    factors = [codes, weight + CODES, names[0], weight + SCALES, *names[1:]]
    return [
        onnx.helper.make_node("QuantizeLinear", [node.input[0], *names[:2]], [codes]),
        onnx.helper.make_node(
            OWN_OPERATOR, [*factors, *node.input[2:]], node.output, domain=OWN_DOMAIN
        ),
    ]


def _constants(weight: str, num_outputs: int, num_inputs: int, inputs: Range) -> Iterator[Any]:
    scale = (inputs.high - inputs.low) / 255
    values: List[numpy.ndarray] = [
        numpy.array(scale, numpy.float32),
        numpy.array(round(-inputs.low / scale), numpy.uint8),
        numpy.zeros(num_outputs, numpy.int8),
    ]
    for name, value in zip(_names(weight), values, strict=True):
        yield onnx.numpy_helper.from_array(value, name)
    for name, kind, *dims in (
        (weight + CODES, onnx.TensorProto.INT8, num_inputs, num_outputs),
        (weight + SCALES, onnx.TensorProto.FLOAT, num_outputs),
    ):
        tensor = onnx.TensorProto(data_type=kind, dims=dims)
        make_external(tensor, name)
        yield tensor


def _names(weight: str) -> List[str]:
    return [f"{weight}|inputs_scale", f"{weight}|inputs_zero", f"{weight}|zeros"]
