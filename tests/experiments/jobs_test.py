import dataclasses
import os
import subprocess
import tarfile
import time
from pathlib import Path

import pytest
from allennlp.common.util import SigTermReceived

from experiments.jobs import Evaluating, Training, run_module


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
    @pytest.mark.usefixtures("compressed_archives")
    def test_only_the_whole_model_of_a_complete_training_counts(self, training: Training):
        assert not training.is_done()
        make_model(training)
        assert training.is_done()
        metrics = training.output / "metrics.json"
        time = training.model.stat().st_mtime_ns + 1_000_000
        os.utime(metrics, ns=(time, time))
        assert not training.is_done()
        metrics.unlink()
        assert not training.is_done()
        make_model(training)
        training.model.write_bytes(training.model.read_bytes()[:-1000])
        assert not training.is_done()


def test_a_training_that_a_limit_has_cut_is_done_up_to_this_limit(training: Training):
    make_model(training)
    (training.output / "time_limit.json").write_text('{"max_hours": 1.0}')
    limits = (0.5, 1.0, 2.0, None)
    done = [dataclasses.replace(training, max_hours=limit).is_done() for limit in limits]
    assert done == [True, True, False, False]


@pytest.mark.parametrize("change", ["model", "data", "new file", "command", "interruption"])
def test_a_job_is_done_until_an_input_changes(
    evaluating: Evaluating, training: Training, tmp_path: Path, change: str
):
    assert not evaluating.is_done()
    evaluating.finish()
    assert evaluating.is_done() and evaluating.scores() == {"srl_f1": 1.5}
    if change == "model":
        make_model(training)
    elif change == "data":
        (tmp_path / "data" / "nw" / "a.conll").write_text("ab")
    elif change == "new file":
        (tmp_path / "data" / "nw" / "b.conll").write_text("b")
    elif change == "interruption":
        evaluating.prepare()
    else:
        object.__setattr__(evaluating, "command", ("evaluate", "y"))
    assert not evaluating.is_done()


def test_a_job_does_not_outlive_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = """import os, signal, time
signal.signal(signal.SIGTERM, lambda *_: (print("ended", flush=True), exit()))
print(os.getpid(), flush=True)
time.sleep(60)
"""
    (tmp_path / "slow_job.py").write_text(program)
    log = tmp_path / "log"
    wait, stopped = subprocess.Popen.wait, []

    def interrupted(process, timeout=None):
        if not stopped:
            while not (log.exists() and log.read_text()):
                time.sleep(0.01)
            stopped.append(process)
            raise SigTermReceived
        return wait(process, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(SigTermReceived):
        run_module("slow_job", ["train"], {"PYTHONPATH": str(tmp_path)}, log)
    assert log.read_text().split() == [str(stopped[0].pid), "ended"]
