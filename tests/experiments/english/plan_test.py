"""The making of the English models: its plan and the raw sentences."""

import math
import re
from argparse import Namespace
from pathlib import Path

import pytest
from allennlp.common import Params

from experiments.english.plan import plan
from experiments.english.raw_sentences import choose, suitable, unigram_likeness
from experiments.jobs import Training
from lisa_allennlp.commands import COMMANDS
from tests import ROOT


def _jobs(out):
    inputs = {name: Path(name) for name in ("corpus", "factuality", "raw_text", "frames")}
    return plan(Namespace(**inputs, out=out, tokens=100, precision="float32"))


def test_each_job_reads_only_what_earlier_jobs_have_made(tmp_path):
    made, names = set(), set()
    for job in _jobs(tmp_path):
        assert {need.name for need in job.needs} <= names
        made.add(job.output)
        names.add(job.name)
        assert job.module != "lisa_allennlp" or job.arguments()[0] in COMMANDS
        own = [job.output, job.output.parent]
        paths = re.findall(rf"{re.escape(str(tmp_path))}[^\s\"]*", " ".join(job.arguments()))
        assert all({Path(path), Path(path).parent} & {*made, *own} for path in paths)


def test_the_first_training_of_a_student_reads_silver_sentences_too(tmp_path):
    corpora = {}
    for training in _jobs(tmp_path):
        if isinstance(training, Training):
            variables = {"LISA_ELMO": "", "LISA_VECTORS": "", **training.environment}
            config = Params.from_file(str(ROOT / training.config), ext_vars=variables)
            corpora[training.name] = config.as_dict()["train_data_path"]
    train = str(tmp_path / "corpus/ewt-train.conllu")
    silver = [str(tmp_path / name) for name in ("silver.jsonl", "examples/frames.conllu")]
    both = {"new": train, "replay": silver}
    silver_first = {"english-wide": both, "english-silver": both}
    english = {**silver_first, "english-treebank": train, "english": train}
    assert corpora == {"teacher": train, **english}


def test_a_recovered_training_does_not_start_from_other_weights(tmp_path):
    english = next(job for job in _jobs(tmp_path) if job.name == "english")
    assert english.arguments()[-2:] == ["--from", str(tmp_path / "english-treebank/model.tar.gz")]
    english.output.mkdir()
    (english.output / "config.json").write_text("{}")
    assert "--from" not in english.arguments()


def test_leaves_out_tables_long_sentences_and_tokens_that_columns_cannot_hold():
    good = ["It", "is", "so", "."]
    bad = [["Yes", "."], ["1", "2", "3", "a", "b"], ["a"] * 61, ["a", "b", "c", "d\xa0e"]]
    assert list(suitable([*bad, good, ["a"] * 60])) == [good, ["a"] * 60]


def test_likeness_is_the_mean_of_the_log_ratios_of_smoothed_probabilities():
    treebank = [["The", "dog"], ["the"]]
    raw = [["the", "cat"], ["cat", "cat", "dog"]]
    likeness = unigram_likeness(treebank, raw)
    # Three types occur in the raw text: the, cat, dog.
    in_treebank = {"the": 3 / 6, "dog": 2 / 6, "cat": 1 / 6}
    in_raw = {"the": 2 / 8, "cat": 4 / 8, "dog": 2 / 8}
    expected = [math.log(in_treebank[w] / in_raw[w]) for w in ("the", "cat")]
    assert likeness(["THE", "cat"]) == pytest.approx(sum(expected) / 2)
    assert likeness(["dog"]) > likeness(["cat"])


def test_half_is_random_and_half_is_most_like_the_treebank():
    sentences = [[str(n)] * 2 for n in range(100)]
    chosen = choose(sentences, lambda words: float(words[0]), tokens=40)
    assert chosen == sentences[:10] + sentences[90:]
