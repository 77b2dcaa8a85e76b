"""`evaluate`: what it prints, and the options that AllenNLP ends with a traceback."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict

import pytest
from allennlp.commands.evaluate import evaluate_from_archive

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.scoring.measures import score
from tests import ROOT
from tests.commands.in_process import execute, in_process  # noqa: F401
from tests.documentation.workspace import first_sentences
from tests.engines import label_instances
from tests.inference.model_test import Parts, export_random

TEST = str(ROOT / "fixtures/sample/test.gold_conll")
DEV = str(ROOT / "fixtures/sample/dev.gold_conll")


@pytest.fixture
def few(tmp_path: Path) -> str:
    """The first sentences of DEV."""
    for ending in ("gold_conll", "conllu"):
        first_sentences(Path(DEV).with_suffix(f".{ending}"), tmp_path / f"few.{ending}", 40)
    return str(tmp_path / "few.gold_conll")


def evaluate(archive: Path, *arguments: str) -> Dict[str, float]:
    with TemporaryDirectory() as folder:
        names = [f"{folder}/{n}.json" for n in range(1 + arguments[0].count(","))]
        execute("evaluate", archive, *arguments, "--output-file", ",".join(names))
        found = [json.loads(Path(name).read_text()) for name in names]
    return {key: score for scores in found for key, score in scores.items()}


def printed(capsys: pytest.CaptureFixture) -> Dict[str, str]:
    return dict(line.split() for line in capsys.readouterr().out.splitlines())


@pytest.mark.medium
def test_scores_of_several_corpora(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture
) -> None:
    execute("evaluate", archives["lisa"], f"{TEST},{DEV}")
    both = printed(capsys)
    for name, value in evaluate_from_archive(str(archives["lisa"]), TEST).items():
        assert float(both[f"test_{name}"]) == pytest.approx(value, abs=0.0051)
    assert both["dev_uas"] == f"{evaluate(archives['lisa'], DEV)['uas']:.2f}" != both["test_uas"]
    with pytest.raises(ConfigurationError, match="-file: found 'a'"):
        execute("evaluate", archives["lisa"], f"{TEST},{DEV}", "--predictions-output-file", "a")


@pytest.mark.medium
@pytest.mark.parametrize("indicator_dim", [0, 3])
def test_numpy_and_pytorch_score_alike(indicator_dim: int, tmp_path: Path, few: str) -> None:
    folder = export_random(tmp_path, 3, Parts(role_decoder="viterbi", indicator_dim=indicator_dim))
    scores = evaluate(folder, few, "--mst")
    expected = evaluate(folder, few, "--mst", "--batch-size", "64")
    losses = [name for name in expected if name.endswith("loss")]
    assert {name: expected[name] for name in expected if name not in losses} == scores
    assert losses and scores["pos_accuracy"] and scores["mst_las"] != scores["las"]


def test_predictions_without_pytorch(tmp_path: Path) -> None:
    output = tmp_path / "predictions.jsonl"
    scores = evaluate(Path("english-fast"), DEV, "--predictions-output-file", str(output))
    gold, predicted = read_annotated(DEV, parses=True), read_annotated(output)
    assert score(predicted.bare_sentences, gold.bare_sentences) == scores
    assert len(output.read_text().splitlines()) == len(predicted.sentences)


@pytest.mark.medium
def test_an_adaptation_counts_in_both_engines(tmp_path: Path, few: str) -> None:
    adaptation, options = (
        tmp_path / "own.adaptation",
        ("--adaptation", str(tmp_path / "own.adaptation")),
    )
    # Mistakes teach something if they repeat, in other words.
    other = tmp_path / "other.gold_conll"
    other.write_text(re.sub(r"(?m)^(\S+ 0 \d+ +)\.", r"\1!", Path(few).read_text()))
    execute("adapt", "english-fast", few, other, "-o", adaptation)
    lisa = load_labeller("english-fast", parse_decoder="argmax", adaptation=adaptation)
    gold = read_annotated(few, parses=True).bare_sentences
    expected = score(list(lisa.pipe(sentence.words for sentence in gold)), gold)
    scores = evaluate(Path("english-fast"), few, *options)
    assert scores == expected and scores != evaluate(Path("english-fast"), few)
    exact = evaluate(Path("english-fast"), few, *options, "--precision", "float32")
    in_pytorch = evaluate(Path("english-fast"), few, *options, "--engine", "torch")
    assert {name: in_pytorch[name] for name in exact} == pytest.approx(exact, abs=0.1)


@pytest.mark.medium
def test_predictions_are_those_of_predict_in_the_corpuss_order(
    archives: Dict[str, Path], tmp_path: Path
) -> None:
    output = tmp_path / "predictions.jsonl"
    evaluate(archives["lisa"], TEST, "--predictions-output-file", str(output))
    predictions = [json.loads(line) for line in output.read_text().splitlines()]
    lisa = load_labeller(archives["lisa"], parse_decoder="argmax")
    instances = list(lisa.engine.dataset_reader.read(TEST))
    assert len(predictions) == len(instances) == 120
    for prediction, sentence in zip(predictions, label_instances(lisa, instances), strict=True):
        expected = sentence.to_dict()
        assert prediction.keys() == expected.keys()
        for name in ("words", "predicted_heads", "pos", "verbs"):
            assert prediction[name] == expected[name]


@pytest.mark.medium
def test_scores_of_the_best_trees_beside_the_others(archives: Dict[str, Path]) -> None:
    plain = evaluate(archives["lisa"], TEST)
    both = evaluate(archives["lisa"], TEST, "--mst")
    trees = evaluate(archives["lisa"], TEST, "-o", '{"model.parse_decoder": "mst"}')
    for name in ("uas", "las", "uas_with_punct", "las_with_punct"):
        assert both[name] == plain[name]
        assert both[f"mst_{name}"] == trees[name]
    assert both["mst_uas"] != both["uas"]
