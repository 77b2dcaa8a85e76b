"""
LISA's network (Strubell et al. 2018) as two ONNX graphs of standard operators, for one sentence:
`encode` makes states and scores of words, `score` makes scores of arcs and frames. docs/onnx.md
describes their inputs and outputs.

The layers are those of the paper. Nothing is folded as in `lisa_allennlp.inference.network`:
runtimes have optimisations of their own.

The module is private, so that `--include-package lisa_allennlp` does without onnx.
"""

from typing import Any, Dict, List, Sequence, Union

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from lisa_allennlp.inference.config import CharacterEmbedder, NetworkConfig, WordEmbedder
from lisa_allennlp.inference.layers import LEAKY_RELU_SLOPE, NORM_EPSILON, Weights

OPSET, IR_VERSION = 17, 8
"""The first operator set with LayerNormalization, and the file format of its time."""


def encode_graph(
    config: NetworkConfig,
    weights: Weights,
    entries: Sequence[int],
    joint_tags: int,
    with_codes: bool = False,
) -> onnx.ModelProto:
    """
    Builds the graph of the encoder, the joint tagger and the scores of arcs. `entries` has the size
    of each embedder's vocabulary. `with_codes` stores the values of word vectors in 8 bits, even
    where the model does not.
    """
    graph, sizes, dim = _Graph(weights), config.encoder, config.encoder.dim
    embedded = []
    for embedder, number in zip(config.embedders, entries, strict=True):
        if isinstance(embedder, WordEmbedder):
            embedded.append(_word_vectors(graph, embedder, number, with_codes))
        else:
            embedded.append(_character_convolution(graph, embedder, number))
    states = graph("Concat", *embedded, axis=1)
    input_dim = sum(embedder.output_dim for embedder in config.embedders)
    states = graph.linear(states, "_encoder._input_projection", input_dim, dim)
    states = graph("Add", states, _positions(graph, states, dim))
    for number in range(1, sizes.num_layers + 1):
        name, mixture = f"_encoder._layers.{number - 1}", ""
        if number == sizes.parse_layer:
            mixture = graph("Softmax", _arc_scores(graph, config, states), axis=-1)
        normal = graph.norm(states, f"{name}._attention_norm", dim)
        states = graph("Add", states, _attention(graph, config, name, normal, mixture))
        normal = graph.norm(states, f"{name}._feedforward_norm", dim)
        inner = [sizes.feedforward_hidden_dim] * (sizes.feedforward_num_layers - 1)
        for i, (before, after) in enumerate(zip([dim, *inner], [*inner, dim], strict=True)):
            normal = graph("LeakyRelu", normal, alpha=LEAKY_RELU_SLOPE) if i else normal
            # PyTorch's modules between two maps are the leaky ReLU and a dropout.
            normal = graph.linear(normal, f"{name}._feedforward.{3 * i}", before, after)
        states = graph("Add", states, normal)
        if number == sizes.predicate_layer:
            normal = graph.norm(states, "_encoder._predicate_norm.0", dim)
            logits = graph.linear(normal, "_joint_tagger._projection", dim, joint_tags)
            graph.output("joint_logits", logits, "tokens", joint_tags)
    graph.output("states", graph.norm(states, "_encoder._final_norm.0", dim), "tokens", dim)
    return graph.model("encode")


def score_graph(
    config: NetworkConfig, weights: Weights, head_tags: int, roles: int, senses: int
) -> onnx.ModelProto:
    """Builds the graph of the scores of labels, of which there are so many."""
    graph, dim = _Graph(weights), config.encoder.dim
    if config.encoder.parse_layer is not None:
        label = config.encoder.label_dim
        left = graph.input("dependents", TensorProto.FLOAT, "tokens", label)
        heads = graph.input("heads", TensorProto.FLOAT, "tokens", label)
        head_indices = graph.input("head_indices", TensorProto.INT32, "tokens")
        right = graph("Unsqueeze", graph("Gather", heads, head_indices, axis=0), [1])
        logits = _bilinear(graph, "_head_tagger", left, right, label, label, head_tags)
        logits = graph("Squeeze", logits, [1])
        graph.output("head_tag_logits", logits, "tokens", head_tags)
    states = graph.input("states", TensorProto.FLOAT, "tokens", dim)
    frames = graph("Gather", states, graph.input("predicates", TensorProto.INT32, "frames"), axis=0)
    predicate, role = [
        graph("LeakyRelu", graph.linear(value, name, dim, size), alpha=LEAKY_RELU_SLOPE)
        for value, name, size in (
            (frames, "_role_scorer._predicate_projection", config.predicate_dim),
            (states, "_role_scorer._role_projection", config.role_dim),
        )
    ]
    sizes = config.predicate_dim, config.role_dim, roles
    logits = _bilinear(graph, "_role_scorer._bilinear", predicate, role, *sizes)
    graph.output("role_logits", logits, "frames", "tokens", roles)
    if config.predicts_senses:
        logits = graph.linear(frames, "_sense_tagger._projection", dim, senses)
        graph.output("sense_logits", logits, "frames", senses)
    return graph.model("score")


