"""The predictors of the three models, of which none is trained."""

import copy
import dataclasses
import shutil
from pathlib import Path
from typing import Any, Dict, List

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.__main__ import main
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.formats.ccg import parse_pipes
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.predictors.sentence_predictors import ConlluParsesPredictor, LisaPredictor
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.metrics import DependencyScore
from tests import FIXTURES, ROOT

DEV = FIXTURES / "sample/dev.conllu"


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Any:
    return Predictor.from_path(archives["lisa"])


def make(archive: Path, **options: Any) -> Any:
    return Predictor.from_path(str(archive), **options)


def assert_same(found: List[Dict[str, Any]], expected: List[Dict[str, Any]]) -> None:
    for answer, other in zip(found, expected, strict=True):
        probabilities = answer.pop("predicate_probabilities")
        assert probabilities == pytest.approx(other.pop("predicate_probabilities"), abs=2e-4)
        assert answer == other


@pytest.mark.medium
def test_the_methods_of_allennlps_predictors(lisa: Any) -> None:
    assert lisa.predict("She didn't.")["words"] == ["She", "did", "n't", "."]
    instances = list(lisa._dataset_reader.read(ROOT / "fixtures/sample/dev.gold_conll"))[:3]
    for instance in instances:
        found = lisa.predict_instance(instance)
        expected = lisa.predict_tokenized(instance["metadata"]["sentence"].words)
        assert found["predicted_heads"] == expected["predicted_heads"]


def test_instances_have_the_limit_of_requests(lisa: LisaPredictor) -> None:
    long = lisa.engine.instance(Sentence(["word"] * 2001))
    with pytest.raises(ConfigurationError, match="found a sentence of 2001 words; expected at mo"):
        lisa.predict_instance(long)


def test_a_model_without_syntax_takes_no_tree(lisa: LisaPredictor) -> None:
    model: Any = copy.deepcopy(lisa._model)
    model._head_tagger = None
    with pytest.raises(ConfigurationError, match="parser: found a model without a syntactic head"):
        LisaPredictor(model, lisa._dataset_reader, parser=ParseSource())
    predictor = LisaPredictor(model, lisa._dataset_reader)
    with pytest.raises(ConfigurationError, match=r"`head_indices`: found \[2, 0\]; expected no"):
        predictor.predict_json({"tokens": ["She", "left"], "head_indices": [2, 0]})


@pytest.mark.medium
def test_lisa_attends_to_what_the_parser_writes(archives: Dict[str, Path], tmp_path: Path) -> None:
    parser_archive = archives["deep_biaffine_parser"]
    for name in ("dev.conllu", "dev.gold_conll"):
        shutil.copy(FIXTURES / "sample" / name, tmp_path)
    arguments = ["predict", parser_archive, tmp_path / "dev.conllu", "--use-dataset-reader"]
    arguments += ["--batch-size", 16, "--output-file", tmp_path / "dev.dm.conllu"]
    assert main([*map(str, arguments)]) == 0
    reader = Conll12SrlReader(injected_parses_suffix=".dm.conllu")
    sentences = list(reader.read_sentences(tmp_path / "dev.gold_conll"))
    assert len(sentences) == 120
    written = DependencyScore()
    written([dataclasses.replace(s, parse=s.injected_parse) for s in sentences], sentences)
    # The file scores as the model itself does.
    loaded = load_archive(parser_archive)
    loaded.model.eval()
    instances = list(loaded.validation_dataset_reader.read(DEV))
    for start in range(0, len(instances), 16):
        loaded.model.forward_on_instances(instances[start : start + 16])
    metrics = loaded.model.get_metrics()
    assert written.get_metric() == {key: metrics[key] for key in written.get_metric()}


def test_lines_of_the_parser(archives: Dict[str, Path]) -> None:
    predictor = make(archives["deep_biaffine_parser"])
    # Trees of the input are ignored and may be missing.
    answer = predictor.predict_json({"tokens": ["Stop", "."], "pos": ["VB", "."]})
    (first, second) = predictor.dump_line(answer).rstrip().split("\n")
    head, tag = answer["predicted_heads"][0], answer["predicted_dependencies"][0]
    assert first == f"1\tStop\t_\t_\tVB\t_\t{head}\t{tag}\t_\t_" and second.startswith("2\t.\t_")
    reader = DatasetReader.from_params(Params({"type": "conll12_srl"}))
    with pytest.raises(ConfigurationError, match="the dataset reader is a Conll12SrlReader"):
        ConlluParsesPredictor(predictor._model, reader)


@pytest.mark.medium
def test_the_command(
    archives: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corpus in, C&C's lines out."""
    monkeypatch.chdir(ROOT)
    output = tmp_path / "out.pipe"
    arguments = [
        "predict",
        str(archives["ccg_supertagger"]),
        "fixtures/ccg/AUTO#00",
        "--use-dataset-reader",
    ]
    arguments += ["--predictor-args", '{"output_format": "pipes"}', "--precision", "bfloat16"]
    assert main([*arguments, "--output-file", str(output)]) == 0
    with output.open() as lines:
        sentences = list(parse_pipes(lines, output))
    assert len(sentences) == 13
    assert sentences[0].words[0] == "IBM" and (sentences[0].pos or [])[0] == "NNP"


SENTENCES: List[Dict[str, Any]] = [
    {"sentence": "The dog that she saw chased him, didn't it?"},
    {"tokens": ["Stop"]},
    {"sentence": "   \t "},
    {"tokens": []},
    {"tokens": ["They", "(", "all", ")", "left", "."], "predicates": [4]},
    {"tokens": ["She", "left"], "head_indices": [2, 0], "head_tags": ["subject", "top"]},
    {"tokens": ["日本", "🙂", "naïve"], "predicates": []},
]


@pytest.mark.medium
def test_batches_change_neither_the_answers_nor_their_order(
    lisa: Any, archives: Dict[str, Path]
) -> None:
    found = make(archives["lisa"], max_tokens=20).predict_batch_json(SENTENCES)
    for answer in found:
        assert lisa.load_line(lisa.dump_line(answer)) == answer
    assert_same(found, [lisa.predict_json(item) for item in SENTENCES])
