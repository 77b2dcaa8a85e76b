"""
LISA's network (Strubell et al. 2018) as four ONNX graphs: `words` makes vectors of words, `encode`
makes scores of tags and heads, `attend` lets the syntactic head attend to the tree and makes the
final states, `score` makes scores of arcs and frames. docs/onnx.md describes their inputs and
outputs.

The sentences of a batch have the same length. Without padding nothing has to be masked, and no
answer depends on the batch.

The module is private, so that `--include-package lisa_allennlp` does without onnx.
"""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Sized, Tuple, Union

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from lisa_allennlp.inference.config import (
    CharacterEmbedder,
    EncoderSizes,
    NetworkConfig,
    WordEmbedder,
)
from lisa_allennlp.inference.layers import (
    LEAKY_RELU_SLOPE,
    Linear,
    Weights,
    head_tag_form,
    role_form,
)

OPSET, IR_VERSION = 17, 8
"""The first operator set with LayerNormalization, and the file format of its time."""

OWN = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""

INTEGERS, FLOATS = TensorProto.INT32, TensorProto.FLOAT

Ranges = Mapping[str, Tuple[float, float]]
"""
The lowest and the highest value of the inputs of maps, which are known by the names of their
weights. Maps without a range are computed in single precision.
"""


def words_graph(
    config: NetworkConfig, weights: Weights, entries: Sequence[int], with_codes: bool
) -> "Graph":
    """
    Builds the graph of what the first layer gets of each word. `entries` has the size of each
    embedder's vocabulary. `with_codes` stores the values of word vectors in 8 bits, even where the
    model does not.
    """
    graph, embedded = Graph(weights), []
    for embedder, number in zip(config.embedders, entries, strict=True):
        if isinstance(embedder, WordEmbedder):
            embedded.append(_word_vectors(graph, embedder, number, with_codes))
        else:
            embedded.append(_character_convolution(graph, embedder, number))
    inputs = sum(embedder.output_dim for embedder in config.embedders)
    vectors = graph.linear(
        graph("Concat", *embedded, axis=1),
        "_encoder._input_projection",
        inputs,
        config.encoder.dim,
        centred=True,
    )
    graph.output("vectors", vectors, "words", config.encoder.dim)
    return graph


def encode_graph(
    config: NetworkConfig, weights: Weights, joint_tags: int, ranges: Ranges
) -> "Graph":
    """
    Builds the graph of the layers below the syntactic head, the joint tagger and the scores of
    arcs.
    """
    graph, sizes, dim = Graph(weights, ranges), config.encoder, config.encoder.dim
    vectors = graph.input("vectors", FLOATS, "sentences", "tokens", dim)
    graph.shape = graph("Shape", vectors, end=2)
    states = graph.rows(graph("Add", vectors, _positions(graph, dim)), dim)
    for number in range(1, sizes.num_below + 1):
        states = _layer(graph, config, number, states)
        if number == sizes.predicate_layer:
            name, norm = "_joint_tagger._projection", "_encoder._predicate_norm.0"
            logits = graph.linear(graph.norm(states, sizes), name, dim, joint_tags, norm)
            graph.batch_output("joint_logits", logits, joint_tags)
    if sizes.parse_layer is not None:
        _arc_scores(graph, config, states)
    graph.batch_output("below", states, dim)
    return graph


def attend_graph(config: NetworkConfig, weights: Weights, ranges: Ranges) -> "Graph":
    """Builds the graph of the layer with the syntactic head and of those above."""
    graph, sizes, dim = Graph(weights, ranges), config.encoder, config.encoder.dim
    below, mixture = graph.input("below", FLOATS, "sentences", "tokens", dim), ""
    graph.shape = graph("Shape", below, end=2)
    states = graph.rows(below, dim)
    if sizes.parse_layer is not None:
        mixture = _syntactic_attention(graph)
    for number in range(sizes.num_below + 1, sizes.num_layers + 1):
        states, mixture = _layer(graph, config, number, states, mixture), ""
    graph.batch_output("states", graph.norm(states, sizes), dim)
    return graph


def _layer(
    graph: "Graph", config: NetworkConfig, number: int, states: str, mixture: str = ""
) -> str:
    name, sizes = f"_encoder._layers.{number - 1}", config.encoder
    normal = graph.norm(states, sizes)
    states = graph("Add", states, _attention(graph, config, name, normal, mixture))
    return graph("Add", states, _feedforward(graph, config, name, graph.norm(states, sizes)))