class _Graph:
    """Collects nodes. Values are known by their names; arrays are constants."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._nodes: List[onnx.NodeProto] = []
        self._constants: List[onnx.TensorProto] = []
        self._inputs: List[onnx.ValueInfoProto] = []
        self._outputs: List[onnx.ValueInfoProto] = []

    def __call__(self, operator: str, *inputs: Any, **attributes: Any) -> str:
        """Adds a node, and returns its output. Inputs that are lists are integers."""
        return self._add(operator, inputs, 1, attributes)[0]

    def split(self, value: str, *sizes: int) -> List[str]:
        """Splits the last axis."""
        return self._add("Split", [value, list(sizes)], len(sizes), {"axis": -1})

    def linear(self, value: str, name: str, inputs: int, outputs: int) -> str:
        """`x W + b` with the weights of this name."""
        weight = self.weights.take(f"{name}.weight", outputs, inputs)
        return self(
            "Add", self("MatMul", value, weight.T), self.weights.take(f"{name}.bias", outputs)
        )

    def norm(self, value: str, name: str, dim: int) -> str:
        """The layer norm of this name."""
        scale, shift = (self.weights.take(f"{name}.{part}", dim) for part in ("weight", "bias"))
        return self("LayerNormalization", value, scale, shift, epsilon=NORM_EPSILON)

    def input(self, name: str, kind: int, *shape: Union[int, str]) -> str:
        """Adds an input of the graph. Names of sizes stand for sizes that vary."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name: str, value: str, *shape: Union[int, str]) -> None:
        """Makes a value an output of the graph."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def model(self, name: str) -> onnx.ModelProto:
        """The graph, after ONNX's checks."""
        graph = helper.make_graph(
            self._nodes, name, self._inputs, self._outputs, initializer=self._constants
        )
        operators = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=operators, ir_version=IR_VERSION)
        onnx.checker.check_model(model, full_check=True)
        return model

    def _add(
        self, operator: str, inputs: Sequence[Any], outputs: int, attributes: Dict[str, Any]
    ) -> List[str]:
        number = len(self._nodes)
        values = [value if isinstance(value, str) else self._constant(value) for value in inputs]
        names = [f"{operator}_{number}_{i}" for i in range(outputs)]
        attributes = {
            key: float(value) if isinstance(value, numpy.floating) else value
            for key, value in attributes.items()
        }
        self._nodes.append(helper.make_node(operator, values, names, names[0], **attributes))
        return names

    def _constant(self, values: Any) -> str:
        array = values if isinstance(values, numpy.ndarray) else numpy.array(values, numpy.int64)
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name


def _word_vectors(graph: _Graph, embedder: WordEmbedder, entries: int, with_codes: bool) -> str:
    words = graph.input(embedder.name, TensorProto.INT32, "tokens")
    codes, scales = graph.weights.vectors(f"{embedder.weights_name}.weight", entries, embedder.dim)
    if with_codes and codes.dtype != numpy.int8:
        scales = (abs(codes).max(1) / 127)[:, None].astype(numpy.float32)
        codes = (codes / numpy.maximum(scales, 1e-30)).round().astype(numpy.int8)
    rows = graph("Cast", graph("Gather", numpy.array(codes), words, axis=0), to=TensorProto.FLOAT)
    if codes.dtype != numpy.int8:
        return rows
    return graph("Mul", rows, graph("Gather", scales, words, axis=0))


def _character_convolution(graph: _Graph, embedder: CharacterEmbedder, entries: int) -> str:
    """As `lisa_allennlp.inference.word_inputs.CharacterConvolution`."""
    name = embedder.weights_name
    characters = graph.input(embedder.name, TensorProto.INT32, "tokens", "characters")
    longest = max(embedder.filter_sizes)
    # Short words have a window too, which counts as 0.
    characters = graph("Pad", characters, [0, 0, 0, longest - 1], numpy.array(0, numpy.int32))
    vectors = graph.weights.take(f"{name}._embedding._module.weight", entries, embedder.dim)
    embedded = graph("Transpose", graph("Gather", vectors, characters), perm=[0, 2, 1])
    is_character = graph("Cast", characters, to=TensorProto.BOOL)
    is_character = graph("Cast", is_character, to=TensorProto.FLOAT)
    pooled = []
    for number, size in enumerate(embedder.filter_sizes):
        layer = f"{name}._encoder._module.conv_layer_{number}"
        filters = graph.weights.take(f"{layer}.weight", embedder.num_filters, embedder.dim, size)
        bias = graph.weights.take(f"{layer}.bias", embedder.num_filters)
        windows = graph("Relu", graph("Conv", embedded, filters, bias))
        # A window is within its word if its last character is.
        is_within = graph("Slice", is_character, [size - 1], [2**31 - 1], [1])
        windows = graph("Mul", windows, graph("Unsqueeze", is_within, [1]))
        pooled.append(graph("ReduceMax", windows, axes=[2], keepdims=0))
    return graph("Concat", *pooled, axis=1)


