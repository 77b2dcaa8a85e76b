"""
LISA's network in the graphs that PyTorch has exported (`lisa_allennlp.models.graphs`). Each run has
sentences of equal length, without padding, and no answer depends on other sentences.
"""

import os
from functools import cached_property, partial
from pathlib import Path
from typing import (
    Any,
    Dict,
    FrozenSet,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.inference.batches import batches_of_equal_length
from lisa_allennlp.inference.graphs import Graph
from lisa_allennlp.inference.word_inputs import (
    CharacterVectors,
    PieceVectors,
    WordEmbedding,
    WordInputs,
    WordVectors,
)
from lisa_allennlp.models_on_disk.model_folder import VocabularyFiles, read_json, stored_path
from lisa_allennlp.models_on_disk.network_config import NetworkConfig, PieceEmbedder, WordEmbedder
from lisa_allennlp.models_on_disk.weights import Weights
from lisa_allennlp.text.tokens import BRACKETS_NAMESPACE, BracketForms
from lisa_allennlp.text.word_pieces import WordPieces


class Network:
    """
    Encodes and scores sentences. Threads and forked processes may share it: each process opens the
    graphs for itself.
    """

    def __init__(
        self,
        config: NetworkConfig,
        weights: Weights,
        vocabulary: VocabularyFiles,
        graphs: Mapping[str, bytes],
        tokenizers: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.config = config
        self.graphs, self._weights = dict(graphs), weights
        self._opened: Tuple[int, Dict[str, Graph]] = 0, {}
        self._encoded = ["joint_logits", "states"]
        if config.predicts_parse:
            self._encoded += ["arc_scores", "dependents", "parents"]
        if config.has_factuality_encoder:
            self._encoded.append("factuality_logits")
        brackets = BracketForms(vocabulary.entries(BRACKETS_NAMESPACE))
        self._inputs: List[Union[WordInputs, PieceVectors]] = []
        words: List[WordEmbedding] = []
        for embedder in config.embedders:
            if isinstance(embedder, PieceEmbedder):
                pieces = WordPieces(tokenizers[embedder.name])
                self._inputs.append(PieceVectors(embedder, weights, pieces, brackets))
                words = []
                continue
            # Those that follow each other are cached together.
            if not words:
                self._inputs.append(WordInputs(words, brackets))
            entries = vocabulary.entries(embedder.namespace)
            if isinstance(embedder, WordEmbedder):
                words.append(WordVectors(embedder, weights, entries))
            else:
                graph = partial(self.run, f"characters-{embedder.name}")
                words.append(CharacterVectors(graph, entries))

    def most_frequent(self, number: int) -> FrozenSet[str]:
        return frozenset(word for one in self._inputs for word in one.most_frequent(number))

    def run(self, name: str, *inputs: numpy.ndarray) -> List[numpy.ndarray]:
        process, opened = self._opened
        if process != os.getpid():
            process, opened = self._opened = os.getpid(), {}
        if name not in opened:
            graph = Graph(self.graphs[name], self._weights)
            if name == "encode" and graph.outputs[: len(self._encoded)] != self._encoded:
                raise ConfigurationError(
                    f"the model's graph: found the outputs {', '.join(graph.outputs)}; expected "
                    f"{', '.join(self._encoded)}"
                )
            opened[name] = graph
        return opened[name](*inputs)

    def encode(
        self,
        sentences: Sequence[Sequence[str]],
        head_indices: Optional[numpy.ndarray] = None,
        predicates: Optional[numpy.ndarray] = None,
    ) -> "EncodedSentences":
        """
        Encodes at least one sentence, none without words. Sentences of equal length should follow
        each other. `head_indices`, shape `(batch_size, length)`, is the tree that the syntactic
        head attends to, in which the root is its own head. Tokens with a negative value attend by
        the predicted distribution. A network that reads predicates (section 4.1) finds a 1 at that
        of each sentence in `predicates`, shape `(batch_size, length)`; other networks ignore them.
        """
        words = [word for words in sentences for word in words]
        vectors = numpy.concatenate(
            [
                inputs(words) if isinstance(inputs, WordInputs) else inputs(sentences, self.run)
                for inputs in self._inputs
            ],
            axis=1,
        )
        lengths = numpy.array([len(words) for words in sentences])
        ends, groups = lengths.cumsum(), []
        for rows, length in batches_of_equal_length(lengths.tolist()):
            own = vectors[ends[rows.start] - length : ends[rows.stop - 1]]
            inputs = [own.reshape(rows.stop - rows.start, length, -1)]
            if self.config.needs_predicates and predicates is not None:
                inputs.append((predicates[rows, :length] > 0).astype(int))
            outputs = self.run("encode", *inputs)
            groups.append(Group(rows, length, dict(zip(self._encoded, outputs, strict=True))))
        return EncodedSentences(self, lengths, groups, head_indices)


class Group(NamedTuple):
    """Sentences of equal length: their places in a batch, length, and `encode` outputs."""

    rows: slice
    length: int
    outputs: Mapping[str, numpy.ndarray]


class EncodedSentences:
    def __init__(
        self,
        network: Network,
        lengths: numpy.ndarray,
        groups: Sequence[Group],
        head_indices: Optional[numpy.ndarray],
    ) -> None:
        self._network, self._groups = network, groups
        self.lengths, self.head_indices = lengths, head_indices

    @cached_property
    def joint_logits(self) -> numpy.ndarray:
        return self._pad([group.outputs["joint_logits"] for group in self._groups])

    @cached_property
    def arc_scores(self) -> Optional[numpy.ndarray]:
        if not self._network.config.predicts_parse:
            return None
        scores = numpy.zeros((len(self.lengths), *[self.lengths.max()] * 2), numpy.float32)
        for rows, length, outputs in self._groups:
            scores[rows, :length, :length] = outputs["arc_scores"]
        return scores

    @cached_property
    def _final_states(self) -> List[numpy.ndarray]:
        """The groups' last states, which depend on the tree."""
        found = []
        for rows, length, outputs in self._groups:
            inputs = [outputs["states"]]
            if "arc_scores" in outputs:
                heads = numpy.full(inputs[0].shape[:2], -1)
                if self.head_indices is not None:
                    heads = self.head_indices[rows, :length]
                inputs += [outputs["arc_scores"], heads]
            found += self._network.run("attend", *inputs)
        return found

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        logits = []
        for rows, length, outputs in self._groups:
            heads = head_indices[rows, :length]
            inputs = outputs["dependents"], outputs["parents"], heads
            logits += self._network.run("head_tags", *inputs)
        return self._pad(logits)

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        parts = list(self._of_frames("roles", sentence_indices, predicate_indices))
        shape = len(sentence_indices), self.lengths.max(), parts[0][1].shape[2]
        scores = numpy.zeros(shape, numpy.float32)
        for frames, found in parts:
            scores[frames, : found.shape[1]] = found
        return scores

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        scores = numpy.empty(candidates.shape, numpy.float32)
        indices = sentence_indices, predicate_indices, candidates
        for frames, found in self._of_frames("senses", *indices):
            scores[frames] = found
        return scores

    @cached_property
    def factuality_logits(self) -> Optional[numpy.ndarray]:
        if not self._network.config.predicts_factuality:
            return None
        if self._network.config.has_factuality_encoder:
            logits = [group.outputs["factuality_logits"] for group in self._groups]
        else:
            logits = [self._network.run("factuality", s)[0] for s in self._final_states]
        return self._pad([values[..., None] for values in logits])[..., 0]

    def _of_frames(
        self, name: str, sentence_indices: numpy.ndarray, *inputs: numpy.ndarray
    ) -> Iterator[Tuple[numpy.ndarray, numpy.ndarray]]:
        """Yields the frames of each group that has any, and a graph's outputs for them."""
        for (rows, _, _), states in zip(self._groups, self._final_states, strict=True):
            is_own = (rows.start <= sentence_indices) & (sentence_indices < rows.stop)
            (frames,) = is_own.nonzero()
            if len(frames):
                own = [sentence_indices[frames] - rows.start, *(i[frames] for i in inputs)]
                yield frames, self._network.run(name, states, *own)[0]

    def _pad(self, values: Sequence[numpy.ndarray]) -> numpy.ndarray:
        shape = len(self.lengths), self.lengths.max(), values[0].shape[2]
        padded = numpy.zeros(shape, numpy.float32)
        for (rows, length, _), own in zip(self._groups, values, strict=True):
            padded[rows, :length] = own
        return padded


def read_graphs(folder: Path, config: NetworkConfig) -> Dict[str, bytes]:
    graphs = {file.stem: file.read_bytes() for file in folder.glob("*.onnx")}
    needed = ["encode", "attend", "roles"]
    for embedder in config.embedders:
        if not isinstance(embedder, WordEmbedder):
            kind = "pieces" if isinstance(embedder, PieceEmbedder) else "characters"
            needed.append(f"{kind}-{embedder.name}")
    needed += ["head_tags"] * config.predicts_parse + ["senses"] * config.predicts_senses
    if config.predicts_factuality and not config.has_factuality_encoder:
        needed.append("factuality")
    for name in needed:
        if name not in graphs:
            raise ConfigurationError(
                f"{folder}: found no {name}.onnx; expected all graphs that `lisa export` wrote"
            )
    return graphs


def read_tokenizers(
    folder: Path, model_config: Mapping[str, Any], config: NetworkConfig
) -> Dict[str, Dict[str, Any]]:
    reader = model_config.get("validation_dataset_reader") or model_config["dataset_reader"]
    found = {}
    for embedder in config.embedders:
        if isinstance(embedder, PieceEmbedder):
            name = reader["token_indexers"][embedder.name]["model_name"]
            stored = stored_path(name, folder)
            if stored is None:
                raise ConfigurationError(
                    f"{folder}: found no files of '{name}'; expected those that the training stored"
                )
            found[embedder.name] = read_json(Path(stored) / "tokenizer.json")
    return found
