"""
LISA's network in the graphs that PyTorch has exported (`lisa_allennlp.models.graphs`). Each run has
one sentence, so that no answer depends on other sentences.
"""

import os
from functools import cached_property, partial
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.tokens import BRACKETS_NAMESPACE, BracketForms
from lisa_allennlp.inference.config import NetworkConfig, WordEmbedder
from lisa_allennlp.inference.graphs import Graph
from lisa_allennlp.inference.weights import Weights
from lisa_allennlp.inference.word_inputs import (
    CharacterVectors,
    WordEmbedding,
    WordInputs,
    WordVectors,
)
from lisa_allennlp.model_files.model_folder import VocabularyFiles


class Network:
    """
    Encodes and scores sentences. Several threads may call it, and processes that are forked from
    its own: each opens the graphs for itself.
    """

    def __init__(
        self,
        config: NetworkConfig,
        weights: Weights,
        vocabulary: VocabularyFiles,
        graphs: Mapping[str, bytes],
    ) -> None:
        self.config = config
        self._files, self._weights = graphs, weights
        self._graphs: Tuple[int, Dict[str, Graph]] = 0, {}
        embedders: List[WordEmbedding] = []
        for embedder in config.embedders:
            entries = vocabulary.entries(embedder.namespace)
            if isinstance(embedder, WordEmbedder):
                embedders.append(WordVectors(embedder, weights, entries))
            else:
                graph = partial(self.run, f"characters-{embedder.name}")
                embedders.append(CharacterVectors(graph, entries))
        brackets = BracketForms(vocabulary.entries(BRACKETS_NAMESPACE))
        self.word_inputs = WordInputs(embedders, brackets)

    def run(self, name: str, *inputs: numpy.ndarray) -> List[numpy.ndarray]:
        """Runs a graph. Each process opens a graph when it first needs it."""
        process, graphs = self._graphs
        if process != os.getpid():
            process, graphs = self._graphs = os.getpid(), {}
        if name not in graphs:
            graphs[name] = Graph(self._files[name], self._weights)
        return graphs[name](*inputs)

    def encode(
        self,
        sentences: Sequence[Sequence[str]],
        head_indices: Optional[numpy.ndarray] = None,
        predicates: Optional[numpy.ndarray] = None,
    ) -> "EncodedSentences":
        """
        Encodes sentences of at least one word. `head_indices`, shape `(batch_size, length)`, is the
        tree that the syntactic head attends to, in which the root is its own head. Tokens with a
        negative value attend by the predicted distribution. A network that reads predicates
        (section 4.1) finds a 1 at that of each sentence in `predicates`, shape
        `(batch_size, length)`; other networks ignore them.
        """
        vectors = self.word_inputs([word for words in sentences for word in words])
        lengths = numpy.array([len(words) for words in sentences])
        outputs = []
        for row, own in enumerate(numpy.split(vectors, lengths.cumsum()[:-1])):
            inputs = [own]
            if self.config.needs_predicates:
                assert predicates is not None
                inputs.append((predicates[row, : len(own)] > 0).astype(int))
            outputs.append(self.run("encode", *inputs))
        return EncodedSentences(self, lengths, outputs, head_indices)


class EncodedSentences:
    """
    The scores of a batch, as an `EncodedBatch` of `lisa_allennlp.decoding`. `outputs` has what the
    graph `encode` says of each sentence.
    """

    def __init__(
        self,
        network: Network,
        lengths: numpy.ndarray,
        outputs: Sequence[Sequence[numpy.ndarray]],
        head_indices: Optional[numpy.ndarray],
    ) -> None:
        self._network, self._outputs = network, outputs
        self.lengths, self.head_indices = lengths, head_indices

    def attending(self, head_indices: numpy.ndarray) -> "EncodedSentences":
        return EncodedSentences(self._network, self.lengths, self._outputs, head_indices)

    @cached_property
    def joint_logits(self) -> numpy.ndarray:
        return _padded([outputs[0] for outputs in self._outputs])

    @cached_property
    def arc_scores(self) -> Optional[numpy.ndarray]:
        if not self._network.config.predicts_parse:
            return None
        scores = numpy.zeros((len(self.lengths), *[self.lengths.max()] * 2), numpy.float32)
        for own, outputs in zip(scores, self._outputs, strict=True):
            length = len(outputs[2])
            own[:length, :length] = outputs[2]
        return scores

    @cached_property
    def _states(self) -> Dict[int, numpy.ndarray]:
        """The final states of sentences, for each when it is first needed."""
        return {}

    def _final_states(self, row: int) -> numpy.ndarray:
        if row not in self._states:
            inputs = [self._outputs[row][1]]
            if self._network.config.predicts_parse:
                heads = numpy.full(self.lengths[row], -1)
                if self.head_indices is not None:
                    heads = self.head_indices[row, : len(heads)]
                inputs += [self._outputs[row][2], heads]
            (self._states[row],) = self._network.run("attend", *inputs)
        return self._states[row]

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        heads = head_indices.clip(min=0)
        return _padded(
            [
                self._network.run("head_tags", *outputs[3:], own[: len(outputs[0])])[0]
                for outputs, own in zip(self._outputs, heads, strict=True)
            ]
        )

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        found = self._of_sentences("roles", sentence_indices, predicate_indices)
        shape = len(sentence_indices), self.lengths.max(), found[0].shape[2]
        scores, start = numpy.zeros(shape, numpy.float32), 0
        for own in found:
            scores[start : start + len(own), : own.shape[1]] = own
            start += len(own)
        return scores

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        rest = predicate_indices, candidates
        return numpy.concatenate(self._of_sentences("senses", sentence_indices, *rest))

    def _of_sentences(
        self, name: str, sentence_indices: numpy.ndarray, *inputs: numpy.ndarray
    ) -> List[numpy.ndarray]:
        """What a graph says of the frames of each sentence, which follow each other."""
        starts = numpy.flatnonzero(numpy.diff(sentence_indices, prepend=-1))
        parts = zip(*(numpy.split(array, starts[1:]) for array in inputs), strict=True)
        return [
            self._network.run(name, self._final_states(row), *part)[0]
            for row, part in zip(sentence_indices[starts].tolist(), parts, strict=True)
        ]


def read_graphs(folder: Path, config: NetworkConfig) -> Dict[str, bytes]:
    """Reads the graphs of a network by their names."""
    graphs = {file.stem: file.read_bytes() for file in folder.glob("*.onnx")}
    needed = ["encode", "attend", "roles"]
    needed += ["head_tags"] * config.predicts_parse + ["senses"] * config.predicts_senses
    for name in needed:
        if name not in graphs:
            raise ConfigurationError(
                f"{folder}: found no {name}.onnx; expected all graphs that `lisa export` wrote"
            )
    return graphs


def _padded(values: Sequence[numpy.ndarray]) -> numpy.ndarray:
    """`(length, dim)` of each sentence as `(batch_size, longest, dim)`, 0 at padding."""
    padded = numpy.zeros((len(values), max(map(len, values)), values[0].shape[1]), numpy.float32)
    for row, own in zip(padded, values, strict=True):
        row[: len(own)] = own
    return padded