def score_graph(
    config: NetworkConfig, weights: Weights, labels: Mapping[str, Sized], ranges: Ranges
) -> "Graph":
    """
    Builds the graph of the scores of labels. `labels` are those of the namespaces of `LabelNames`.
    """
    graph, dim = Graph(weights, ranges), config.encoder.dim
    if config.encoder.parse_layer is not None:
        _score_head_tags(graph, config.encoder.label_dim, len(labels["head_tags"]))
    states = graph.input("states", FLOATS, "sentences", "tokens", dim)
    graph.shape = graph("Shape", states, end=2)
    places = graph.indices("frames", "frames", 2)
    frames = graph("GatherND", states, places)
    sentences = graph("Gather", places, numpy.array(0), axis=1)
    _score_roles(graph, config, states, frames, sentences, len(labels["role_labels"]))
    if config.predicts_senses:
        _score_senses(graph, frames, dim, len(labels["sense_labels"]))
    return graph


class Codes(NamedTuple):
    """Values in 8 bits: the scale times the difference of their codes and that of 0."""

    codes: str
    scale: numpy.float32
    zero: numpy.uint8


class Graph:
    """Collects nodes. Values are known by their names; arrays are constants."""

    def __init__(self, weights: Weights, ranges: Ranges = {}) -> None:  # noqa: B006
        self.weights = weights
        self.shape = ""
        """The number of sentences and that of their tokens."""
        self.ranges = ranges
        self.map_inputs: Dict[str, str] = {}
        self._codes: Dict[Tuple[str, Tuple[float, float]], Codes] = {}
        self._nodes: List[onnx.NodeProto] = []
        self._constants: List[onnx.TensorProto] = []
        self._inputs: List[onnx.ValueInfoProto] = []
        self._outputs: List[onnx.ValueInfoProto] = []

    def __call__(self, operator: str, *inputs: Any, domain: str = "", **attributes: Any) -> str:
        """Adds a node, and returns its output. Inputs that are lists are integers."""
        return self._add(operator, inputs, 1, attributes, domain)[0]

    def split(self, value: str, *sizes: int) -> List[str]:
        """Splits the last axis."""
        return self._add("Split", [value, list(sizes)], len(sizes), {"axis": -1})

    def rows(self, value: str, dim: int) -> str:
        """All tokens of a batch as the rows of a matrix."""
        return self("Reshape", value, [-1, dim])

    def batch(self, rows: str, dim: int) -> str:
        """The opposite of `rows`."""
        return self("Reshape", rows, self("Concat", self.shape, [dim], axis=0))

    def leaky_relu(self, value: str) -> str:
        return self("LeakyRelu", value, alpha=LEAKY_RELU_SLOPE)

    def norm(self, value: str, sizes: EncoderSizes) -> str:
        """A layer norm whose gain and shift are in the map that follows."""
        ones, zeros = (make(sizes.dim, numpy.float32) for make in (numpy.ones, numpy.zeros))
        return self("LayerNormalization", value, ones, zeros, epsilon=sizes.layer_norm_eps)

    def linear(
        self, rows: str, name: str, inputs: int, outputs: int, norm: str = "", centred: bool = False
    ) -> str:
        """Maps rows, with the parameters of `Weights.linear`."""
        return self.map(rows, name, self.weights.linear(name, inputs, outputs, norm, centred))

    def map(self, rows: str, name: str, linear: Linear) -> str:
        """Maps rows: in 8 bits with a range of this name, otherwise in single precision."""
        self.map_inputs[name] = rows
        if name not in self.ranges:
            return self("Gemm", rows, *linear)
        return self.product(self.codes(rows, name), linear)

    def codes(self, rows: str, name: str) -> "Codes":
        """The inputs of the map of this name in 8 bits."""
        key = rows, self.ranges[name]
        if key not in self._codes:
            low, high = self.ranges[name]
            scale = numpy.float32((high - low) / 255)
            zero = numpy.uint8(round(-low / scale))
            self._codes[key] = Codes(self("QuantizeLinear", rows, scale, zero), scale, zero)
        return self._codes[key]

    def product(self, inputs: "Codes", linear: Linear) -> str:
        """Maps rows in 8 bits."""
        weight, scales = in_8_bits(linear.weight, axis=0)
        zeros = numpy.zeros(len(scales), numpy.int8)
        factors = inputs.codes, weight, inputs.scale, scales, inputs.zero, zeros
        return self("MatMulIntegerToFloat", *factors, linear.bias, domain=OWN)

    def relu_of_product(self, inputs: "Codes", linear: Linear, highest: float) -> "Codes":
        """As `product`, in 8 bits from 0 to the highest value, so that negative values become 0."""
        weight, scales = in_8_bits(linear.weight, axis=0)
        zeros = numpy.zeros(len(scales), numpy.int8)
        bias = (linear.bias / (inputs.scale * scales)).round().astype(numpy.int32)
        scale, zero = numpy.float32(highest / 255), numpy.uint8(0)
        factors = inputs.codes, inputs.scale, inputs.zero, weight, scales, zeros
        return Codes(self("QGemm", *factors, bias, scale, zero, domain=OWN), scale, zero)

    def looked_up(
        self, vectors: numpy.ndarray, scales: Optional[numpy.ndarray], indices: str
    ) -> str:
        """Looks up vectors, which may be codes with scales, by their indices."""
        rows = self("Gather", vectors, indices, axis=0)
        if scales is None:
            return rows
        scales = scales.reshape(-1, 1)
        return self("Mul", self("Cast", rows, to=FLOATS), self("Gather", scales, indices, axis=0))

    def input(self, name: str, kind: int, *shape: Union[int, str]) -> str:
        """Adds an input of the graph. Names of sizes stand for sizes that vary."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def indices(self, name: str, *shape: Union[int, str]) -> str:
        """Adds an input of indices, for operators that take 64 bits."""
        return self("Cast", self.input(name, INTEGERS, *shape), to=TensorProto.INT64)

    def output(self, name: str, value: str, *shape: Union[int, str]) -> None:
        """Makes a value an output of the graph."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, FLOATS, shape))

    def batch_output(self, name: str, rows: str, dim: int) -> None:
        """Makes the rows of all tokens an output."""
        self.output(name, self.batch(rows, dim), "sentences", "tokens", dim)

    def model(self, name: str, description: str = "", observed: bool = False) -> onnx.ModelProto:
        """
        The graph, after ONNX's checks. If it is `observed`, the inputs of all maps are outputs too,
        by the names of their weights.
        """
        if observed:
            for weight, value in self.map_inputs.items():
                self.output(weight, value, f"{weight}_rows", f"{weight}_columns")
        graph = helper.make_graph(
            self._nodes, name, self._inputs, self._outputs, initializer=self._constants
        )
        operators = [helper.make_opsetid("", OPSET), helper.make_opsetid(OWN, 1)]
        model = helper.make_model(graph, opset_imports=operators, ir_version=IR_VERSION)
        model.doc_string = description
        onnx.checker.check_model(model, full_check=True)
        return model

    def _add(
        self,
        operator: str,
        inputs: Sequence[Any],
        outputs: int,
        attributes: Dict[str, Any],
        domain: str = "",
    ) -> List[str]:
        number = len(self._nodes)
        values = [value if isinstance(value, str) else self._constant(value) for value in inputs]
        names = [f"{operator}_{number}_{i}" for i in range(outputs)]
        attributes = {
            key: float(value) if isinstance(value, numpy.floating) else value
            for key, value in attributes.items()
        }
        node = helper.make_node(operator, values, names, names[0], domain=domain, **attributes)
        self._nodes.append(node)
        return names

    def _constant(self, values: Any) -> str:
        array = numpy.array(values, numpy.int64) if isinstance(values, list) else values
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(numpy.array(array, order="C"), name))
        return name


