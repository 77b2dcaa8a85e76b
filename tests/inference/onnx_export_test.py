"""The ONNX graphs against the network in NumPy, by ONNX Runtime."""

import copy
import dataclasses
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy
import pytest

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.request import Request
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


@lru_cache(maxsize=3)
def session(path: Path) -> Any:
    """Opens each graph of an export once."""
    return onnxruntime.InferenceSession(path)


class OnnxSentence:
    """An `EncodedBatch` of one sentence, by the files of an export, as docs/onnx.md describes."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        decoding = json.loads((folder / "decoding.json").read_text(encoding="utf-8"))
        entries = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        names = "score", "attend", "encode"
        self._score, self._attend, encode = (session(folder / f"{name}.onnx") for name in names)
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
        (vectors,) = session(folder / "words.onnx").run(None, inputs)
        outputs = [output.name for output in encode.get_outputs()]
        found = encode.run(None, {"vectors": vectors[None]})
        self._values = dict(zip(outputs, found, strict=True))
        self.lengths = numpy.array([len(words)])
        self.joint_logits = self._values.pop("joint_logits")
        self.arc_scores: Optional[numpy.ndarray] = self._values.pop("arc_scores", None)
        self._below = {"below": self._values.pop("below")}
        self.head_indices = numpy.full((1, len(words)), -1)
        self._values["states"] = self.attending(self.head_indices)._values["states"]

    def attending(self, head_indices: numpy.ndarray) -> "OnnxSentence":
        attending = copy.copy(self)
        attending.head_indices = head_indices
        inputs = dict(self._below)
        if self.arc_scores is not None:
            inputs["arc_scores"] = self.arc_scores
            inputs["given_heads"] = head_indices.astype(numpy.int32)
        (states,) = self._attend.run(["states"], inputs)
        attending._values = {**self._values, "states": states}
        return attending

    def _run(
        self, output: str, heads: Any = None, predicates: Any = (), candidates: Any = None
    ) -> numpy.ndarray:
        frames = numpy.array([(0, predicate) for predicate in predicates], numpy.int32)
        values = {**self._values, "frames": frames.reshape(-1, 2)}
        if self.arc_scores is not None:
            heads = numpy.zeros((1, self.lengths[0])) if heads is None else heads
            values["head_indices"] = heads.astype(numpy.int32)
        if any(wanted.name == "candidates" for wanted in self._score.get_inputs()):
            found = numpy.empty((len(frames), 0)) if candidates is None else candidates
            values["candidates"] = found.astype(numpy.int32)
        return self._score.run([output], values)[0]

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        return self._run("head_tag_logits", head_indices)

    def score_roles(self, _: numpy.ndarray, predicate_indices: numpy.ndarray) -> numpy.ndarray:
        return self._run("role_logits", predicates=predicate_indices)

    def score_senses(
        self, _: numpy.ndarray, predicate_indices: numpy.ndarray, candidates: numpy.ndarray
    ) -> numpy.ndarray:
        return self._run("sense_logits", predicates=predicate_indices, candidates=candidates)


def check_scores(found: EncodedBatch, expected: EncodedBatch) -> None:
    """All scores of all tokens are within 1e-4."""
    sentences, tokens = numpy.argwhere(found.joint_logits[..., 0] != 0).T
    assert len(tokens) == found.lengths.sum()
    pairs = [(found.joint_logits, expected.joint_logits)]
    pairs.append((found.score_roles(sentences, tokens), expected.score_roles(sentences, tokens)))
    if expected.arc_scores is not None:
        pairs.append((found.arc_scores, expected.arc_scores))
        heads = numpy.arange(found.joint_logits.shape[1]) // 2 + 0 * found.lengths[:, None]
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
            for found in (
                model.decoder.label(encoded, [Sentence(words)]),
                model.label([Request(Sentence(words))]),
            )
            for sentence in found
        ]
        assert labelled[0] == labelled[1]


def test_links_out_of_the_model_are_not_followed(tmp_path: Path) -> None:
    model = export_random(tmp_path, 0)
    (tmp_path / "secret").write_text("a secret")
    (model / "README.md").unlink()
    (model / "README.md").symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigurationError, match="README.md: found a link; expected none"):
        export_onnx(model, tmp_path / "onnx")
    assert not (tmp_path / "onnx").exists()


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ConfigurationError, match="empty or a new folder"):
        export_onnx("english-fast", tmp_path, force=True)
