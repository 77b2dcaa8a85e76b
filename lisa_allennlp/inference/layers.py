"""
The layers of LISA's network in NumPy, and their weights. The tokens of a batch are the rows of one
matrix, without padding. Sentences of equal length that follow each other form a group, whose
attention is computed at once and needs no mask.
"""

import itertools
from typing import (
    Dict,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
)

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.config import EncoderSizes, NetworkConfig
from lisa_allennlp.model_files.model_folder import CODES, SCALES, check_weight

LEAKY_RELU_SLOPE = numpy.float32(0.1)

LARGEST_EXPONENT = 80
"""In single precision, `exp` of scores between this and its negative is neither 0 nor infinite."""

FORMS_AT_ONCE = 256
"""`Bilinear` computes this many matrices at a time: 22 MB for 107 labels of 200 x 200."""

ROWS_AT_ONCE = 128
"""`leaky_relu` changes this many rows at a time, which stay in the cache."""

ROWS_COPIED = 512
"""`Weights.transpose` copies this many rows at a time, which stay in the cache."""

HEAD = "_encoder._syntactic_head"
"""The beginning of the names of the syntactic head's weights."""


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


class Scale(NamedTuple):
    """The gain `g` and the shift `h` of a layer norm, `n * g + h` of normalised states `n`."""

    gain: numpy.ndarray
    shift: numpy.ndarray

    def __call__(self, normal: numpy.ndarray) -> numpy.ndarray:
        return normal * self.gain + self.shift