def in_8_bits(values: numpy.ndarray, axis: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Codes from -127 to 127, and the scales to multiply them with, one for all of this axis."""
    scales = numpy.maximum(abs(values).max(axis) / numpy.float32(63), numpy.float32(1e-30))
    codes = (values / numpy.expand_dims(scales, axis)).round()
    return codes.astype(numpy.int8), scales


def _word_vectors(graph: Graph, embedder: WordEmbedder, entries: int, with_codes: bool) -> str:
    words = graph.input(embedder.name, INTEGERS, "words")
    codes, scales = graph.weights.vectors(f"{embedder.weights_name}.weight", entries, embedder.dim)
    if codes.dtype == numpy.int8:
        return graph.looked_up(codes, scales, words)
    vectors = codes.astype(numpy.float32)
    if with_codes:
        vectors, scales = in_8_bits(vectors, axis=1)
        return graph.looked_up(vectors, scales, words)
    return graph.looked_up(vectors, None, words)


def _character_convolution(graph: Graph, embedder: CharacterEmbedder, entries: int) -> str:
    """As `lisa_allennlp.inference.word_inputs.CharacterConvolution`."""
    name = embedder.weights_name
    characters = graph.input(embedder.name, INTEGERS, "words", "characters")
    longest = max(embedder.filter_sizes)
    # Short words have a window too, which counts as 0.
    characters = graph("Pad", characters, [0, 0, 0, longest - 1], numpy.array(0, numpy.int32))
    vectors = graph.weights.take(f"{name}._embedding._module.weight", entries, embedder.dim)
    embedded = graph("Transpose", graph("Gather", vectors, characters), perm=[0, 2, 1])
    is_character = graph("Cast", characters, to=TensorProto.BOOL)
    is_character = graph("Cast", is_character, to=FLOATS)
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


def _token_numbers(graph: Graph) -> str:
    """The numbers of the tokens of a sentence, from 0."""
    length = graph("Squeeze", graph("Gather", graph.shape, [1], axis=0))
    return graph("Range", numpy.array(0), length, numpy.array(1))


def _positions(graph: Graph, dim: int) -> str:
    """Sinusoids (Vaswani et al. 2017, section 3.5): all sines, then all cosines."""
    exponents = numpy.arange(dim // 2, dtype=numpy.float32) * (-numpy.log(1e4) / (dim // 2 - 1))
    rates = numpy.exp(exponents).astype(numpy.float32)
    numbers = graph("Cast", _token_numbers(graph), to=FLOATS)
    angles = graph("Mul", graph("Unsqueeze", numbers, [1]), rates)
    return graph("Concat", graph("Sin", angles), graph("Cos", angles), axis=1)


def _arc_scores(graph: Graph, config: NetworkConfig, states: str) -> None:
    """Makes outputs of the scores of heads (equation 4), and of the parts of their labels."""
    sizes = config.encoder
    dim, arc, label = sizes.dim, sizes.arc_dim, sizes.label_dim
    name = "_encoder._syntactic_head"
    projection = graph.weights.linear(
        f"{name}._projection.0", dim, 2 * arc + 2 * label, "_encoder._parse_norm.0"
    ).with_ones(2 * arc + label)
    projected = graph.map(graph.norm(states, sizes), f"{name}._projection.0", projection)
    parts = graph.split(graph.leaky_relu(projected), arc, arc, label + 1, label)
    queries, keys, dependents, heads = parts
    queries = graph.linear(queries, f"{name}._arc_attention._query_to_key", arc, arc)
    queries, keys = graph.batch(queries, arc), graph.batch(keys, arc)
    scores = graph("MatMul", queries, graph("Transpose", keys, perm=[0, 2, 1]))
    graph.output("arc_scores", scores, "sentences", "tokens", "tokens")
    graph.batch_output("dependents", dependents, label + 1)
    graph.batch_output("heads", heads, label)


def _syntactic_attention(graph: Graph) -> str:
    """The weights of the syntactic head (section 2.2): 1 for heads that are given."""
    scores = graph.input("arc_scores", FLOATS, "sentences", "tokens", "tokens")
    given = graph.indices("given_heads", "sentences", "tokens")
    given = graph("Unsqueeze", given, [2])
    ones = graph("Cast", graph("Equal", given, _token_numbers(graph)), to=FLOATS)
    is_open = graph("Less", given, numpy.array(0))
    return graph("Where", is_open, graph("Softmax", scores, axis=-1), ones)


def _attention(graph: Graph, config: NetworkConfig, name: str, states: str, mixture: str) -> str:
    """
    Multi-head attention (equations 2 and 3) and its output projection. With a `mixture`, the last
    head mixes its values by these weights (section 2.2).
    """
    sizes = config.encoder
    states_dim, dim = sizes.dim, sizes.head_dim
    heads = sizes.num_heads - bool(mixture)
    parts = [heads * dim] * 3 + [dim] * bool(mixture)
    own, norm = f"{name}._attention._projection", f"{name}._attention_norm"
    projection = graph.weights.linear(own, states_dim, sum(parts), norm)
    for array in projection:
        array[..., : heads * dim] /= numpy.float32(dim**0.5)
    values = graph.split(graph.map(states, own, projection), *parts)
    shape = graph("Concat", graph.shape, [heads, dim], axis=0)
    queries, keys, means = (graph("Reshape", part, shape) for part in values[:3])
    queries = graph("Transpose", queries, perm=[0, 2, 1, 3])
    scores = graph("MatMul", queries, graph("Transpose", keys, perm=[0, 2, 3, 1]))
    means = graph("Transpose", means, perm=[0, 2, 1, 3])
    attended = graph("MatMul", graph("Softmax", scores, axis=-1), means)
    attended = graph.rows(graph("Transpose", attended, perm=[0, 2, 1, 3]), heads * dim)
    if mixture:
        mixed = graph("MatMul", mixture, graph.batch(values[3], dim))
        attended = graph("Concat", attended, graph.rows(mixed, dim), axis=1)
    return graph.linear(attended, f"{name}._output_projection", states_dim, states_dim)


def _feedforward(graph: Graph, config: NetworkConfig, name: str, rows: str) -> str:
    """The maps of a layer, with a leaky ReLU between them."""
    sizes = config.encoder
    inner = [sizes.feedforward_hidden_dim] * (sizes.feedforward_num_layers - 1)
    dims = [sizes.dim, *inner, sizes.dim]
    # PyTorch's modules between two maps are the leaky ReLU and a dropout.
    names = [f"{name}._feedforward.{3 * number}" for number in range(len(dims) - 1)]
    norms = [f"{name}._feedforward_norm", *[""] * len(inner)]
    maps = list(map(graph.weights.linear, names, dims, dims[1:], norms))
    if graph.ranges and len(maps) == 2:
        # A leaky ReLU is a sum: of a ReLU, which costs nothing in 8 bits, and of its own input,
        # where both maps are one.
        (first, second), slope = maps, LEAKY_RELU_SLOPE
        codes = graph.codes(rows, names[0])
        positive = graph.relu_of_product(codes, first, graph.ranges[names[1]][1])
        bias = second.bias + slope * (first.bias @ second.weight)
        both = Linear(slope * (first.weight @ second.weight), bias)
        of_positive = Linear((1 - slope) * second.weight, numpy.zeros_like(bias))
        return graph("Add", graph.product(positive, of_positive), graph.product(codes, both))
    for number, linear in enumerate(maps):
        rows = graph.map(graph.leaky_relu(rows) if number else rows, names[number], linear)
    return rows


def _score_head_tags(graph: Graph, label: int, head_tags: int) -> None:
    """Scores the labels of arcs (equation 6)."""
    dependents = graph.input("dependents", FLOATS, "parsed", "words", label + 1)
    heads = graph.input("heads", FLOATS, "parsed", "words", label)
    indices = graph("Unsqueeze", graph.indices("head_indices", "parsed", "words"), [2])
    heads = graph.rows(graph("GatherND", heads, indices, batch_dims=1), label)
    forms = graph.map(
        heads, "_head_tagger._left_to_form", head_tag_form(graph.weights, label, head_tags)
    )
    forms = graph("Reshape", forms, [-1, label + 1, head_tags])
    logits = graph("MatMul", graph("Reshape", dependents, [-1, 1, label + 1]), forms)
    shape = graph("Concat", graph("Shape", dependents, end=2), [head_tags], axis=0)
    graph.output("head_tag_logits", graph("Reshape", logits, shape), "parsed", "words", head_tags)


def _score_roles(
    graph: Graph, config: NetworkConfig, states: str, frames: str, sentences: str, roles: int
) -> None:
    """Scores the roles of all tokens for each predicate (section 2.4)."""
    dim, predicate, role = config.encoder.dim, config.predicate_dim, config.role_dim
    name, norm = "_role_scorer", "_encoder._final_norm.0"
    own = f"{name}._predicate_projection"
    predicates = graph.linear(frames, own, dim, predicate, norm)
    own = f"{name}._role_projection"
    projection = graph.weights.linear(own, dim, role, norm).with_ones(role)
    tokens = graph.leaky_relu(graph.map(graph.rows(states, dim), own, projection))
    tokens = graph("Gather", graph.batch(tokens, role + 1), sentences, axis=0)
    form = role_form(graph.weights, predicate, role, roles)
    forms = graph.map(graph.leaky_relu(predicates), f"{name}._bilinear._left_to_form", form)
    logits = graph("MatMul", tokens, graph("Reshape", forms, [-1, role + 1, roles]))
    graph.output("role_logits", logits, "frames", "tokens", roles)


def _score_senses(graph: Graph, frames: str, dim: int, senses: int) -> None:
    """Scores candidate rolesets, by weights that 8 bits are enough for."""
    weight, bias = graph.weights.linear(
        "_sense_tagger._projection", dim, senses, norm="_encoder._final_norm.0"
    )
    candidates = graph.input("candidates", INTEGERS, "frames", "candidates")
    stored, scales = in_8_bits(weight.T, axis=1) if graph.ranges else (weight.T, None)
    rows = graph.looked_up(stored, scales, candidates)
    logits = graph("Squeeze", graph("MatMul", rows, graph("Unsqueeze", frames, [2])), [2])
    logits = graph("Add", logits, graph("Gather", bias, candidates, axis=0))
    graph.output("sense_logits", logits, "frames", "candidates")
