"""
LISA's network (Strubell et al. 2018) in NumPy, for labelling.

What does not depend on the input is computed on loading:

- A layer norm is `g (s - mean(s)) / std(s) + h`. All that is added to the states is centred, so
  that `mean(s)` is 0, and `g` and `h` are moved into the map that follows. What is left of the norm
  is a division (`normalise`).
- The values of each head have a column of ones. Its weighted sum is the denominator of the softmax.
- Vectors that bilinear forms score have a column of ones as well, for the linear terms.
"""

from typing import Callable, List, Mapping, Optional, Protocol, Sequence, Sized, Tuple

import numpy

from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.decoding.trees import syntactic_attention
from lisa_allennlp.inference.config import NetworkConfig
from lisa_allennlp.inference.layers import (
    Batch,
    Group,
    Layer,
    Linear,
    Parser,
    ParseReading,
    RoleScorer,
    Weights,
    normalise,
)
from lisa_allennlp.inference.word_inputs import make_word_inputs
from lisa_allennlp.model_files.model_folder import VocabularyFiles


class ScoringNetwork(Protocol):
    """What scores encoded sentences: the `Network`, or that of `onnx_network`."""

    parser: Optional[Parser]
    sense_tagger: Optional[Linear]

    @property
    def role_scorer(self) -> Callable[..., numpy.ndarray]:
        """As `RoleScorer`."""


class EncodedArrays:
    """Has the scores of a batch, as an `EncodedBatch` of `lisa_allennlp.decoding`."""

    def __init__(
        self,
        network: "ScoringNetwork",
        batch: Batch,
        states: numpy.ndarray,
        joint_logits: numpy.ndarray,
        parse: Optional[ParseReading],
    ) -> None:
        self._network, self._batch, self._states, self._parse = network, batch, states, parse
        self.lengths = batch.lengths
        self.joint_logits = joint_logits
        self.arc_scores = None if parse is None else parse.arc_scores

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        batch, parser = self._batch, self._network.parser
        assert parser is not None and self._parse is not None
        is_token = numpy.arange(batch.length) < batch.lengths[:, None]
        rows = (batch.starts[:, None] + head_indices)[is_token]
        return batch.pad(parser.score_labels(self._parse, rows))

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        rows = self._batch.starts[sentence_indices] + predicate_indices
        return self._network.role_scorer(self._states, self._batch, sentence_indices, rows)

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        senses = self._network.sense_tagger
        assert senses is not None
        states = self._states[self._batch.starts[sentence_indices] + predicate_indices]
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
        self.config = config
        self._word_inputs = make_word_inputs(config, weights, vocabulary, brackets)
        self._positions = _positions(256, dim)
        self._layers = [
            Layer(weights, f"_encoder._layers.{i}", sizes, i + 1 == sizes.parse_layer)
            for i in range(sizes.num_layers)
        ]
        self._sizes = sizes
        self._joint_tagger = weights.linear(
            "_joint_tagger._projection",
            dim,
            len(labels["joint_tags"]),
            "_encoder._predicate_norm.0",
        )
        self.parser: Optional[Parser] = None
        if sizes.parse_layer is not None:
            self.parser = Parser(weights, sizes, len(labels["head_tags"]))
        self.role_scorer = RoleScorer(weights, config, len(labels["role_labels"]))
        self.sense_tagger = make_sense_tagger(config, weights, labels)

    def encode(
        self, words: Sequence[Sequence[str]], head_indices: Optional[numpy.ndarray] = None
    ) -> EncodedArrays:
        """
        Encodes at least one sentence, none without words. Sentences of equal length should follow
        each other. `head_indices`, shape `(batch_size, length)`, is the tree that the syntactic
        head attends to, in which the root is its own head. Tokens with a negative value attend by
        the predicted distribution.
        """
        batch, states = self._embed(words)
        parse: Optional[ParseReading] = None
        joint_logits = numpy.empty(0)
        for number, layer in enumerate(self._layers, start=1):
            attention = None
            if number == self._sizes.parse_layer and self.parser is not None:
                parse = self.parser(normalise(states), batch)
                attention = _syntactic_attention(parse.arc_scores, batch.groups, head_indices)
            states = layer(states, batch.groups, attention)
            if number == self._sizes.predicate_layer:
                joint_logits = self._tag(states, batch)
        return EncodedArrays(self, batch, normalise(states), joint_logits, parse)

    def score_joint_tags(self, words: Sequence[Sequence[str]]) -> numpy.ndarray:
        """Returns the `joint_logits` of `encode`, without the layers above those that they need."""
        batch, states = self._embed(words)
        for layer in self._layers[: self._sizes.predicate_layer]:
            states = layer(states, batch.groups)
        return self._tag(states, batch)

    def _embed(self, words: Sequence[Sequence[str]]) -> Tuple[Batch, numpy.ndarray]:
        """The batch and the input of the first layer, shape `(num_tokens, dim)`."""
        batch = Batch([len(sentence) for sentence in words])
        states = self._word_inputs([word for sentence in words for word in sentence])
        if batch.length > len(self._positions):
            self._positions = _positions(2 * batch.length, states.shape[1])
        for _, rows, number, length in batch.groups:
            states[rows].reshape(number, length, -1)[:] += self._positions[:length]
        return batch, states

    def _tag(self, states: numpy.ndarray, batch: Batch) -> numpy.ndarray:
        return batch.pad(self._joint_tagger(normalise(states)))


def make_sense_tagger(
    config: NetworkConfig, weights: Weights, labels: Mapping[str, Sized]
) -> Optional[Linear]:
    """The map from normalised states to the scores of rolesets; `None` if there are none."""
    if not config.predicts_senses:
        return None
    weight, bias = weights.linear(
        "_sense_tagger._projection",
        config.encoder.dim,
        len(labels["sense_labels"]),
        norm="_encoder._final_norm.0",
    )
    # The weights of the candidates are looked up, each in one piece of memory.
    return Linear(numpy.asfortranarray(weight), bias)


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


def _positions(number: int, dim: int) -> numpy.ndarray:
    """Sinusoids (Vaswani et al. 2017, section 3.5), centred: all sines, then all cosines."""
    single = numpy.float32
    exponents = numpy.arange(dim // 2, dtype=single) * single(-numpy.log(1e4) / (dim // 2 - 1))
    angles = numpy.arange(number, dtype=single)[:, None] * numpy.exp(exponents)
    sinusoids = numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1)
    return sinusoids - sinusoids.mean(axis=1, keepdims=True)
