"""
LISA's network (Strubell et al. 2018) in NumPy, for labelling.

What does not depend on the input is computed on loading:

- A layer norm is `g (s - mean(s)) / std(s) + h`. What is added to the states is centred, or else
  their sum is, so that `mean(s)` is 0, and `g` and `h` are moved into the map that follows. What is
  left of the norm is a division (`normalise`).
- The values of each head have a column of ones. Its weighted sum is the denominator of the softmax.
- Vectors that bilinear forms score have a column of ones as well, for the linear terms.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Callable, List, Mapping, Optional, Protocol, Sequence, Sized, Tuple

import numpy

from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.decoding.trees import is_token, syntactic_attention
from lisa_allennlp.inference.config import NetworkConfig
from lisa_allennlp.inference.layers import (
    LAYERS,
    PARSERS,
    Batch,
    Group,
    Linear,
    Parser,
    ParseReading,
    RoleScorer,
    Weights,
    centre,
    leaky_relu,
    normalise,
    reading_norm,
)
from lisa_allennlp.inference.word_inputs import input_projection, make_word_inputs
from lisa_allennlp.model_files.model_folder import VocabularyFiles


class ScoringNetwork(Protocol):
    """What scores encoded sentences: the `Network`, or that of `onnx_network`."""

    parser: Optional[Parser]
    sense_tagger: Optional[Linear]

    @property
    def role_scorer(self) -> Callable[..., numpy.ndarray]:
        """As `RoleScorer`."""

    def attend(self, encoded: "EncodedArrays") -> numpy.ndarray:
        """
        The final states, shape `(num_tokens, dim)`, of what `encode` returned. The syntactic head
        attends to its `head_indices`.
        """


@dataclass
class EncodedArrays:
    """
    Has the scores of a batch, as an `EncodedBatch` of `lisa_allennlp.decoding`. `below` are the
    states below the syntactic head, shape `(num_tokens, dim)`.
    """

    network: "ScoringNetwork"
    batch: Batch
    below: numpy.ndarray
    joint_logits: numpy.ndarray
    parse: Optional[ParseReading]
    head_indices: Optional[numpy.ndarray]

    def __post_init__(self) -> None:
        self.lengths = self.batch.lengths
        self.arc_scores = None if self.parse is None else self.parse.arc_scores

    def attending(self, head_indices: numpy.ndarray) -> "EncodedArrays":
        return replace(self, head_indices=head_indices)

    @cached_property
    def _states(self) -> numpy.ndarray:
        """The final states, which wait for the tree that they attend to."""
        return self.network.attend(self)

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        batch, parser = self.batch, self.network.parser
        assert parser is not None and self.parse is not None
        within = is_token(batch.length, batch.lengths) & (head_indices >= 0)
        sentences, tokens = within.nonzero()
        starts = batch.starts[sentences]
        found = parser.score_labels(self.parse, starts + tokens, starts + head_indices[within])
        scores = numpy.zeros((*within.shape, found.shape[1]), found.dtype)
        scores[within] = found
        return scores

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        rows = self.batch.starts[sentence_indices] + predicate_indices
        return self.network.role_scorer(self._states, self.batch, sentence_indices, rows)

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        senses = self.network.sense_tagger
        assert senses is not None
        states = self._states[self.batch.starts[sentence_indices] + predicate_indices]
        scores = numpy.zeros(candidates.shape, dtype=numpy.float32)
        places = (candidates >= 0).nonzero()
        found = candidates[places]
        scores[places] = numpy.einsum("cd,cd->c", senses.weight.T[found], states[places[0]])
        scores[places] += senses.bias[found]
        return scores


class Network:
    """
    Encodes and scores sentences, whose brackets it reads as those of the training corpus. Several
    threads may call it. `labels` are those of the namespaces of `LabelNames`.
    """

    def __init__(
        self,
        config: NetworkConfig,
        weights: Weights,
        vocabulary: VocabularyFiles,
        labels: Mapping[str, Sized],
        brackets: BracketForms,
    ) -> None:
        sizes, dim = config.encoder, config.encoder.dim
        # Only layers that begin with a norm may get centred inputs.
        self._is_centred = sizes.layer_style != "paper"
        self.word_inputs = make_word_inputs(config, weights, vocabulary, brackets)
        self._indicator_inputs: Optional[numpy.ndarray] = None
        if config.indicator_dim:
            indicators = weights.take("_indicator_embedding.weight", 2, config.indicator_dim)
            weight = input_projection(config, weights).weight
            self._indicator_inputs = indicators @ weight[-config.indicator_dim :]
        self._positions = self._encode_positions(256, dim)
        style: Any = LAYERS[sizes.layer_style]
        layers = [style(weights, sizes, i + 1) for i in range(sizes.num_layers)]
        self._layers_below = layers[: sizes.num_below]
        self._layers_above = layers[sizes.num_below :]
        self._sizes = sizes
        self._hidden_tagger: Optional[Linear] = None
        norm, hidden_dim = reading_norm(sizes, "predicate"), config.joint_tag_dim
        if hidden_dim is not None:
            self._hidden_tagger = weights.linear("_joint_tagger._hidden", dim, hidden_dim, norm)
            norm = ""
        self._joint_tagger = weights.linear(
            "_joint_tagger._projection", hidden_dim or dim, len(labels["joint_tags"]), norm
        )
        self.needs_predicates = config.indicator_dim > 0
        self.parser: Optional[Parser] = None
        if sizes.parse_layer is not None:
            parser = PARSERS[config.syntactic_head or ""]
            self.parser = parser(weights, sizes, len(labels["head_tags"]))
        self.role_scorer = RoleScorer(weights, config, len(labels["role_labels"]))
        self.sense_tagger = make_sense_tagger(config, weights, labels)

    def encode(
        self,
        words: Sequence[Sequence[str]],
        head_indices: Optional[numpy.ndarray] = None,
        predicates: Optional[numpy.ndarray] = None,
    ) -> EncodedArrays:
        """
        Encodes at least one sentence, none without words. Sentences of equal length should follow
        each other. `head_indices`, shape `(batch_size, length)`, is the tree that the syntactic
        head attends to, in which the root is its own head. Tokens with a negative value attend by
        the predicted distribution. A network that reads predicates (section 4.1) finds a 1 at that
        of each sentence in `predicates`, shape `(batch_size, length)`; other networks ignore them.
        """
        batch, states = self._embed(words, predicates)
        joint_logits = numpy.empty(0)
        for number, layer in enumerate(self._layers_below, start=1):
            states = layer(states, batch.groups)
            if number == self._sizes.predicate_layer:
                joint_logits = self._tag(states, batch)
        parse: Optional[ParseReading] = None
        if self.parser is not None:
            parse = self.parser(self._read(states), batch)
        return EncodedArrays(self, batch, states, joint_logits, parse, head_indices)

    def attend(self, encoded: EncodedArrays) -> numpy.ndarray:
        """As in `ScoringNetwork`."""
        groups, attention = encoded.batch.groups, None
        if encoded.arc_scores is not None:
            attention = _syntactic_attention(encoded.arc_scores, groups, encoded.head_indices)
        states = encoded.below.copy()  # Layers change them in place.
        for layer in self._layers_above:
            states = layer(states, groups, attention)
            attention = None
        return self._normalise(states)

    def score_joint_tags(
        self, words: Sequence[Sequence[str]], predicates: Optional[numpy.ndarray] = None
    ) -> numpy.ndarray:
        """Returns the `joint_logits` of `encode`, without the layers above those that they need."""
        batch, states = self._embed(words, predicates)
        for layer in self._layers_below[: self._sizes.predicate_layer]:
            states = layer(states, batch.groups)
        return self._tag(states, batch)

    def _embed(
        self, words: Sequence[Sequence[str]], predicates: Optional[numpy.ndarray]
    ) -> Tuple[Batch, numpy.ndarray]:
        """The batch and the input of the first layer, shape `(num_tokens, dim)`."""
        batch = Batch([len(sentence) for sentence in words])
        states = self.word_inputs([word for sentence in words for word in sentence])
        if batch.length > len(self._positions):
            self._positions = self._encode_positions(2 * batch.length, states.shape[1])
        for _, rows, number, length in batch.groups:
            states[rows].reshape(number, length, -1)[:] += self._positions[:length]
        if self._indicator_inputs is not None:
            marks = numpy.zeros(len(states), int)
            if predicates is not None:
                marks[:] = predicates[is_token(batch.length, batch.lengths)] > 0
            states += self._indicator_inputs[marks]
        return batch, states

    def _encode_positions(self, number: int, dim: int) -> numpy.ndarray:
        """Sinusoids (Vaswani et al. 2017, section 3.5): all sines, then all cosines."""
        single = numpy.float32
        exponents = numpy.arange(dim // 2, dtype=single) * single(-numpy.log(1e4) / (dim // 2 - 1))
        angles = numpy.arange(number, dtype=single)[:, None] * numpy.exp(exponents)
        sinusoids = numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1)
        return centre(sinusoids) if self._is_centred else sinusoids

    def _read(self, states: numpy.ndarray) -> numpy.ndarray:
        """What tagger and parser read of states between layers."""
        is_raw = not self._sizes.intermediate_norms and self._sizes.layer_style == "authors"
        return states if is_raw else self._normalise(states)

    def _normalise(self, states: numpy.ndarray) -> numpy.ndarray:
        if self._sizes.layer_style == "authors":
            states = centre(states.copy())
        return normalise(states, self._sizes.layer_norm_eps)

    def _tag(self, states: numpy.ndarray, batch: Batch) -> numpy.ndarray:
        read = self._read(states)
        if self._hidden_tagger is None:
            return batch.pad(self._joint_tagger(read))
        hidden = leaky_relu(self._hidden_tagger(read))
        return batch.pad(leaky_relu(self._joint_tagger(hidden)))


def make_sense_tagger(
    config: NetworkConfig, weights: Weights, labels: Mapping[str, Sized]
) -> Optional[Linear]:
    """The map from normalised states to the scores of rolesets; `None` if there are none."""
    if not config.predicts_senses:
        return None
    # The weights of the candidates are looked up, each in one piece of memory.
    return weights.linear(
        "_sense_tagger._projection",
        config.encoder.dim,
        len(labels["sense_labels"]),
        norm=reading_norm(config.encoder, "final"),
        order="F",
    )


def _syntactic_attention(
    arc_scores: numpy.ndarray, groups: Sequence[Group], head_indices: Optional[numpy.ndarray]
) -> List[numpy.ndarray]:
    """`syntactic_attention` of each group."""
    return [
        syntactic_attention(
            arc_scores[sentences, :length, :length],
            None if head_indices is None else head_indices[sentences, :length],
        )
        for sentences, _, _, length in groups
    ]
