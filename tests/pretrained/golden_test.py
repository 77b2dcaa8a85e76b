"""What the models in the package answer, and how good it is."""

from typing import Any

import pytest

import lisa_allennlp
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.scoring import Conll05Evaluation, ConllXEvaluation, PrimeSrlEvaluation
from tests import golden

MOST_SHOWN = 10

FLOORS = {
    ("english", "gold"): (87.1, 97.8, 97.2, 92.7),
    ("english", "constructions"): (93.0, 96.6, 95.2, 93.2),
    ("english-fast", "gold"): (85.4, 96.5, 94.8, 90.4),
    ("english-fast", "constructions"): (88.0, 93.2, 91.3, 92.2),
}
"""F1 of roles, UAS, LAS and accuracy of senses, about a point below what the models have."""


@pytest.mark.parametrize("name", pretrained.names())
def test_the_answers_are_those_of_the_golden_file(name: str) -> None:
    expected, found = golden.read(name), golden.answers(name)
    assert len(found) == len(expected)
    pairs = enumerate(zip(found, expected, strict=True), start=1)
    changed = [(line, lines) for line, p in pairs if (lines := list(golden.differences(*p)))]
    shown = [f"{name}.jsonl:{n}: {d[0]} ({len(d)} in all)" for n, d in changed[:MOST_SHOWN]]
    assert not changed, "\n".join([f"{len(changed)} of {len(found)} sentences differ", *shown])


@pytest.mark.parametrize("precision", [pytest.param("float32", marks=pytest.mark.slow), "int8"])
@pytest.mark.parametrize(("name", "file"), FLOORS)
def test_the_scores_do_not_fall(name: str, file: str, precision: Any) -> None:
    gold = read_annotated(str(golden.FOLDER / f"{file}.conllu")).bare_sentences
    predicted = list(
        lisa_allennlp.load(name, precision=precision).pipe([sentence.words for sentence in gold])
    )
    trees = ConllXEvaluation(predicted, gold).to_dict()
    senses = PrimeSrlEvaluation(predicted, gold, compare_senses=True, compare_lemmas=True).scores()
    scores = (
        Conll05Evaluation(predicted, gold).counts.overall().f1,
        trees["uas"],
        trees["las"],
        100 * senses["Predicate"].correct / senses["PredicateId"].correct,
    )
    pairs = zip(scores, FLOORS[name, file], strict=True)
    assert all(score >= floor for score, floor in pairs), scores
