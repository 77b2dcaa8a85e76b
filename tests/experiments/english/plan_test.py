"""The making of the English models: its plan, the raw sentences and the silver corpus."""

import math
import re
from argparse import Namespace
from pathlib import Path

import pytest
from allennlp.common import Params

from experiments.english.plan import plan
from experiments.english.raw_sentences import choose, suitable, unigram_likeness
from experiments.english.silver import is_covered, mixed, write_corpus
from experiments.jobs import Training
from lisa_allennlp.commands import COMMANDS
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from tests import ROOT


def _jobs(out):
    inputs = dict(corpus="EWT", vectors="vectors", raw_text="raw", more_text="more", frames="F")
    paths = {name: Path(path) for name, path in inputs.items()}
    return plan(Namespace(**paths, out=out, tokens=[100, 50, 60, 70], processes=2))


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


@pytest.mark.slow
def test_the_configs_of_all_trainings_can_be_read(tmp_path):
    trainings = [job for job in _jobs(tmp_path) if isinstance(job, Training)]
    assert len(trainings) == 44
    for training in trainings:
        variables = {"LISA_ELMO": "", "LISA_TRANSFORMER": "", **training.environment}
        config = Params.from_file(str(ROOT / training.config), ext_vars=variables)
        assert config["trainer"]["num_epochs"] > 0


def test_a_recovered_training_does_not_start_from_other_weights(tmp_path):
    english = next(job for job in _jobs(tmp_path) if job.name == "english_fourth")
    assert english.arguments()[-2:] == [
        "--from",
        str(tmp_path / "english_fourth_silver/model.tar.gz"),
    ]
    english.output.mkdir()
    (english.output / "config.json").write_text("{}")
    assert "--from" not in english.arguments()


def test_a_written_corpus_is_read_as_it_was(tmp_path):
    gold = list(Conll12SrlReader().read_sentences(ROOT / "fixtures/sample/dev.gold_conll"))
    words = ["-LRB-", "Run", "-RRB-"]
    silver = Sentence(
        words,
        pos=["-LRB-", "VB", "-RRB-"],
        frames=[Frame(1, ["O", "B-V", "O"])],
        parse=Parse([1, 1, 1], ["punct", "root", "punct"]),
    )
    without_predicates = Sentence(["No"], pos=["UH"], frames=[], parse=Parse([0], ["root"]))
    sentences = mixed([silver, without_predicates], gold[:20], seed=1)
    assert len(sentences) == 22 and sentences[:2] != [silver, without_predicates]
    path = tmp_path / "silver.gold_conll"
    write_corpus(sentences, path)
    found = list(Conll12SrlReader().read_sentences(path))
    for own, read in zip(sentences, found, strict=True):
        assert (read.words, read.pos, read.parse) == (own.words, own.pos, own.parse)
        assert [f.tags for f in read.frames] == [f.tags for f in own.frames]


def test_a_sentence_is_covered_if_its_objects_and_obliques_have_roles():
    parse = Parse([1, 1, 3, 1, 1], ["nsubj", "root", "case", "obl", "punct"])

    def left(tags, pos="PRP VBD IN NN ."):
        frame = Frame(1, tags.split())
        return Sentence(["They", "left", "in", "May", "."], pos.split(), [frame], parse)

    assert is_covered(left("B-ARG0 B-V B-ARGM-TMP I-ARGM-TMP O"))
    assert is_covered(left("O B-V B-ARGM-TMP I-ARGM-TMP O"))
    assert not is_covered(left("B-ARG0 B-V O O O"))
    # Nouns are often without roles.
    assert is_covered(left("O B-V O O O", "PRP NN IN NN ."))


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
