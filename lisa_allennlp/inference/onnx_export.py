"""Exports models to ONNX, for browsers and other languages (docs/onnx.md)."""

import json
import os
import shutil
from pathlib import Path
from typing import Any, Dict, List, Mapping, Union

import numpy

from lisa_allennlp.common.complete_files import complete_folder
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.tokens import BRACKETS_NAMESPACE, LONGEST_WORD, BracketForms
from lisa_allennlp.data.languages import ENGLISH
from lisa_allennlp.data.tokenizers.english import RULES_FILE
from lisa_allennlp.data.tokenizers.raw_text import INVISIBLE
from lisa_allennlp.data.tokenizers.sentence_splitter import NETWORK_FILE
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.label_names import LABEL_NAMESPACES, LabelNames
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, LinearChain
from lisa_allennlp.inference.config import NetworkConfig, WordEmbedder, read_network_config
from lisa_allennlp.inference.layers import Weights
from lisa_allennlp.inference.model import open_model, role_decoder
from lisa_allennlp.inference.onnx_network import check_graphs
from lisa_allennlp.inference.onnx_runtime import DECODING_NAME, GraphFiles
from lisa_allennlp.inference.word_inputs import make_word_inputs
from lisa_allennlp.model_files.model_folder import (
    VocabularyFiles,
    check_empty,
    read_safetensors,
)
from lisa_allennlp.pretrained import WEIGHTS_NAME, is_exported, resolve
from lisa_allennlp.version import VERSION

VOCABULARY_NAME, TOKENIZER_NAME = "vocabulary.json", "tokenizer.json"


def export_onnx(
    model: Union[str, os.PathLike],
    folder: Union[str, os.PathLike],
    precision: str = "float32",
    force: bool = False,
) -> None:
    """
    Exports a model to a folder with four ONNX graphs, and with what decoding needs in JSON. The
    model is a folder that `lisa export` wrote, or the name of a model in the package, and of a kind
    that the NumPy engine runs. The precision is `float32` or `int8`. A folder with files is a
    `ConfigurationError`, unless it has an ONNX export to replace by `force`.
    """
    from lisa_allennlp.inference._onnx_build import build_graphs
    from lisa_allennlp.inference._onnx_graphs import words_graph

    source, target = Path(resolve(model)), Path(folder)
    if not is_exported(str(source)):
        raise ConfigurationError(
            f"{source}: found no exported model; expected a folder that `lisa export` wrote"
        )
    check_empty(target, force and (target / DECODING_NAME).is_file(), "an ONNX export")
    # Checks everything that is read again here, and that no file is a link out of the folder.
    opened = open_model(source)
    if isinstance(opened, str):
        raise ConfigurationError(f"{source}: {opened} in models for ONNX")
    info = opened.info
    weights = Weights(read_safetensors(source / WEIGHTS_NAME, info.sha256), info.name)
    vocabulary = VocabularyFiles(source, info.vocabulary)
    config = read_network_config(source)
    check_graphs(config, str(source))
    if config.language != ENGLISH:
        raise ConfigurationError(
            f"{source}: found a model for the language '{config.language}'; expected an English "
            "one, since what decodes its scores elsewhere has the rules of English"
        )
    labels = {namespace: vocabulary.entries(namespace) for namespace in LABEL_NAMESPACES}
    entries = {e.name: vocabulary.entries(e.namespace) for e in config.embedders}
    brackets = BracketForms(vocabulary.entries(BRACKETS_NAMESPACE))
    decoding = {
        "name": info.name,
        "version": info.version,
        "license": info.license,
        "package_version": VERSION,
        "precision": precision,
        "graphs": GraphFiles(source, info.sha256, precision).key,
        "inputs": [
            {"name": embedder.name, "kind": "words", "lowercase": embedder.lowercase}
            if isinstance(embedder, WordEmbedder)
            else {"name": embedder.name, "kind": "characters"}
            for embedder in config.embedders
        ],
        "longest_word": LONGEST_WORD,
        "brackets": brackets.all(),
        **_decoding(config, weights, labels),
    }
    sizes = [len(words) for words in entries.values()]
    words = words_graph(config, weights, sizes, with_codes=precision == "int8").model("words")
    inputs = make_word_inputs(config, weights, vocabulary, brackets)
    graphs = {
        "words": words.SerializeToString(),
        **build_graphs(config, weights, vocabulary, labels, inputs, precision),
    }
    with complete_folder(target) as partial:
        for name, graph in graphs.items():
            (partial / f"{name}.onnx").write_bytes(graph)
        _write_json(partial / DECODING_NAME, decoding)
        _write_json(partial / VOCABULARY_NAME, entries)
        _write_json(partial / TOKENIZER_NAME, tokenizer_rules())
        for name in ("README.md", "LICENSE.txt"):
            if (source / name).is_file():
                shutil.copy(source / name, partial)


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def tokenizer_rules() -> Dict[str, Any]:
    """The rules of English tokens, what is no part of words, and the network of sentences."""
    return {
        **json.loads(RULES_FILE.read_text(encoding="utf-8")),
        "invisible": INVISIBLE,
        "splitter": json.loads(NETWORK_FILE.read_text(encoding="utf-8")),
    }


def _decoding(
    config: NetworkConfig, weights: Weights, labels: Mapping[str, List[str]]
) -> Dict[str, Any]:
    """What `lisa_allennlp.decoding` knows of a model."""
    names = LabelNames(labels)
    confidence = Confidence(**config.confidence)
    return {
        "pos": names.pos,
        "pos_of_joint": names.pos_of_joint,
        "is_predicate": names.is_predicate,
        "predicate_threshold": config.predicate_threshold,
        "head_tags": names.head_tags,
        "root_label": names.root_label,
        "roles": names.roles,
        "chain": chain_in_json(role_decoder(names, weights, config.role_decoder).chain()),
        "role_temperature": confidence.role_temperature,
        "min_probability": confidence.min_probability,
        "min_core_probability": confidence.min_core_probability,
        "well_formed_frames": config.well_formed_frames or config.lexicon is not None,
        "senses": labels["sense_labels"],
        "candidates": names.senses.of_forms,
        "families": names.senses.families,
    }


def chain_in_json(chain: LinearChain) -> Dict[str, Any]:
    """The parts of a chain as lists. `FORBIDDEN` stands for -inf, which JSON has not."""
    return {
        name: _rounded(numpy.maximum(part, FORBIDDEN)) for name, part in chain._asdict().items()
    }


def _rounded(values: numpy.ndarray) -> Any:
    """Lists, with as many digits as single precision has."""
    return [float(f"{value:.9g}") if values.ndim == 1 else _rounded(value) for value in values]