def _positions(graph: _Graph, states: str, dim: int) -> str:
    """Sinusoids of positions (Vaswani et al. 2017, section 3.5): all sines, then all cosines."""
    length = graph("Squeeze", graph("Shape", states, start=0, end=1))
    positions = graph("Cast", graph("Range", numpy.array(0), length, numpy.array(1)), to=1)
    exponents = numpy.arange(dim // 2, dtype=numpy.float32) * (-numpy.log(1e4) / (dim // 2 - 1))
    rates = numpy.exp(exponents).astype(numpy.float32)
    angles = graph("Mul", graph("Unsqueeze", positions, [1]), rates)
    return graph("Concat", graph("Sin", angles), graph("Cos", angles), axis=1)


def _arc_scores(graph: _Graph, config: NetworkConfig, states: str) -> str:
    """The scores of heads (equation 4), which become an output as the parts of their labels do."""
    sizes = config.encoder
    dim, arc, label = sizes.dim, sizes.arc_dim, sizes.label_dim
    normal = graph.norm(states, "_encoder._parse_norm.0", dim)
    name = "_encoder._syntactic_head"
    projected = graph.linear(normal, f"{name}._projection.0", dim, 2 * arc + 2 * label)
    projected = graph("LeakyRelu", projected, alpha=LEAKY_RELU_SLOPE)
    queries, keys, dependents, heads = graph.split(projected, arc, arc, label, label)
    queries = graph.linear(queries, f"{name}._arc_attention._query_to_key", arc, arc)
    scores = graph("MatMul", queries, graph("Transpose", keys, perm=[1, 0]))
    graph.output("arc_scores", scores, "tokens", "tokens")
    graph.output("dependents", dependents, "tokens", label)
    graph.output("heads", heads, "tokens", label)
    return scores


def _attention(graph: _Graph, config: NetworkConfig, name: str, states: str, mixture: str) -> str:
    """
    Multi-head attention (equations 2 and 3) and its output projection. With a `mixture`, the last
    head mixes its values by these weights (section 2.2).
    """
    sizes = config.encoder
    states_dim, dim = sizes.dim, sizes.head_dim
    heads = sizes.num_heads - bool(mixture)
    parts = [heads * dim] * 3 + [dim] * bool(mixture)
    projected = graph.linear(states, f"{name}._attention._projection", states_dim, sum(parts))
    values = graph.split(projected, *parts)
    queries, keys, means = (graph("Reshape", part, [-1, heads, dim]) for part in values[:3])
    queries = graph("Transpose", queries, perm=[1, 0, 2])
    queries = graph("Mul", queries, numpy.array(dim**-0.5, numpy.float32))
    scores = graph("MatMul", queries, graph("Transpose", keys, perm=[1, 2, 0]))
    means = graph("Transpose", means, perm=[1, 0, 2])
    attended = graph("MatMul", graph("Softmax", scores, axis=-1), means)
    attended = graph("Transpose", attended, perm=[1, 0, 2])
    attended = graph("Reshape", attended, [-1, heads * dim])
    if mixture:
        attended = graph("Concat", attended, graph("MatMul", mixture, values[3]), axis=1)
    return graph.linear(attended, f"{name}._output_projection", states_dim, states_dim)


def _bilinear(
    graph: _Graph, name: str, left: str, right: str, left_dim: int, right_dim: int, labels: int
) -> str:
    """
    `[x; 1]^T U_l [y; 1]` (equation 6), shape `(N, M, labels)`, of `x` with the shape
    `(N, left_dim)` and `y` with the shape `(M, right_dim)` or `(N, M, right_dim)`.
    """
    form = graph.weights.take(f"{name}._left_to_form.weight", right_dim * labels, left_dim)
    forms = graph("Reshape", graph("MatMul", left, form.T), [-1, right_dim, labels])
    of_left = graph.linear(left, f"{name}._left_to_labels", left_dim, labels)
    of_right = graph.weights.take(f"{name}._right_to_labels.weight", labels, right_dim)
    scores = graph("Add", graph("MatMul", right, forms), graph("Unsqueeze", of_left, [1]))
    return graph("Add", scores, graph("MatMul", right, of_right.T))
