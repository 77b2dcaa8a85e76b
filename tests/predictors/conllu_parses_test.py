"""From a trained parser to a CoNLL-U file, and from there into LISA."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp import __main__ as command_line
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader, ConlluParsesReader
from lisa_allennlp.training.metrics import DependencyScore
from tests import FIXTURES, ROOT
from tests.models.deep_biaffine_parser_test import SMALL

DEV = FIXTURES / "sample" / "dev.conllu"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dm") / "trained"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        config = ROOT / "training_configs/dm_glove.jsonnet"
        # All sentences are parsed, not only as many as were trained on.
        overrides = {**SMALL, "validation_dataset_reader": reader_config()}
        train_model(Params.from_file(config, json.dumps(overrides)), folder)
    return folder / "model.tar.gz"


def reader_config():
    indexers = {"tokens": {"type": "single_id", "lowercase_tokens": True}}
    reader = {"type": "conllu_parses", "use_language_specific_pos": True}
    return {**reader, "token_indexers": indexers}


@pytest.fixture
def predictor(archive: Path) -> Predictor:
    return Predictor.from_archive(load_archive(archive))


def predict(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    return command_line.main(["predict", *map(str, arguments)])


@pytest.mark.medium
def test_lisa_attends_to_what_the_command_writes(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("dev.conllu", "dev.gold_conll"):
        shutil.copy(FIXTURES / "sample" / name, tmp_path)
    options = "--use-dataset-reader", "--silent", "--batch-size", 16
    output = "--output-file", tmp_path / "dev.dm.conllu"
    assert predict(monkeypatch, archive, tmp_path / "dev.conllu", *options, *output) == 0

    reader = Conll12SrlReader(injected_parses_suffix=".dm.conllu")
    sentences = list(reader.read_sentences(tmp_path / "dev.gold_conll"))
    assert len(sentences) == 120
    written = DependencyScore()
    written([dataclasses.replace(s, parse=s.injected_parse) for s in sentences], sentences)

    # The file scores as the model itself does.
    loaded = load_archive(archive)
    loaded.model.eval()
    instances = list(loaded.validation_dataset_reader.read(DEV))
    for start in range(0, len(instances), 16):
        loaded.model.forward_on_instances(instances[start : start + 16])
    metrics = loaded.model.get_metrics()
    assert written.get_metric() == {key: metrics[key] for key in written.get_metric()}


def test_trees_are_not_needed(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, predictor: Predictor
):
    bare = tmp_path / "bare.conllu"
    bare.write_text("1\tStop\t_\t_\tVB\t_\t_\t_\t_\t_\n2\t.\t_\t_\t.\t_\t_\t_\t_\t_\n\n")
    output = tmp_path / "out.conllu"
    options = "--use-dataset-reader", "--silent", "--output-file", output
    assert predict(monkeypatch, archive, bare, *options) == 0
    (parsed,) = ConlluParsesReader().read_sentences(output)
    assert parsed.words == ["Stop", "."] and parsed.pos == ["VB", "."]
    prediction = predictor.predict_json({"tokens": ["Stop", "."], "pos": ["VB", "."]})
    assert parsed.parse.heads == prediction["predicted_heads"]
    assert parsed.parse.head_tags == prediction["predicted_dependencies"]


def test_answers_keep_the_order_whatever_the_batches(archive: Path):
    loaded = load_archive(archive)
    instances = list(loaded.validation_dataset_reader.read(DEV))[:30]
    answers = []
    for max_tokens in (1, 60, 10000):
        predictor = Predictor.by_name("conllu_parses")(
            loaded.model.eval(), loaded.validation_dataset_reader, max_tokens=max_tokens
        )
        answers.append(predictor.predict_batch_instance(instances))
    assert answers[0] == answers[1] == answers[2]
    assert [a["words"] for a in answers[0]] == [i["metadata"]["sentence"].words for i in instances]


def test_dumped_lines(predictor: Predictor):
    prediction = {
        "words": ["Stop", "."],
        "pos": ["VB", "."],
        "predicted_heads": [0, 1],
        "predicted_dependencies": ["root", "punct"],
    }
    assert predictor.dump_line(prediction) == (
        "1\tStop\t_\t_\tVB\t_\t0\troot\t_\t_\n2\t.\t_\t_\t.\t_\t1\tpunct\t_\t_\n\n"
    )


@pytest.mark.parametrize(
    "line, message",
    [
        ("Stop .", "cannot read this input line as JSON (Expecting value at character 1): "),
        (
            '{"tokens": ["Stop"]}',
            'the input: found {"tokens": ["Stop"]}; expected also `pos`, one',
        ),
        ('["Stop"]', 'the input: found ["Stop"]; expected also `pos`'),
        (
            '{"tokens": ["A", "b"], "pos": ["X"]}',
            '`pos`: found ["X"]; expected a list of non-empty',
        ),
        ('{"tokens": [3], "pos": ["X"]}', "`tokens`: found [3]; expected a list of non-empty"),
    ],
)
def test_bad_lines(predictor: Predictor, line: str, message: str):
    with pytest.raises(ConfigurationError) as error:
        predictor.predict_json(predictor.load_line(line))
    assert error.value.message.startswith(message)


def test_another_reader_is_refused(archive: Path):
    loaded = load_archive(archive)
    reader = DatasetReader.from_params(Params({"type": "conll12_srl"}))
    with pytest.raises(ConfigurationError, match="the dataset reader is a Conll12SrlReader"):
        Predictor.by_name("conllu_parses")(loaded.model, reader)
