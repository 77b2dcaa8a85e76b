"""The ONNX graphs against the network in NumPy, by ONNX Runtime."""

import dataclasses
import json
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy
import pytest

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.encoded_batch import EncodedBatch
from lisa_allennlp.decoding.label_names import LABEL_NAMESPACES
from lisa_allennlp.inference.config import read_network_config
from lisa_allennlp.inference.model import BRACKETS_NAMESPACE, InferenceModel
from lisa_allennlp.inference.network import Network
from lisa_allennlp.inference.weights import Weights
from lisa_allennlp.model_files.model_folder import VocabularyFiles

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from lisa_allennlp.inference.onnx_export import export_onnx, write_onnx  # noqa: E402

SENTENCES = [
    ["Dogs", "bark"],
    ["Go"],
    ["She", "bought", "(", "and", "sold", ")", "naïve", "gizmo-things", "🦊", "x" * 300, "."],
    ["The", "court", "ruled", "that", "lawmakers", "must", "pay", "for", "the", "schools", "."],
    ["of", "the"],
]


class OnnxSentence:
    """An `EncodedBatch` of one sentence, by the files of an export."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        decoding = json.loads((folder / "decoding.json").read_text(encoding="utf-8"))
        entries = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        self._score = onnxruntime.InferenceSession(folder / "score.onnx")
        encode = onnxruntime.InferenceSession(folder / "encode.onnx")
        words = [decoding["brackets"].get(word, word)[: decoding["longest_word"]] for word in words]
        inputs: Dict[str, Any] = {}
        for found in decoding["inputs"]:
            name = found["name"]
            indices = {entry: index for index, entry in enumerate(entries[name])}
            if found["kind"] == "words":
                forms = [word.lower() if found["lowercase"] else word for word in words]
                rows: List[Any] = [indices.get(form, 1) for form in forms]
            else:
                longest = max(map(len, words))
                rows = [
                    [*(indices.get(c, 1) for c in word), *[0] * (longest - len(word))]
                    for word in words
                ]
            inputs[name] = numpy.array(rows, numpy.int32)
        names = [output.name for output in encode.get_outputs()]
        self._values = dict(zip(names, encode.run(None, inputs), strict=True))
        self.lengths = numpy.array([len(words)])
        self.joint_logits = self._values.pop("joint_logits")[None]
        arc_scores = self._values.pop("arc_scores", None)
        self.arc_scores: Optional[numpy.ndarray] = None if arc_scores is None else arc_scores[None]

    def _run(self, output: str, heads: numpy.ndarray, predicates: numpy.ndarray) -> numpy.ndarray:
        inputs = {**self._values, "predicates": predicates.astype(numpy.int32)}
        if self.arc_scores is not None:
            inputs["head_indices"] = heads.astype(numpy.int32)
        return self._score.run([output], inputs)[0]

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        return self._run("head_tag_logits", head_indices[0], numpy.zeros(0))[None]

    def score_roles(self, _: numpy.ndarray, predicate_indices: numpy.ndarray) -> numpy.ndarray:
        return self._run("role_logits", numpy.zeros(self.lengths[0]), predicate_indices)

    def score_senses(
        self, _: numpy.ndarray, predicate_indices: numpy.ndarray, candidates: numpy.ndarray
    ) -> numpy.ndarray:
        scores = self._run("sense_logits", numpy.zeros(self.lengths[0]), predicate_indices)
        return numpy.take_along_axis(scores, numpy.maximum(candidates, 0), 1)


def check_scores(found: EncodedBatch, expected: EncodedBatch) -> None:
    """All scores are within 1e-4."""
    length, places = found.lengths[0], numpy.arange(found.lengths[0])
    pairs = [(found.joint_logits, expected.joint_logits)]
    frames = numpy.zeros(length, int), places
    pairs.append((found.score_roles(*frames), expected.score_roles(*frames)))
    if expected.arc_scores is not None:
        pairs.append((found.arc_scores, expected.arc_scores))
        heads = numpy.minimum(places[None] + 1, length - 1)
        pairs.append((found.score_head_tags(heads), expected.score_head_tags(heads)))
    for ours, numpys in pairs:
        numpy.testing.assert_allclose(ours, numpys, atol=1e-4, rtol=1e-4)


class RandomWeights(Weights):
    """Makes each tensor when it is first read."""

    def __init__(self) -> None:
        super().__init__({}, "random")
        self._random = numpy.random.default_rng(0)
        self._made: Dict[str, numpy.ndarray] = {}

    def vectors(self, name: str, num_rows: int, dim: int) -> Any:
        self._tensors = {name: self.take(name, num_rows, dim)}
        return super().vectors(name, num_rows, dim)

    def find(self, name: str, *shape: int) -> numpy.ndarray:
        if name not in self._made:
            self._made[name] = self._random.normal(0, 0.3, shape).astype(numpy.float32)
        assert self._made[name].shape == shape
        return self._made[name]


SMALL = {
    "dataset_reader": {
        "type": "conll12_srl",
        "token_indexers": {
            "words": {"type": "single_id"},
            "letters": {"type": "distinct_characters"},
        },
    },
    "model": {
        "type": "lisa",
        "text_field_embedder": {
            "token_embedders": {
                "words": {"type": "embedding", "embedding_dim": 5},
                "letters": {
                    "type": "distinct_character_encoding",
                    "embedding": {"embedding_dim": 3, "vocab_namespace": "token_characters"},
                    "encoder": {"type": "cnn", "num_filters": 2, "ngram_filter_sizes": [2, 5]},
                },
            }
        },
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": 3,
            "num_heads": 3,
            "head_dim": 4,
            "feedforward_hidden_dim": 7,
            "feedforward_num_layers": 3,
            "predicate_layer": 1,
            "parse_layer": 2,
            "arc_dim": 6,
            "label_dim": 5,
        },
        "role_decoder": "crf",
        "predicate_dim": 8,
        "role_dim": 9,
        "sense_tagger": "linear",
    },
}


@pytest.mark.parametrize("parse_layer", [None, 1, 2])
def test_random_models_score_as_in_numpy(parse_layer: Optional[int], tmp_path: Path) -> None:
    entries = {
        "tokens": ["@@UNKNOWN@@", "Dogs", "court", "the"],
        "token_characters": ["@@UNKNOWN@@", *"Dogsbark"],
        "joint_tags": ["NN", "VB", "VB:predicate"],
        "role_labels": ["O", "B-V", "B-A0", "I-A0", "B-A1", "I-A1"],
        "head_tags": ["root", "nsubj"],
        "sense_labels": ["bark.01", "bark.02"],
        "form_sense_labels": ["bark bark.01", "court bark.02"],
        "bracket_labels": ["-LRB-"],
    }
    folder = tmp_path / "vocabulary"
    folder.mkdir()
    for namespace, lines in entries.items():
        (folder / f"{namespace}.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "non_padded_namespaces.txt").write_text("*tags\n*labels\n")
    vocabulary = VocabularyFiles(tmp_path)
    SMALL["model"]["encoder"]["parse_layer"] = parse_layer  # type: ignore[index]
    weights = RandomWeights()
    labels = {namespace: vocabulary.entries(namespace) for namespace in LABEL_NAMESPACES}
    brackets = BracketForms(vocabulary.entries(BRACKETS_NAMESPACE))
    network = Network(read_network_config(SMALL), weights, vocabulary, labels, brackets)
    write_onnx(tmp_path, {"name": "small"}, SMALL, weights, vocabulary, "float32")
    for words in SENTENCES:
        check_scores(OnnxSentence(tmp_path, words), network.encode([words]))


@pytest.mark.medium
def test_the_shipped_model_labels_as_in_numpy(tmp_path: Path) -> None:
    export_onnx("english-fast", tmp_path / "onnx")
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    for words in SENTENCES:
        encoded = OnnxSentence(tmp_path / "onnx", words)
        check_scores(encoded, model._network.encode([words]))
        labelled = [
            dataclasses.replace(sentence, predicate_probabilities=None)
            for labeller in (partial(model._decoder.label, encoded), model.label)
            for sentence in labeller([Sentence(words)])
        ]
        assert labelled[0] == labelled[1]


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ConfigurationError, match="empty or a new folder"):
        export_onnx("english-fast", tmp_path, force=True)