class Weights:
    """
    Reads the tensors of a model; `source` is its name, with which messages begin.
    In its methods, a tensor that is missing, or has another shape than the config says or values
    that no trained network has, is a `ConfigurationError`.
    """

    def __init__(self, tensors: Mapping[str, numpy.ndarray], source: str) -> None:
        self._tensors = tensors
        self._source = source

    def _find(self, name: str, *shape: int) -> numpy.ndarray:
        """Returns a tensor as it is stored."""
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape != shape:
            found = "no such tensor" if tensor is None else f"a tensor of the shape {tensor.shape}"
            raise ConfigurationError(
                f"{self._source}: {name}: found {found}; expected {shape}, as in network.json"
            )
        return tensor

    def take(self, name: str, *shape: int) -> numpy.ndarray:
        """Copies a tensor in single precision."""
        tensor = self._find(name, *shape).astype(numpy.float32)
        check_weight(f"{self._source}: {name}", tensor)
        return tensor

    def transpose(self, name: str, out: numpy.ndarray) -> None:
        """Copies a matrix, transposed, to an array in single precision; with little more memory."""
        tensor = self._find(name, *out.T.shape)
        for start in range(0, len(tensor), ROWS_COPIED):
            rows = slice(start, start + ROWS_COPIED)
            out[:, rows] = tensor[rows].astype(numpy.float32).T
        check_weight(f"{self._source}: {name}", out)

    def linear(
        self,
        name: str,
        inputs: int,
        outputs: int,
        norm: str = "",
        centred: bool = False,
        order: Literal["C", "F"] = "C",
    ) -> Linear:
        """
        Reads a map. The gain and the shift of the layer norm `norm`, which the map follows, are
        moved into it. If it is `centred`, the mean of its outputs is subtracted from each of them.
        The weight has the given order in memory.
        """
        weight = self.take(f"{name}.weight", outputs, inputs)
        bias = self.take(f"{name}.bias", outputs)
        if norm:
            bias += weight @ self.take(f"{norm}.bias", inputs)
            weight *= self.take(f"{norm}.weight", inputs)
        if centred:
            weight -= weight.mean(axis=0)
            bias -= bias.mean()
        return Linear(numpy.asarray(weight.T, order=order), bias)

    def norm(self, name: str, dim: int) -> Scale:
        """Reads a layer norm whose gain and shift are not moved into the map that follows."""
        return Scale(self.take(f"{name}.weight", dim), self.take(f"{name}.bias", dim))

    def counts(self, name: str, *shape: int) -> numpy.ndarray:
        """Reads integers, of any size."""
        return self._find(name, *shape).astype(numpy.int64)

    def vectors(self, name: str, num_rows: int, dim: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """
        Returns word vectors, which stay in their file: values or codes of 8 bits, shape
        `(num_rows, dim)`, and the scale that each row is multiplied with, shape `(num_rows, 1)`.
        """
        scales = numpy.ones(num_rows, numpy.float32)
        if name + CODES in self._tensors:
            scales, name = self.take(name + SCALES, num_rows), name + CODES
        vectors = self._find(name, num_rows, dim)
        if vectors.dtype != numpy.int8:
            check_weight(f"{self._source}: {name}", vectors)
        return vectors, scales[:, None]


class Group(NamedTuple):
    """Sentences of equal length: which they are, their rows, their number and their length."""

    sentences: slice
    rows: slice
    number: int
    length: int


class Batch:
    """
    Says where the tokens of a batch's sentences are, from their lengths. Sentences of equal length
    should follow each other.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = numpy.array(lengths, dtype=numpy.int64)
        self.starts = self.lengths.cumsum() - self.lengths
        self.length = max(lengths)
        self.groups: List[Group] = []
        sentence = row = 0
        for length, equal in itertools.groupby(lengths):
            number = len(list(equal))
            end, last_row = sentence + number, row + number * length
            self.groups.append(Group(slice(sentence, end), slice(row, last_row), number, length))
            sentence, row = end, last_row

    def pad(self, values: numpy.ndarray) -> numpy.ndarray:
        """`(num_tokens, dim)` as `(batch_size, length, dim)`, 0 at padding."""
        padded = numpy.zeros((len(self.lengths), self.length, values.shape[1]), values.dtype)
        for sentences, rows, number, length in self.groups:
            padded[sentences, :length] = values[rows].reshape(number, length, -1)
        return padded


class Attention:
    """
    The heads `softmax(Q K^T / sqrt(d)) V` (equations 2 and 3), concatenated. In the layer with the
    syntactic head, the last head takes its weights from the parse (LISA section 2.2).
    """

    def __init__(
        self, weights: Weights, name: str, sizes: EncoderSizes, syntactic: bool, norm: str
    ) -> None:
        heads, dim = sizes.num_heads - syntactic, sizes.head_dim
        size = heads * dim
        self._shape = heads, dim
        self._sizes = size, size, heads * (dim + 1)
        projection = weights.linear(
            f"{name}._attention._projection", sizes.dim, 3 * size + syntactic * dim, norm
        )
        for part in (projection.weight, projection.bias):
            part[..., :size] /= numpy.float32(dim**0.5)
        self._projection = projection.with_ones(*range(2 * size + dim, 3 * size + 1, dim))

    def __call__(
        self,
        states: numpy.ndarray,
        groups: Sequence[Group],
        attention: Optional[Sequence[numpy.ndarray]],
    ) -> numpy.ndarray:
        """Maps `(num_tokens, dim)` to the same shape, with the parameters of `PreNormLayer`."""
        heads, dim = self._shape
        queries, keys, values, syntactic = split_columns(self._projection(states), *self._sizes)
        attended = numpy.empty_like(states)
        for i, (_, rows, number, length) in enumerate(groups):
            shape = number, length, heads, -1
            q, k, v = (part[rows].reshape(shape) for part in (queries, keys, values))
            scores = q.swapaxes(1, 2) @ numpy.ascontiguousarray(k.transpose(0, 2, 3, 1))
            if max(scores.max(), -scores.min()) > LARGEST_EXPONENT:
                scores -= scores.max(axis=-1, keepdims=True)
            sums = (numpy.exp(scores, out=scores) @ v.swapaxes(1, 2)).swapaxes(1, 2)
            own = attended[rows, : heads * dim].reshape(shape)
            numpy.divide(sums[..., :dim], sums[..., dim:], out=own)
            if attention is not None:
                mixed = attention[i] @ syntactic[rows].reshape(number, length, dim)
                attended[rows, heads * dim :] = mixed.reshape(-1, dim)
        return attended


class FeedForward:
    """Linear maps with leaky ReLUs between them, and after the last one if they are `activated`."""

    def __init__(
        self,
        weights: Weights,
        name: str,
        sizes: EncoderSizes,
        norm: str = "",
        centred: bool = False,
        activated: bool = False,
    ) -> None:
        last = sizes.feedforward_num_layers - 1
        dims = [sizes.dim, *[sizes.feedforward_hidden_dim] * last, sizes.dim]
        self._activated = activated
        self._first, *self._others = [
            weights.linear(
                # In PyTorch, a leaky ReLU and a dropout are modules between two maps.
                f"{name}._feedforward.{3 * i}",
                dims[i],
                dims[i + 1],
                norm="" if i else norm,
                centred=centred and i == last,
            )
            for i in range(last + 1)
        ]

    def __call__(self, states: numpy.ndarray) -> numpy.ndarray:
        transformed = self._first(states)
        for linear in self._others:
            transformed = linear(leaky_relu(transformed))
        return leaky_relu(transformed) if self._activated else transformed


class PreNormLayer:
    """
    A layer of the style `pre_norm`, `s + O(heads(LN(s)))`, then `s + FF(LN(s))`. Layers are counted
    from 1.
    """

    is_centred = True

    def __init__(self, weights: Weights, sizes: EncoderSizes, number: int) -> None:
        name, centred = f"_encoder._layers.{number - 1}", self.is_centred
        syntactic = number == sizes.parse_layer
        self._attend = Attention(weights, name, sizes, syntactic, f"{name}._attention_norm")
        projection = f"{name}._output_projection"
        self._output = weights.linear(projection, sizes.dim, sizes.dim, centred=centred)
        norm = f"{name}._feedforward_norm"
        self._feedforward = FeedForward(weights, name, sizes, norm, centred=centred)
        self._epsilon = sizes.layer_norm_eps

    def __call__(
        self,
        states: numpy.ndarray,
        groups: Sequence[Group],
        attention: Optional[Sequence[numpy.ndarray]] = None,
    ) -> numpy.ndarray:
        """
        Maps centred states, shape `(num_tokens, dim)`, to the next ones, perhaps in place.
        `attention` has for each group the weights of the syntactic head, shape
        `(number, length, length)`.
        """
        normal = normalise(states, self._epsilon)
        states += self._output(self._attend(normal, groups, attention))
        states += self._feedforward(normalise(states, self._epsilon))
        return states


class AuthorsLayer(PreNormLayer):
    """
    A layer of the style `authors`: `LN(s) + O(heads(LN(s)))`, then `LN(s) + FF(LN(s))`. Its states
    are not centred.
    """

    is_centred = False

    def __init__(self, weights: Weights, sizes: EncoderSizes, number: int) -> None:
        super().__init__(weights, sizes, number)
        name = f"_encoder._layers.{number - 1}"
        self._attention_norm = weights.norm(f"{name}._attention_norm", sizes.dim)
        self._feedforward_norm = weights.norm(f"{name}._feedforward_norm", sizes.dim)

    def __call__(
        self,
        states: numpy.ndarray,
        groups: Sequence[Group],
        attention: Optional[Sequence[numpy.ndarray]] = None,
    ) -> numpy.ndarray:
        normal = normalise(centre(states), self._epsilon)
        attended = self._output(self._attend(normal, groups, attention))
        normal = normalise(centre(self._attention_norm(normal) + attended), self._epsilon)
        return self._feedforward_norm(normal) + self._feedforward(normal)


class PaperLayer:
    """
    A layer of the style `paper`, `LN(s + FF(heads(s)))` (LISA section 2.1). It leaves its own norm
    to whatever reads its states: the first layer gets inputs, and the others what is to be
    normalised.
    """

    def __init__(self, weights: Weights, sizes: EncoderSizes, number: int) -> None:
        name = f"_encoder._layers.{number - 1}"
        norm = f"_encoder._layers.{number - 2}._norm" if number > 1 else ""
        self._norm = weights.norm(norm, sizes.dim) if norm else None
        self._epsilon = sizes.layer_norm_eps
        self._attend = Attention(weights, name, sizes, number == sizes.parse_layer, norm)
        self._feedforward = FeedForward(weights, name, sizes, activated=True)

    def __call__(
        self,
        states: numpy.ndarray,
        groups: Sequence[Group],
        attention: Optional[Sequence[numpy.ndarray]] = None,
    ) -> numpy.ndarray:
        normal = states if self._norm is None else normalise(states, self._epsilon)
        states = states if self._norm is None else self._norm(normal)
        return centre(states + self._feedforward(self._attend(normal, groups, attention)))


LAYERS = {"pre_norm": PreNormLayer, "authors": AuthorsLayer, "paper": PaperLayer}
"""The layers by their style."""


def reading_norm(sizes: EncoderSizes, reader: str) -> str:
    """The norm of the states that the `predicate`, `parse` or `final` layers read, if any."""
    if not (sizes.intermediate_norms or reader == "final" or sizes.layer_style == "paper"):
        return ""
    if sizes.layer_style != "paper":
        return f"_encoder._{reader}_norm.0"
    below = (sizes.parse_layer or 0) - 1
    number = {"predicate": sizes.predicate_layer, "parse": below, "final": sizes.num_layers}[reader]
    return f"_encoder._layers.{number - 1}._norm"


class Bilinear:
    """
    Scores labels of pairs by `[x; 1]^T U_l [y; 1]` (LISA, equation 6). A vector `y` becomes a
    matrix with a column per label, which all its `x` are multiplied with. `form` maps it to that.
    """

    def __init__(self, form: Linear, num_labels: int) -> None:
        self._form, self._num_labels = form, num_labels

    def __call__(
        self,
        vectors: numpy.ndarray,
        others: Sequence[numpy.ndarray],
        scores: Sequence[numpy.ndarray],
    ) -> None:
        """
        Scores `vectors`, all `y`, shape `(num_vectors, y_dim)`. For each `y`, `others` has its
        `[x; 1]`, shape `(num_pairs, x_dim + 1)`, and its scores are written to an array of
        `scores`, shape `(num_pairs, num_labels)`.
        """
        weight, bias = self._form
        memory = numpy.empty((min(len(vectors), FORMS_AT_ONCE), len(bias)), dtype=numpy.float32)
        for start in range(0, len(vectors), FORMS_AT_ONCE):
            block = slice(start, start + FORMS_AT_ONCE)
            forms = numpy.matmul(vectors[block], weight, out=memory[: len(vectors) - start])
            forms += bias
            forms = forms.reshape(len(forms), -1, self._num_labels)
            for form, x, out in zip(forms, others[block], scores[block], strict=True):
                numpy.matmul(x, form, out=out)


class ParseReading(NamedTuple):
    """
    What the syntactic head says of a batch: scores of arcs, shape `(batch_size, length, length)`,
    at `[:, t, q]` that of token `q` as the head of `t`; and the tokens as `x`, with a column of
    ones, and as `y` of the scores of labels, shape `(num_tokens, label_dim)`. `MlpLabels` reads no
    ones.
    """

    arc_scores: numpy.ndarray
    dependents: numpy.ndarray
    heads: numpy.ndarray


class BilinearLabels:
    """Scores the labels of arcs by a bilinear form (equation 6)."""

    def __init__(self, weights: Weights, dim: int, num_labels: int) -> None:
        self._score = Bilinear(head_tag_form(weights, dim, num_labels), num_labels)
        self._num_labels = num_labels

    def __call__(
        self, parse: ParseReading, rows: numpy.ndarray, head_rows: numpy.ndarray
    ) -> numpy.ndarray:
        """Returns `(num_arcs, num_labels)`, from the rows of tokens and of their heads."""
        order = head_rows.argsort(kind="stable")
        distinct, starts = numpy.unique(head_rows[order], return_index=True)
        parts = [slice(*ends) for ends in itertools.pairwise([*starts.tolist(), len(rows)])]
        dependents = parse.dependents[rows[order]]
        scores = numpy.empty((len(rows), self._num_labels), dtype=numpy.float32)
        self._score(
            parse.heads[distinct], [dependents[p] for p in parts], [scores[p] for p in parts]
        )
        unsorted = numpy.empty_like(scores)
        unsorted[order] = scores
        return unsorted


class MlpLabels:
    """Scores the labels of arcs by `V tanh(d + h) + b`."""

    def __init__(self, weights: Weights, dim: int, num_labels: int) -> None:
        self._output = weights.linear("_head_tagger._output", dim, num_labels)

    def __call__(
        self, parse: ParseReading, rows: numpy.ndarray, head_rows: numpy.ndarray
    ) -> numpy.ndarray:
        """As in `BilinearLabels`."""
        return self._output(numpy.tanh(parse.dependents[rows] + parse.heads[head_rows]))


class DeepBiaffineParser:
    """Scores arcs and their labels, as the syntactic head of the paper (LISA section 2.2)."""

    def __init__(self, weights: Weights, sizes: EncoderSizes, num_labels: int) -> None:
        dim, arc, label = sizes.dim, sizes.arc_dim, sizes.label_dim
        projection = weights.linear(
            f"{HEAD}._projection.0", dim, 2 * arc + 2 * label, norm=reading_norm(sizes, "parse")
        )
        self._projection = projection.with_ones(2 * arc + label)
        self._sizes = arc, arc, label + 1
        self._preferred_keys = weights.linear(f"{HEAD}._arc_attention._query_to_key", arc, arc)
        self.score_labels = BilinearLabels(weights, label, num_labels)

    def __call__(self, states: numpy.ndarray, batch: Batch) -> ParseReading:
        """
        Scores arcs by `t^T U q + u^T q` (equation 4), from normalised states, shape
        `(num_tokens, dim)`.
        """
        projected = leaky_relu(self._projection(states))
        queries, keys, dependents, heads = split_columns(projected, *self._sizes)
        scores = score_pairs(self._preferred_keys(queries), keys, batch)
        return ParseReading(scores, dependents, heads)


class ShallowBiaffineParser:
    """Scores arcs and their labels by biaffine forms of the states themselves."""

    def __init__(self, weights: Weights, sizes: EncoderSizes, num_labels: int) -> None:
        dim = sizes.dim
        norm = reading_norm(sizes, "parse")
        self._norm = weights.norm(norm, dim) if norm else None
        self._preferred_keys = weights.linear(f"{HEAD}._arc_attention._query_to_key", dim, dim)
        self.score_labels = BilinearLabels(weights, dim, num_labels)

    def __call__(self, states: numpy.ndarray, batch: Batch) -> ParseReading:
        """As in `DeepBiaffineParser`."""
        states = states if self._norm is None else self._norm(states)
        scores = score_pairs(self._preferred_keys(states), states, batch)
        return ParseReading(scores, numpy.insert(states, states.shape[1], 1, axis=1), states)


class MlpParser:
    """Scores arcs and their labels by perceptrons that read head and dependent."""

    def __init__(self, weights: Weights, sizes: EncoderSizes, num_labels: int) -> None:
        arc, label = sizes.arc_dim, sizes.label_dim
        self._projection = weights.linear(
            f"{HEAD}._projection.0",
            sizes.dim,
            2 * arc + 2 * label,
            norm=reading_norm(sizes, "parse"),
        )
        self._sizes = arc, arc, label
        self._output = weights.take(f"{HEAD}._arc_form._output.weight", 1, arc)[0]
        self.score_labels = MlpLabels(weights, label, num_labels)

    def __call__(self, states: numpy.ndarray, batch: Batch) -> ParseReading:
        """Scores arcs by `v^T tanh(d + h)`, with the shapes of `DeepBiaffineParser`."""
        of_arcs, of_heads, dependents, heads = split_columns(self._projection(states), *self._sizes)
        scores = numpy.zeros((len(batch.lengths), batch.length, batch.length), numpy.float32)
        for sentences, rows, number, length in batch.groups:
            d, h = (part[rows].reshape(number, length, -1) for part in (of_arcs, of_heads))
            for token in range(length):
                # The hidden units of all pairs at once would take gigabytes in long sentences.
                hidden = numpy.tanh(d[:, token, None] + h)
                scores[sentences, token, :length] = hidden @ self._output
        return ParseReading(scores, dependents, heads)


Parser = Union[DeepBiaffineParser, ShallowBiaffineParser, MlpParser]

PARSERS: Dict[str, Type[Parser]] = {
    "deep_biaffine": DeepBiaffineParser,
    "shallow_biaffine": ShallowBiaffineParser,
    "mlp": MlpParser,
}
"""The parsers by the names of the syntactic heads."""


def score_pairs(queries: numpy.ndarray, keys: numpy.ndarray, batch: Batch) -> numpy.ndarray:
    """Products of all pairs of tokens of a sentence, `(batch_size, length, length)`."""
    scores = numpy.zeros((len(batch.lengths), batch.length, batch.length), numpy.float32)
    for sentences, rows, number, length in batch.groups:
        q, k = (part[rows].reshape(number, length, -1) for part in (queries, keys))
        scores[sentences, :length, :length] = q @ k.swapaxes(1, 2)
    return scores


class RoleScorer:
    """Scores the roles of all tokens for each predicate (LISA section 2.4)."""

    def __init__(self, weights: Weights, config: NetworkConfig, labels: int) -> None:
        dim, predicate, role = config.encoder.dim, config.predicate_dim, config.role_dim
        name, norm = "_role_scorer", reading_norm(config.encoder, "final")
        self._predicates = weights.linear(f"{name}._predicate_projection", dim, predicate, norm)
        roles = weights.linear(f"{name}._role_projection", dim, role, norm)
        self._roles = roles.with_ones(role)
        self._score = Bilinear(role_form(weights, predicate, role, labels), labels)
        self._num_labels = labels

    def __call__(
        self, states: numpy.ndarray, batch: Batch, sentences: numpy.ndarray, rows: numpy.ndarray
    ) -> numpy.ndarray:
        """
        Scores frames, shape `(num_frames, length, num_labels)`, from normalised states, shape
        `(num_tokens, dim)`. `sentences` and `rows` have each frame's sentence, and the row of its
        predicate.
        """
        predicates = leaky_relu(self._predicates(states[rows]))
        roles = leaky_relu(self._roles(states))
        scores = numpy.zeros((len(rows), batch.length, self._num_labels), dtype=numpy.float32)
        starts, lengths = batch.starts[sentences].tolist(), batch.lengths[sentences].tolist()
        self._score(
            predicates,
            [roles[start : start + length] for start, length in zip(starts, lengths, strict=True)],
            [frame[:length] for frame, length in zip(scores, lengths, strict=True)],
        )
        return scores


def head_tag_form(weights: Weights, label: int, num_labels: int) -> Linear:
    """
    The form of the `Bilinear` of arcs' labels. Heads are `y`, since there are fewer of them than of
    dependents.
    """
    form = weights.take("_head_tagger._left_to_form.weight", label * num_labels, label)
    form = form.reshape(label, num_labels, label).transpose(0, 2, 1)
    of_head = weights.take("_head_tagger._right_to_labels.weight", num_labels, label)
    weight = numpy.concatenate([form, of_head.T[:, None]], axis=1).reshape(label, -1)
    of_dependent = weights.linear("_head_tagger._left_to_labels", label, num_labels)
    return Linear(weight, numpy.concatenate([of_dependent.weight.ravel(), of_dependent.bias]))


def role_form(weights: Weights, predicate: int, role: int, labels: int) -> Linear:
    """The form of the `Bilinear` of roles, of which predicates are `y`."""
    name = "_role_scorer._bilinear"
    weight = numpy.empty((predicate, (role + 1) * labels), dtype=numpy.float32)
    form = f"{name}._left_to_form.weight"
    weights.transpose(form, weight[:, : role * labels])
    of_predicate = weights.linear(f"{name}._left_to_labels", predicate, labels)
    weight[:, role * labels :] = of_predicate.weight
    of_role = weights.take(f"{name}._right_to_labels.weight", labels, role)
    return Linear(weight, numpy.concatenate([of_role.T.ravel(), of_predicate.bias]))


def split_columns(array: numpy.ndarray, *sizes: int) -> List[numpy.ndarray]:
    """Parts of columns, the last one of all that are left."""
    return numpy.split(array, numpy.cumsum(sizes), axis=-1)


def normalise(states: numpy.ndarray, epsilon: float) -> numpy.ndarray:
    """`s / sqrt(mean(s^2) + epsilon)`, which is a layer norm of centred states."""
    squares = numpy.einsum("td,td->t", states, states) / numpy.float32(states.shape[1])
    return states / numpy.sqrt(squares + numpy.float32(epsilon))[:, None]


def centre(states: numpy.ndarray) -> numpy.ndarray:
    """Subtracts the mean of each row, in place: a layer norm of the states stays the same."""
    states -= states.mean(axis=1, keepdims=True)
    return states


def leaky_relu(values: numpy.ndarray) -> numpy.ndarray:
    """In place."""
    for start in range(0, len(values), ROWS_AT_ONCE):
        rows = values[start : start + ROWS_AT_ONCE]
        numpy.maximum(rows, rows * LEAKY_RELU_SLOPE, out=rows)
    return values
