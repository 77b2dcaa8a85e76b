"""Tests of `experiments.english`."""

from pathlib import Path

from allennlp.common import Params

from experiments.english import plan
from experiments.jobs import Training
from lisa_allennlp.__main__ import OWN_COMMANDS


def _jobs(out):
    return plan(Path("EWT"), Path("vectors"), Path("raw"), out, tokens=100, processes=2)


def test_each_job_reads_only_what_earlier_jobs_have_made(tmp_path):
    made = set()
    for job in _jobs(tmp_path):
        assert {need.name for need in job.needs} <= made
        inputs = [argument for argument in job.arguments() if str(tmp_path) in argument]
        for path in map(Path, inputs):
            is_known = any(name in {path.stem, path.parent.name} for name in (*made, job.name))
            assert is_known or path == job.output
        made.add(job.name)


def test_the_configs_of_all_trainings_can_be_read(tmp_path):
    trainings = [job for job in _jobs(tmp_path) if isinstance(job, Training)]
    assert len(trainings) == 4
    for training in trainings:
        config = Params.from_file(
            training.config, ext_vars={**_variables(), **training.environment}
        )
        assert config["trainer"]["num_epochs"] > 0


def _variables():
    return {"LISA_ELMO": "", "LISA_TRANSFORMER": ""}


def test_a_recovered_training_does_not_start_from_other_weights(tmp_path):
    english = next(job for job in _jobs(tmp_path) if job.name == "english")
    assert english.arguments()[-2:] == ["--from", str(tmp_path / "silver_student/model.tar.gz")]
    english.output.mkdir()
    (english.output / "config.json").write_text("{}")
    assert "--from" not in english.arguments()


def test_the_commands_exist(tmp_path):
    for job in _jobs(tmp_path):
        if job.module == "lisa_allennlp":
            assert job.arguments()[0] in OWN_COMMANDS
