"""`evaluate`: what it prints, and the options that AllenNLP ends with a traceback."""

import argparse
import json
from pathlib import Path
from typing import Dict

import pytest
from allennlp.commands.evaluate import Evaluate, evaluate_from_archive
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.evaluate import LisaEvaluate
from lisa_allennlp.labelling.loading import load_labeller
from tests import ROOT

TEST = str(ROOT / "fixtures/sample/test.gold_conll")
DEV = str(ROOT / "fixtures/sample/dev.gold_conll")


def parse(*arguments: str, command: Subcommand) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_subparser(parser.add_subparsers())
    return parser.parse_args(["evaluate", *arguments])


def evaluate(archive: Path, *arguments: str) -> Dict[str, float]:
    args = parse(str(archive), *arguments, command=LisaEvaluate())
    return args.func(args)


def printed(capsys: pytest.CaptureFixture) -> Dict[str, str]:
    return dict(line.split() for line in capsys.readouterr().out.splitlines())


def test_it_takes_the_place_of_allennlps() -> None:
    assert Subcommand.by_name("evaluate") is LisaEvaluate
    ours, theirs = (
        vars(parse("model.tar.gz", "data", command=command()))
        for command in (LisaEvaluate, Evaluate)
    )
    del ours["func"], theirs["func"]
    assert (ours.pop("mst"), ours.pop("force")) == (False, False)
    assert ours == theirs


@pytest.mark.medium
def test_scores_are_printed(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    output = tmp_path / "scores.json"
    scores = evaluate(archives["lisa"], TEST, "--output-file", str(output))
    assert printed(capsys) == {name: f"{score:.2f}" for name, score in scores.items()}
    assert json.loads(output.read_text()) == scores
    expected = evaluate_from_archive(str(archives["lisa"]), TEST)
    assert scores == pytest.approx(expected, abs=1e-4)


@pytest.mark.medium
def test_scores_of_several_corpora(
    archives: Dict[str, Path], capsys: pytest.CaptureFixture
) -> None:
    both = evaluate(archives["lisa"], f"{TEST},{DEV}")
    assert printed(capsys).keys() == both.keys()
    for name, path in (("test", TEST), ("dev", DEV)):
        alone = evaluate(archives["lisa"], path)
        assert {f"{name}_{score}" for score in alone} <= both.keys()
        # Losses are means over batches, which are made at random.
        for score in ("uas", "uas_with_punct", "pos_accuracy"):
            assert 0 < both[f"{name}_{score}"] == pytest.approx(alone[score])


@pytest.mark.medium
def test_the_size_of_batches_can_be_given(archives: Dict[str, Path]) -> None:
    with pytest.raises(ValueError, match="mutually exclusive"):
        evaluate_from_archive(str(archives["lisa"]), TEST, batch_size=7)
    scores = evaluate(archives["lisa"], TEST)
    for archive in (archives["lisa"], archives["lisa"].parent):
        small = evaluate(archive, TEST, "--batch-size", "7", "-o", '{"model.arc_loss_weight": 1}')
        assert small["uas"] == pytest.approx(scores["uas"])
        assert small["pos_accuracy"] == pytest.approx(scores["pos_accuracy"])


@pytest.mark.medium
def test_predictions_are_those_of_predict_in_the_corpuss_order(
    archives: Dict[str, Path], tmp_path: Path
) -> None:
    output = tmp_path / "predictions.jsonl"
    evaluate(archives["lisa"], TEST, "--predictions-output-file", str(output))
    predictions = [json.loads(line) for line in output.read_text().splitlines()]
    lisa = load_labeller(archives["lisa"], parse_decoder="argmax")
    instances = list(lisa.dataset_reader.read(TEST))
    assert len(predictions) == len(instances) == 120
    for prediction, sentence in zip(predictions, lisa.label_instances(instances), strict=True):
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


def test_allennlps_own_evaluate_can_write_predictions(
    archives: Dict[str, Path], tmp_path: Path
) -> None:
    output = tmp_path / "predictions.jsonl"
    evaluate_from_archive(str(archives["lisa"]), DEV, predictions_output_file=str(output))
    words = [
        (given["sentence"]["words"], found)
        for batch in map(json.loads, output.read_text().splitlines())
        for given, found in zip(batch["metadata"], batch["words"], strict=True)
    ]
    assert len(words) == 120
    assert all(given == found for given, found in words)


@pytest.mark.parametrize(
    "corpora, options, message",
    [
        (TEST, ["--batch-size", "0"], "--batch-size is 0; expected 1 or more"),
        (
            TEST,
            ["--output-file", "a,b"],
            "--output-file: found 'a,b'; expected 1 name, one per corpus",
        ),
        (
            f"{TEST},{DEV}",
            ["--predictions-output-file", "a"],
            "--predictions-output-file: found 'a'; expected 2 names separated by commas",
        ),
    ],
)
def test_options_that_do_not_fit(
    archives: Dict[str, Path], corpora: str, options: list, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        evaluate(archives["lisa"], corpora, *options)
