from typing import Dict

from benchmarks.breakdowns import sense_rows
from lisa_allennlp.sentence.sentence import Frame, Sentence


def with_senses(senses: Dict[int, str]) -> Sentence:
    tags = {i: ["O"] * i + ["B-V"] + ["O"] * (2 - i) for i in senses}
    return Sentence("a b c".split(), frames=[Frame(i, tags[i], sense=s) for i, s in senses.items()])


def test_rolesets_are_counted_by_frequency_and_with_particles() -> None:
    gold = [with_senses({0: "run_out.05", 1: "go.01"}), with_senses({2: "go.01"})]
    found = [with_senses({0: "run.02", 1: "go_on.15", 2: "see.01"}), with_senses({2: "go.01"})]
    rows = {str(kind): figures for kind, *figures in sense_rows(gold, found, {"go.01": 30})}
    assert rows["rolesets in train 0"] == [1, 1, 0, 0.0]
    assert rows["rolesets in train 1-3"] == [0, 0, 0, 0.0]
    assert rows["rolesets in train 21+"] == [2, 2, 1, 50.0]
    assert rows["with a particle"] == [1, 1, 0, 0.0]
    assert rows["predicted with one"] == [1, 1, 0, 0.0]
