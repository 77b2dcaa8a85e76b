"""
Builds the graphs of a model for the engine and for the export. For 8 bits, it looks first at which
values occur in the network.

The module is private, so that `--include-package lisa_allennlp` does without onnx.
"""

from typing import Dict, List, Mapping, Sequence, Sized

import numpy

from lisa_allennlp.inference._onnx_graphs import (
    Graph,
    Ranges,
    attend_graph,
    encode_graph,
    score_graph,
)
from lisa_allennlp.inference.config import NetworkConfig, WordEmbedder
from lisa_allennlp.inference.layers import Weights
from lisa_allennlp.inference.onnx_runtime import open_session, run
from lisa_allennlp.inference.word_inputs import WordInputs
from lisa_allennlp.model_files.model_folder import VocabularyFiles

SENTENCES, LENGTH = 64, 16
"""The number and the length of the sentences on which ranges are measured."""

OUTLIERS = 0.001
"""The percentage of values beyond each end of a range."""


def build_graphs(
    config: NetworkConfig,
    weights: Weights,
    vocabulary: VocabularyFiles,
    labels: Mapping[str, Sized],
    word_inputs: WordInputs,
    precision: str,
) -> Dict[str, bytes]:
    """
    Builds the graphs `encode`, `attend` and `score`. `labels` are those of the namespaces of
    `LabelNames`, the precision is one of `onnx_runtime.PRECISIONS`.
    """

    def build(ranges: Ranges) -> Dict[str, Graph]:
        return {
            "encode": encode_graph(config, weights, len(labels["joint_tags"]), ranges),
            "attend": attend_graph(config, weights, ranges),
            "score": score_graph(config, weights, labels, ranges),
        }

    graphs = build({})
    if precision == "int8":
        words = draw_words(config, vocabulary, SENTENCES * LENGTH)
        graphs = build(find_ranges(graphs, word_inputs(words)))
    return {name: graph.model(name).SerializeToString() for name, graph in graphs.items()}


def draw_words(config: NetworkConfig, vocabulary: VocabularyFiles, number: int) -> List[str]:
    """
    Draws words from the vocabulary, where frequent ones come first, as often as they are in texts:
    the nth with a probability of about 1/n (Zipf's law). Without words, it draws characters.
    """
    rng = numpy.random.default_rng(0)

    def draw(namespace: str, number: int) -> Sequence[str]:
        # Padding and the unknown word come first.
        entries = vocabulary.entries(namespace)[2:] or ["."]
        places = numpy.exp(rng.random(number) * numpy.log(len(entries))).astype(int) - 1
        return [entries[place] for place in places.tolist()]

    for embedder in config.embedders:
        if isinstance(embedder, WordEmbedder):
            return [*draw(embedder.namespace, number)]
    return ["".join(draw(config.embedders[0].namespace, 5)) for _ in range(number)]


def find_ranges(graphs: Mapping[str, Graph], vectors: numpy.ndarray) -> Ranges:
    """Measures the inputs of maps in graphs of single precision, from the vectors of words."""
    sessions = {
        name: open_session(graph.model(name, observed=True).SerializeToString())
        for name, graph in graphs.items()
    }
    shape = SENTENCES, LENGTH
    found = run(sessions["encode"], {"vectors": vectors.reshape(*shape, -1)})
    found.update(run(sessions["attend"], {**found, "given_heads": numpy.full(shape, -1)}))
    places = numpy.indices(shape).reshape(2, -1).T
    inputs = {**found, "frames": places, "candidates": numpy.empty((len(places), 0))}
    if "arc_scores" in found:
        inputs["head_indices"] = found["arc_scores"].argmax(-1)
    found.update(run(sessions["score"], inputs))
    ranges = {}
    for graph in graphs.values():
        for name in graph.map_inputs:
            ends = numpy.percentile(found[name], [OUTLIERS, 100 - OUTLIERS])
            # Rounded, since the last digits depend on the processor.
            low, high = (float(f"{end:.3g}") for end in ends)
            ranges[name] = min(low, 0.0), max(high, 1e-6)
    return ranges
