"""The engine in ONNX Runtime against that in NumPy."""

from pathlib import Path
from typing import Any, List

import numpy
import pytest

import lisa_allennlp
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.inference import onnx_network
from lisa_allennlp.inference.model import open_model
from lisa_allennlp.inference.onnx_runtime import GraphFiles
from tests import FIXTURES

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from lisa_allennlp.inference.onnx_export import export_onnx  # noqa: E402
from tests.inference.model_test import export_random  # noqa: E402
from tests.inference.onnx_export_test import SENTENCES, check_scores  # noqa: E402

SAMPLE = read_annotated(str(FIXTURES / "sample/dev.gold_conll"), parses=False).bare_sentences[:60]

INPUTS = [sentence.words for sentence in SAMPLE]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cached files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.medium
@pytest.mark.parametrize("seed", range(8))
def test_random_models_score_as_in_numpy(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_network, "TOKENS_AT_ONCE", 20)
    folder = export_random(tmp_path, seed)
    batch = [*SENTENCES, *INPUTS]
    heads = numpy.full((len(batch), max(map(len, batch))), -1)
    heads[::2] = numpy.maximum(numpy.arange(heads.shape[1]) - 1, 0)
    networks: List[Any] = [
        open_model(folder, onnx=precision)._network  # type: ignore[union-attr]
        for precision in ("float32", None)
    ]
    found, expected = (network.encode(batch, heads) for network in networks)
    check_scores(found, expected)
    for network in networks:
        check_scores(network.encode(batch).attending(heads), expected)


@pytest.mark.medium
def test_labels_in_single_precision_are_those_of_numpy() -> None:
    options: Any = {"model": "english-fast", "probabilities": True}
    ours = lisa_allennlp.load(engine="onnx", precision="float32", **options)
    numpys = lisa_allennlp.load(engine="numpy", **options)
    found, expected = ([*lisa.pipe(INPUTS, details=True)] for lisa in (ours, numpys))
    for one, other in zip(found, expected, strict=True):
        assert without_numbers(one) == without_numbers(other)
        assert one.pos_probabilities == pytest.approx(other.pos_probabilities, abs=1e-3)
        numpy.testing.assert_allclose(one.attention, other.attention, atol=1e-4)


def without_numbers(sentence: Sentence) -> List[Any]:
    frames = [(f.predicate, f.tags, f.sense) for f in sentence.frames or []]
    return [sentence.words, sentence.pos, sentence.parse, frames]


@pytest.mark.medium
def test_answers_in_8_bits_do_not_depend_on_the_batch() -> None:
    lisa = lisa_allennlp.load("english-fast", engine="onnx")
    together = [sentence.to_dict() for sentence in lisa.pipe(INPUTS)]
    assert together == [lisa(words).to_dict() for words in INPUTS]
    # Each process opens the graphs for itself, after this one has opened them.
    in_processes = lisa.pipe(INPUTS, processes=2, batch_size=10)
    assert together == [sentence.to_dict() for sentence in in_processes]


@pytest.mark.medium
def test_graphs_are_built_once(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = export_random(tmp_path, 0)

    def answers() -> List[Any]:
        lisa = lisa_allennlp.load(folder, engine="onnx")
        return [sentence.to_dict() for sentence in lisa.pipe(SENTENCES)]

    cache.touch()  # which is no folder
    expected = answers()
    cache.unlink()
    assert answers() == expected
    names = {path.name for path in (cache / "lisa-allennlp").iterdir()}
    assert len(names) == 3

    find = GraphFiles.find
    monkeypatch.setattr(GraphFiles, "find", lambda files, build: find(files, refuse))
    assert answers() == expected
    export_onnx(folder, folder / "onnx", "int8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "nowhere"))
    assert answers() == expected


def refuse() -> Any:
    raise AssertionError("found no graphs")
