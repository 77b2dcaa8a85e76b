"""The ONNX graphs against the network in NumPy, by ONNX Runtime."""

import dataclasses
import json
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy
import pytest

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.decoder import EncodedBatch
from lisa_allennlp.inference.model import InferenceModel

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from lisa_allennlp.inference.onnx_export import export_onnx  # noqa: E402
from tests.inference.model_test import export_random  # noqa: E402

SENTENCES = [
    ["Dogs", "bark"],
    ["Go"],
    ["She", "bought", "(", "and", "sold", ")", "naïve", "gizmo-things", "🦊", "x" * 300, "."],
    ["The", "court", "ruled", "that", "lawmakers", "must", "pay", "for", "the", "schools", "."],
    ["of", "the"],
]


@lru_cache(maxsize=2)
def session(path: Path) -> Any:
    """Opens each graph of an export once."""
    return onnxruntime.InferenceSession(path)


class OnnxSentence:
    """An `EncodedBatch` of one sentence, by the files of an export."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        decoding = json.loads((folder / "decoding.json").read_text(encoding="utf-8"))
        entries = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        self._score, encode = session(folder / "score.onnx"), session(folder / "encode.onnx")
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


@pytest.mark.medium
# With characters, words or both, and without a syntactic head.
@pytest.mark.parametrize("seed", [0, 1, 6, 7])
def test_random_models_score_as_in_numpy(seed: int, tmp_path: Path) -> None:
    model = export_random(tmp_path, seed)
    export_onnx(model, tmp_path / "onnx")
    network = InferenceModel.open(model)._network
    for words in SENTENCES:
        check_scores(OnnxSentence(tmp_path / "onnx", words), network.encode([words]))


@pytest.mark.medium
def test_the_shipped_model_labels_as_in_numpy(tmp_path: Path) -> None:
    export_onnx("english-fast", tmp_path / "onnx")
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    for words in SENTENCES:
        encoded = OnnxSentence(tmp_path / "onnx", words)
        check_scores(encoded, model._network.encode([words]))
        labelled = [
            dataclasses.replace(sentence, predicate_probabilities=None)
            for labeller in (partial(model.decoder.label, encoded), model.label)
            for sentence in labeller([Sentence(words)])
        ]
        assert labelled[0] == labelled[1]


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ConfigurationError, match="empty or a new folder"):
        export_onnx("english-fast", tmp_path, force=True)
