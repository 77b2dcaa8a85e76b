"""The predictors of the three models, each trained for a moment on the fixtures."""

import copy
import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any, Dict, List

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.models.archival import load_archive
from allennlp.modules.token_embedders import TokenCharactersEncoder
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.__main__ import main
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.formats.ccg import parse_pipes
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.modules.token_embedders import DistinctWordsCharactersEncoder
from lisa_allennlp.nn import token_layout
from lisa_allennlp.predictors.sentence_predictors import ConlluParsesPredictor, LisaPredictor
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.metrics import DependencyScore
from tests import FIXTURES, ROOT
from tests.models.deep_biaffine_parser_test import SMALL as SMALL_PARSER
from tests.models.lisa_test import SMALL, read_sample

DEV = FIXTURES / "sample/dev.conllu"


def trained(factory: pytest.TempPathFactory, config: str, overrides: Dict[str, Any]) -> Path:
    folder = factory.mktemp("trained") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        path = ROOT / f"training_configs/{config}.jsonnet"
        train_model(Params.from_file(path, json.dumps(overrides)), folder)
    return folder / "model.tar.gz"


@pytest.fixture(scope="module")
def lisa_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory, "lisa_small", SMALL)


@pytest.fixture(scope="module")
def lisa(lisa_archive: Path) -> Any:
    return Predictor.from_path(lisa_archive)


@pytest.fixture(scope="module")
def parser_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    indexers = {"tokens": {"type": "single_id", "lowercase_tokens": True}}
    reader = {"type": "conllu_parses", "use_language_specific_pos": True}
    # All sentences are parsed, not only as many as were trained on.
    changes = {"validation_dataset_reader": {**reader, "token_indexers": indexers}}
    return trained(tmp_path_factory, "dm_glove", {**SMALL_PARSER, **changes})


@pytest.fixture(scope="module")
def tagger_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory, "ccg/mlp", {"trainer.num_epochs": 3})


def make(archive: Path, **options: Any) -> Any:
    return Predictor.from_path(str(archive), **options)


@pytest.mark.medium
def test_what_makes_lisa_fast_changes_no_answer(lisa: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    All sentences at once without padding, against one at a time with rows for padding and for every
    word.
    """
    inputs = [
        {"tokens": s.words, "predicates": [frame.predicate for frame in s.frames or []]}
        for s in read_sample()[:40]
    ]
    fast = lisa.predict_batch_json(inputs)
    assert any(answer["verbs"] for answer in fast)
    monkeypatch.setattr(token_layout, "PackedTokens", token_layout.PaddedTokens)
    monkeypatch.setattr(DistinctWordsCharactersEncoder, "forward", TokenCharactersEncoder.forward)
    assert_same(fast, [lisa.predict_json(item) for item in inputs])


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
def test_lisa_attends_to_what_the_parser_writes(parser_archive: Path, tmp_path: Path) -> None:
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


def test_lines_of_the_parser(parser_archive: Path) -> None:
    predictor = make(parser_archive)
    # Trees of the input are ignored and may be missing.
    answer = predictor.predict_json({"tokens": ["Stop", "."], "pos": ["VB", "."]})
    (first, second) = predictor.dump_line(answer).rstrip().split("\n")
    head, tag = answer["predicted_heads"][0], answer["predicted_dependencies"][0]
    assert first == f"1\tStop\t_\t_\tVB\t_\t{head}\t{tag}\t_\t_" and second.startswith("2\t.\t_")
    reader = DatasetReader.from_params(Params({"type": "conll12_srl"}))
    with pytest.raises(ConfigurationError, match="the dataset reader is a Conll12SrlReader"):
        ConlluParsesPredictor(predictor._model, reader)


@pytest.mark.medium
def test_the_command(tagger_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus in, C&C's lines out."""
    monkeypatch.chdir(ROOT)
    output = tmp_path / "out.pipe"
    arguments = ["predict", str(tagger_archive), "fixtures/ccg/AUTO#00", "--use-dataset-reader"]
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
def test_batches_change_neither_the_answers_nor_their_order(lisa: Any, lisa_archive: Path) -> None:
    found = make(lisa_archive, max_tokens=20).predict_batch_json(SENTENCES)
    for answer in found:
        assert lisa.load_line(lisa.dump_line(answer)) == answer
    assert_same(found, [lisa.predict_json(item) for item in SENTENCES])
