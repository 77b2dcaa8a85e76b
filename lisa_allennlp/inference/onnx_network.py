"""
The network in ONNX Runtime, in 8 bits or in single precision. It computes what takes most of the
time: the layers, and the roles of frames. The rest is that of `network`.
"""

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Sized, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.inference.config import NetworkConfig
from lisa_allennlp.inference.layers import PARSERS, Batch, Group, Parser, ParseReading, Weights
from lisa_allennlp.inference.network import EncodedArrays, make_sense_tagger
from lisa_allennlp.inference.onnx_runtime import GraphFiles, Values, open_session, run
from lisa_allennlp.inference.word_inputs import make_word_inputs
from lisa_allennlp.model_files.model_folder import VocabularyFiles

TOKENS_AT_ONCE = 512
"""The tokens that the graph gets at once, unless a sentence has more: their values stay in the
cache."""


class OnnxNetwork:
    """
    Encodes and scores sentences as `network.Network` does, whose place it takes. Several threads
    may call it, and processes that are forked from its own: each opens the graphs for itself.
    """

    needs_predicates = False

    def __init__(
        self,
        config: NetworkConfig,
        weights: Weights,
        vocabulary: VocabularyFiles,
        labels: Mapping[str, Sized],
        brackets: BracketForms,
        files: GraphFiles,
    ) -> None:
        check_installed("onnxruntime")
        self.config = config
        self.parser: Optional[Parser] = None
        if config.encoder.parse_layer is not None:
            parser = PARSERS[config.syntactic_head or ""]
            self.parser = parser(weights, config.encoder, len(labels["head_tags"]))
        self.sense_tagger = make_sense_tagger(config, weights, labels)
        self.word_inputs = make_word_inputs(config, weights, vocabulary, brackets)
        self._num_roles = len(labels["role_labels"])

        def build() -> Dict[str, bytes]:
            check_installed("onnx")
            from lisa_allennlp.inference._onnx_build import build_graphs

            inputs = self.word_inputs
            return build_graphs(config, weights, vocabulary, labels, inputs, files.precision)

        self._graphs = files.find(build)
        self._opened: Tuple[int, Dict[str, Any]] = 0, {}

    def encode(
        self,
        words: Sequence[Sequence[str]],
        head_indices: Optional[numpy.ndarray] = None,
        predicates: Optional[numpy.ndarray] = None,
    ) -> EncodedArrays:
        """As `Network.encode`, of a network that finds its predicates."""
        batch = Batch([len(sentence) for sentence in words])
        vectors = self.word_inputs([word for sentence in words for word in sentence])
        size = len(words), batch.length
        arc_scores = numpy.zeros((*size, batch.length), numpy.float32)
        found: List[Values] = []
        for sentences, rows, number, length in _parts(batch):
            inputs = {"vectors": vectors[rows].reshape(number, length, -1)}
            values = run(self._session("encode"), inputs)
            if self.parser is not None:
                arc_scores[sentences, :length, :length] = values.pop("arc_scores")
            found.append(
                {key: value.reshape(len(value) * length, -1) for key, value in values.items()}
            )
        joined = {key: numpy.concatenate([values[key] for values in found]) for key in found[0]}
        parse: Optional[ParseReading] = None
        if self.parser is not None:
            parse = ParseReading(arc_scores, joined["dependents"], joined["heads"])
        joint_logits = batch.pad(joined["joint_logits"])
        return EncodedArrays(self, batch, joined["below"], joint_logits, parse, head_indices)

    def attend(self, encoded: EncodedArrays) -> numpy.ndarray:
        """As in `ScoringNetwork`."""
        states = numpy.empty_like(encoded.below)
        for sentences, rows, number, length in _parts(encoded.batch):
            inputs: Values = {"below": encoded.below[rows].reshape(number, length, -1)}
            if encoded.arc_scores is not None:
                given = numpy.full((number, length), -1)
                if encoded.head_indices is not None:
                    given = encoded.head_indices[sentences, :length]
                inputs["arc_scores"] = encoded.arc_scores[sentences, :length, :length]
                inputs["given_heads"] = given
            found = run(self._session("attend"), inputs)["states"]
            states[rows] = found.reshape(number * length, -1)
        return states

    def score_joint_tags(
        self, words: Sequence[Sequence[str]], predicates: Optional[numpy.ndarray] = None
    ) -> numpy.ndarray:
        """As `Network.score_joint_tags`."""
        return self.encode(words).joint_logits

    def role_scorer(
        self, states: numpy.ndarray, batch: Batch, sentences: numpy.ndarray, rows: numpy.ndarray
    ) -> numpy.ndarray:
        """As `layers.RoleScorer`."""
        scores = numpy.zeros((len(rows), batch.length, self._num_roles), numpy.float32)
        tokens = rows - batch.starts[sentences]
        for own, own_rows, number, length in _parts(batch):
            (frames,) = ((own.start <= sentences) & (sentences < own.stop)).nonzero()
            if len(frames):
                places = sentences[frames] - own.start, tokens[frames]
                inputs = {
                    "states": states[own_rows].reshape(number, length, -1),
                    "frames": numpy.stack(places, axis=1),
                    "candidates": numpy.empty((len(frames), 0)),
                }
                scores[frames, :length] = run(self._session("score"), inputs)["role_logits"]
        return scores

    def _session(self, name: str) -> Any:
        process, sessions = self._opened
        if process != os.getpid():
            sessions = {graph: open_session(content) for graph, content in self._graphs.items()}
            self._opened = os.getpid(), sessions
        return sessions[name]


def check_graphs(config: NetworkConfig, source: str) -> None:
    """Refuses models that have no graphs, by a `ConfigurationError` that names the model."""
    encoder = config.encoder
    for name, found, expected in (
        ("predicate_indicator_embedding", config.indicator_dim, [0]),
        ("layer_style", encoder.layer_style, ["pre_norm"]),
        ("syntactic_head", config.syntactic_head, ["deep_biaffine", None]),
        ("joint_tag_dim", config.joint_tag_dim, [None]),
        ("joint_argmax", config.joint_argmax, [False]),
        ("role_decoder", config.role_decoder["type"], ["crf", "viterbi"]),
    ):
        if found not in expected:
            raise ConfigurationError(
                f"{source}: {name}: found {found!r}; expected {expected[0]!r} for ONNX"
            )


def _parts(batch: Batch) -> Iterator[Group]:
    """Divides the groups of a batch into those of `TOKENS_AT_ONCE`."""
    for sentences, rows, number, length in batch.groups:
        step = max(1, TOKENS_AT_ONCE // length)
        for start in range(0, number, step):
            size = min(step, number - start)
            first, row = sentences.start + start, rows.start + start * length
            own_rows = slice(row, row + size * length)
            yield Group(slice(first, first + size), own_rows, size, length)
