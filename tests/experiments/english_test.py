"""Tests of `experiments.english`."""

from pathlib import Path

from allennlp.common import Params

from experiments.english import plan
from experiments.jobs import Training
from lisa_allennlp.commands import COMMANDS


def _jobs(out):
    return plan(Path("EWT"), Path("vectors"), Path("raw"), out, tokens=100, processes=2)


def test_each_job_reads_only_what_earlier_jobs_have_made(tmp_path):
    made, names = set(), set()
    for job in _jobs(tmp_path):
        assert {need.name for need in job.needs} <= names
        made.add(job.output)
        names.add(job.name)
        paths = [Path(argument) for argument in job.arguments() if str(tmp_path) in argument]
        assert all(path in made or path.parent in made for path in paths)


def test_the_configs_of_all_trainings_can_be_read(tmp_path):
    trainings = [job for job in _jobs(tmp_path) if isinstance(job, Training)]
    assert len(trainings) == 6
    for training in trainings:
        config = Params.from_file(
            training.config, ext_vars={**_variables(), **training.environment}
        )
        assert config["trainer"]["num_epochs"] > 0


def _variables():
    return {"LISA_ELMO": "", "LISA_TRANSFORMER": ""}


def test_a_recovered_training_does_not_start_from_other_weights(tmp_path):
    english = next(job for job in _jobs(tmp_path) if job.name == "english")
    assert english.arguments()[-2:] == ["--from", str(tmp_path / "silver/model.tar.gz")]
    english.output.mkdir()
    (english.output / "config.json").write_text("{}")
    assert "--from" not in english.arguments()


def test_the_commands_exist(tmp_path):
    for job in _jobs(tmp_path):
        if job.module == "lisa_allennlp":
            assert job.arguments()[0] in COMMANDS
