"""A trained model that labels sentences without PyTorch."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any, Collection, List, Mapping, Optional, Sequence, Union

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.threads import limit_numpy_threads
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.frames import RoleDecoder
from lisa_allennlp.decoding.label_names import LABEL_NAMESPACES, LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.role_constraints import GreedyDecoder
from lisa_allennlp.inference.batches import batches_of_similar_length
from lisa_allennlp.inference.network import Network, read_graphs, read_tokenizers
from lisa_allennlp.models_on_disk.model_folder import (
    BEST_NAME,
    ModelInfo,
    VocabularyFiles,
    model_folder,
    opening,
    read_config,
    read_info,
    read_json,
    read_safetensors,
)
from lisa_allennlp.models_on_disk.network_config import read_network_config
from lisa_allennlp.models_on_disk.pretrained import (
    FLOAT32,
    GRAPHS_NAME,
    INT8,
    WEIGHTS_NAME,
    is_exported,
)
from lisa_allennlp.models_on_disk.weights import Weights
from lisa_allennlp.sentence.multiword_tokens import NAMESPACE as MULTIWORD_NAMESPACE
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.sentence_splitter import NAMESPACE as SPLITTER_NAMESPACE

COMMON_WORDS = 20_000
"""
The most frequent entries of a vocabulary, which count as common words. Later ones include foreign
words that English texts quote.
"""


def open_model(
    path: Union[str, os.PathLike], max_tokens: int = 2000, precision: Optional[str] = None
) -> Union["InferenceModel", str]:
    """
    Opens an exported folder, a `model.tar.gz` or a training folder, or returns the reason why it
    needs PyTorch. A file that is missing, damaged or does not belong to the others is a
    `ConfigurationError`. Without a precision, a model that was exported in 8 bits has them.
    """
    source = os.fspath(path)
    with opening(source):
        found = read_config(source)
        kind = found["model"]["type"]
        if kind != "lisa":
            return f"a {kind}"
        with model_folder(source) as folder:
            if not (folder / GRAPHS_NAME).is_dir():
                return "a model without graphs (`lisa export` writes them if it can)"
            graphs = folder / GRAPHS_NAME
            if precision is None:
                precision = INT8 if (graphs / INT8).is_dir() else FLOAT32
            if not (graphs / precision).is_dir():
                raise ConfigurationError(
                    f"precision is '{precision}'; expected a model that `lisa export --precision "
                    f"{precision}` wrote"
                )
            if is_exported(str(folder)):
                info = read_info(folder)
                tensors = read_safetensors(folder / WEIGHTS_NAME, info.sha256)
                vocabulary = VocabularyFiles(folder, info.vocabulary)
            elif (folder / BEST_NAME).is_file():
                tensors = read_safetensors(folder / BEST_NAME)
                info = _info_of_training(folder, Path(source).name, tensors)
                vocabulary = VocabularyFiles(folder)
            else:
                return f"a model without {BEST_NAME}"
            config = read_network_config(folder)
            files = read_graphs(graphs / precision, config)
            tokenizers = read_tokenizers(folder, found, config)
            weights = Weights(tensors, info.name)
            network = Network(config, weights, vocabulary, files, tokenizers)
            return InferenceModel(info, network, weights, vocabulary, max_tokens)


def _info_of_training(folder: Path, name: str, tensors: Mapping[str, numpy.ndarray]) -> ModelInfo:
    metrics = folder / "metrics.json"
    found = read_json(metrics) if metrics.is_file() else {}
    scores = {key.removeprefix("best_validation_"): value for key, value in found.items()}
    parameters = sum(tensor.size for tensor in tensors.values())
    return ModelInfo(name, "", "", scores, parameters, vocabulary={}, sha256="")


class InferenceModel(Engine):
    """
    Labels with LISA or SA in ONNX Runtime. Several threads may call it. `max_tokens` is the largest
    number of tokens of a batch, padding included. NumPy is limited to one thread unless the user
    has set `OPENBLAS_NUM_THREADS`: threads spin while they wait, and these products are small.
    """

    def __init__(
        self,
        info: ModelInfo,
        network: Network,
        weights: Weights,
        vocabulary: VocabularyFiles,
        max_tokens: int,
    ) -> None:
        if "OPENBLAS_NUM_THREADS" not in os.environ:
            limit_numpy_threads(1)
        config = network.config
        labels = {namespace: vocabulary.entries(namespace) for namespace in LABEL_NAMESPACES}
        if not config.predicts_senses:
            del labels["sense_labels"]
        names = LabelNames(labels, config.lexicon, config.language)
        self.info = info
        self.network = network
        self.decoder = Decoder(
            names,
            role_decoder(names, weights, config.role_decoder),
            config.predicate_threshold,
            Confidence(**config.confidence),
            config.well_formed_frames,
            config.joint_argmax,
        )
        self._max_tokens = max_tokens
        shown = ("srl_f1", "uas", "sense_accuracy")
        scores = [f"{name} {info.scores[name]:.1f}" for name in shown if name in info.scores]
        self.description = ", ".join([f"{info.parameters / 1e6:.1f}M parameters", *scores])
        self.weights = info.sha256
        self.pos_tags = names.pos
        self.head_tags = names.head_tags
        self.role_labels = names.roles
        self.predicts_parse = config.predicts_parse
        self.predicts_senses = config.predicts_senses
        self.needs_predicates = config.needs_predicates
        self.language = config.language
        self.multiword_tokens = vocabulary.entries(MULTIWORD_NAMESPACE)
        self.splitter = vocabulary.entries(SPLITTER_NAMESPACE)
        self.evaluation_options = LabelOptions(config.parse_decoder, force_verb=config.force_verb)

    @classmethod
    def open(cls, folder: Union[str, os.PathLike], max_tokens: int = 2000) -> "InferenceModel":
        found = open_model(folder, max_tokens)
        if isinstance(found, str):
            raise ConfigurationError(f"{os.fspath(folder)}: {found} without PyTorch")
        return found

    @cached_property
    def common_words(self) -> Collection[str]:
        return self.network.most_frequent(COMMON_WORDS)

    def label(
        self,
        requests: Sequence[Request],
        options: LabelOptions = LabelOptions(),  # noqa: B008
    ) -> List[Sentence]:
        labelled = [request.sentence for request in requests]
        for positions in self._batches(requests):
            batch = [requests[position] for position in positions]
            sources = [request.sentence for request in batch]
            injected = _padded([request.head_indices for request in batch], sources)
            predicates = _padded([request.predicates for request in batch], sources)
            results = self.decoder.label(
                self.network.encode([source.words for source in sources], injected, predicates),
                sources,
                predicates,
                [request.given_roles for request in batch],
                options,
            )
            for position, result in zip(positions, results, strict=True):
                labelled[position] = result
        return labelled

    def predict_pos(self, requests: Sequence[Request]) -> List[List[str]]:
        tags: List[List[str]] = [[] for _ in requests]
        for positions in self._batches(requests):
            batch = [requests[position] for position in positions]
            sources = [request.sentence for request in batch]
            predicates = _padded([request.predicates for request in batch], sources)
            words = [source.words for source in sources]
            encoded = self.network.encode(words, predicates=predicates)
            rows = self.decoder.pos(encoded.joint_logits, encoded.lengths)
            for position, row in zip(positions, rows, strict=True):
                tags[position] = row
        return tags

    def _batches(self, requests: Sequence[Request]) -> List[List[int]]:
        lengths = [len(request.sentence.words) for request in requests]
        return batches_of_similar_length(lengths, self._max_tokens)

    def __repr__(self) -> str:
        return f"<InferenceModel {self.info.name} {self.info.version}>"


def role_decoder(names: LabelNames, weights: Weights, options: Mapping[str, Any]) -> RoleDecoder:
    size, constraints = len(names.roles), names.role_constraints
    others = {key: value for key, value in options.items() if key != "type"}
    if options["type"] == "greedy":
        return GreedyDecoder(constraints)
    if options["type"] == "viterbi":
        transitions = weights.counts("_role_decoder.transition_counts", size, size)
        starts = weights.counts("_role_decoder.start_counts", size)
        return ChainDecoder(constraints.counted_chain(transitions, starts, **others))
    chain = LinearChain(
        weights.take("_role_decoder._crf.start_transitions", size),
        weights.take("_role_decoder._crf.transitions", size, size),
        weights.take("_role_decoder._crf.end_transitions", size),
    )
    return ChainDecoder(constraints.constrain(chain))


def _padded(
    rows: Sequence[Optional[Sequence[int]]], sentences: Sequence[Sentence]
) -> Optional[numpy.ndarray]:
    if all(row is None for row in rows):
        return None
    padded = numpy.full((len(rows), max(len(s.words) for s in sentences)), -1)
    for number, row in enumerate(rows):
        if row is not None:
            padded[number, : len(row)] = row
    return padded
