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

TREES = ("uas", "las", "uas_with_punct", "las_with_punct")
DEV = str(ROOT / "fixtures/sample/dev.gold_conll")


@pytest.fixture
def few(tmp_path: Path) -> str:
    """The first sentences of DEV."""
    for ending in ("gold_conll", "conllu"):
        first_sentences(Path(DEV).with_suffix(f".{ending}"), tmp_path / f"few.{ending}", 30)
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
def test_scores_and_predictions(
    archives: Dict[str, Path], few: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Of several corpora with AllenNLP's scores, the best trees' beside them, in their order."""
    model, output = archives["lisa"], tmp_path / "predictions.jsonl"
    for ending in ("gold_conll", "conllu"):
        first_sentences(Path(few).with_suffix(f".{ending}"), tmp_path / f"five.{ending}", 5)
    execute("evaluate", model, f"{few},{tmp_path}/five.gold_conll")
    both = printed(capsys)
    files = (str(tmp_path / f"{name}.gold_conll") for name in ("five", "few"))
    five, plain = (evaluate_from_archive(str(model), file) for file in files)
    for prefix, expected in (("few", plain), ("five", five)):
        for name, value in expected.items():
            assert float(both[f"{prefix}_{name}"]) == pytest.approx(value, abs=0.0051)
    assert five != plain
    with pytest.raises(ConfigurationError, match="-file: found 'a'"):
        execute("evaluate", model, f"{few},{few}", "--predictions-output-file", "a")
    scores = evaluate(model, few, "--mst", "--predictions-output-file", str(output))
    trees = evaluate(model, few, "-o", '{"model.parse_decoder": "mst"}')
    for name in TREES:
        assert scores[name] == pytest.approx(plain[name])
        assert scores[f"mst_{name}"] == trees[name]
    assert any(scores[f"mst_{name}"] != scores[name] for name in TREES)
    predictions = [json.loads(line) for line in output.read_text().splitlines()]
    lisa = load_labeller(model, parse_decoder="argmax")
    instances = list(lisa.engine.dataset_reader.read(few))
    assert len(predictions) == len(instances) == 30
    for prediction, sentence in zip(predictions, label_instances(lisa, instances), strict=True):
        expected = sentence.to_dict()
        assert prediction.keys() == expected.keys()
        for name in ("words", "predicted_heads", "pos", "verbs"):
            assert prediction[name] == expected[name]


@pytest.mark.medium
def test_onnx_and_pytorch_score_alike(tmp_path: Path, few: str) -> None:
    folder = export_random(tmp_path, 3, Parts(role_decoder="viterbi", indicator_dim=3))
    scores = evaluate(folder, few, "--mst")
    expected = evaluate(folder, few, "--mst", "--batch-size", "64")
    losses = [name for name in expected if name.endswith("loss")]
    assert {name: expected[name] for name in expected if name not in losses} == scores
    assert losses and scores["pos_accuracy"]
    assert any(scores[f"mst_{name}"] != scores[name] for name in TREES)


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
