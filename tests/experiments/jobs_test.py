"""When a job is done, and what its command is."""

import dataclasses
import json
import os
import shlex
import tarfile
from pathlib import Path
from typing import Optional

import pytest

from experiments.jobs import Analysing, Drawing, Evaluating, Training


@pytest.fixture
def training(tmp_path: Path) -> Training:
    environment = {"LISA_DATA": "sample", "LISA_CORPUS": "a folder"}
    overrides = {"trainer.num_epochs": 1}
    folder = tmp_path / "models" / "lisa"
    return Training(
        "train-lisa", folder, environment=environment, config="c.jsonnet", overrides=overrides
    )


@pytest.fixture
def evaluating(training: Training, tmp_path: Path) -> Evaluating:
    (tmp_path / "data" / "nw").mkdir(parents=True)
    (tmp_path / "data" / "nw" / "a.conll").write_text("a")
    make_model(training)
    job = Evaluating(
        "evaluate",
        tmp_path / "scores" / "lisa.json",
        (training,),
        data=(tmp_path / "data",),
        command=("evaluate", "x"),
    )
    job.prepare()
    job.output.write_text('{"srl_f1": 1.5}')
    return job


def make_model(training: Training) -> None:
    training.output.mkdir(parents=True, exist_ok=True)
    weights = training.output / "weights.th"
    weights.write_bytes(os.urandom(100_000))
    (training.output / "metrics.json").write_text("{}")
    with tarfile.open(training.model, "w:gz") as archive:
        archive.add(weights, "weights.th")


class TestTraining:
    def test_command_line(self, training: Training):
        assert shlex.split(training.command_line()) == [
            "LISA_DATA=sample",
            "LISA_CORPUS=a folder",
            "lisa",
            "train",
            "c.jsonnet",
            "-s",
            str(training.output),
            "-o",
            '{"trainer.num_epochs": 1}',
        ]

    def test_an_interrupted_training_goes_on(self, training: Training):
        training.output.mkdir(parents=True)
        assert training.arguments()[-1] == "--force"
        (training.output / "config.json").write_text("{}")
        assert training.arguments()[-1] == "--recover"

    def test_is_done(self, training: Training):
        assert not training.is_done()
        make_model(training)
        assert training.is_done()

    def test_the_model_of_an_interrupted_training_does_not_count(self, training: Training):
        make_model(training)
        (training.output / "metrics.json").unlink()
        assert not training.is_done()

    def test_a_model_older_than_the_metrics_does_not_count(self, training: Training):
        make_model(training)
        time = training.model.stat().st_mtime_ns + 1_000_000
        os.utime(training.output / "metrics.json", ns=(time, time))
        assert not training.is_done()

    @pytest.mark.usefixtures("compressed_archives")
    def test_a_model_written_in_part_does_not_count(self, training: Training):
        make_model(training)
        training.model.write_bytes(training.model.read_bytes()[:-1000])
        assert not training.is_done()

    @pytest.mark.parametrize(
        "limit, is_done", [(None, False), (0.5, True), (2.0, True), (2.5, False)]
    )
    def test_a_larger_limit_continues_a_training_that_a_limit_ended(
        self, training: Training, limit: Optional[float], is_done: bool
    ):
        make_model(training)
        record = {"max_hours": 2.0, "hours": 1.9, "epochs": 3, "num_epochs": 9}
        (training.output / "time_limit.json").write_text(json.dumps(record))
        limited = dataclasses.replace(training, max_hours=limit)
        assert limited.is_done() == is_done
        assert limited.cut() == record

    def test_seeds_are_overrides(self, training: Training):
        seeded = dataclasses.replace(training, seed=7)
        assert json.loads(seeded.arguments()[-1]) == {
            "trainer.num_epochs": 1,
            **dict.fromkeys(["random_seed", "numpy_seed", "pytorch_seed"], 7),
        }

    def test_epochs_done(self, training: Training):
        assert training.epochs_done() == 0
        training.output.mkdir(parents=True)
        for name in ("metrics_epoch_0.json", "metrics_epoch_11.json", "metrics_epoch_x.json"):
            (training.output / name).touch()
        assert training.epochs_done() == 2


def test_an_output_that_is_made_again_is_replaced(tmp_path: Path):
    job = Evaluating("evaluate", tmp_path / "scores.json", command=("evaluate", "m", "dev"))
    assert job.arguments() == ["evaluate", "m", "dev"]
    job.output.touch()
    assert job.arguments() == ["evaluate", "m", "dev", "--force"]
    drawing = Drawing("draw", tmp_path / "scores.json", command=("trainings",))
    assert drawing.arguments() == ["trainings"]


def test_scores_of_an_analysis(tmp_path: Path):
    """Of the table with labelled trees of LISA and D&M, whatever the order of the parsers."""

    def group(lisa: bool, dm: bool, percent: float, sentences: int) -> dict:
        mean = {"sentences": sentences, "mean": percent + 1, "low": 0, "high": 0}
        return {"right": {"D&M": dm, "LISA": lisa}, "percent": percent, "means": {"SA": mean}}

    tables = [
        {"parsers": ["LISA"], "labelled": True, "groups": [{"right": {"LISA": True}}]},
        {"parsers": ["D&M", "LISA"], "labelled": False, "groups": [group(True, True, 1, 1)]},
        {
            "parsers": ["D&M", "LISA"],
            "labelled": True,
            "groups": [group(True, False, 40.0, 3), group(False, True, 0.0, 0)],
        },
    ]
    job = Analysing("analyze", tmp_path / "report.json")
    job.output.write_text(json.dumps({"parses": tables}))
    assert job.scores() == {"L+/D- Proportion": 40, "L+/D- SA": 41, "L-/D+ Proportion": 0}
    assert job.missing("L-/D+ SA") == "no sentence with arguments is L-/D+"
    assert job.page == tmp_path / "report.html"


class TestEvaluating:
    def test_is_done_once_it_is_noted(self, evaluating: Evaluating):
        assert not evaluating.is_done()
        evaluating.finish()
        assert evaluating.is_done()
        assert evaluating.scores() == {"srl_f1": 1.5}

    @pytest.mark.parametrize("change", ["model", "data", "new file", "command"])
    def test_is_done_anew_when_something_changes(
        self, evaluating: Evaluating, training: Training, tmp_path: Path, change: str
    ):
        evaluating.finish()
        if change == "model":
            make_model(training)
        elif change == "data":
            (tmp_path / "data" / "nw" / "a.conll").write_text("ab")
        elif change == "new file":
            (tmp_path / "data" / "nw" / "b.conll").write_text("b")
        else:
            object.__setattr__(evaluating, "command", ("evaluate", "y"))
        assert not evaluating.is_done()

    def test_is_not_done_after_an_interruption(self, evaluating: Evaluating):
        evaluating.finish()
        evaluating.prepare()
        assert not evaluating.is_done()
