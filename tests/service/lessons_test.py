"""What people accept counts at once for the other sentences of a corpus, over HTTP."""

from dataclasses import replace
from pathlib import Path
from typing import Any, List, Optional, Tuple

import numpy
import pytest

import lisa_allennlp
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.corrections import KEY
from lisa_allennlp.decoding.adaptation import (
    LEAST_WEIGHT,
    Adaptation,
    examples_of,
    fit_adaptation,
)
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.service.corpus import Corpus, read_corpus
from lisa_allennlp.service.lessons import Lessons
from tests import FIXTURES
from tests.service.services import Running, running

TEXT = "She raised the flag.\nHe raised the flag.\nHe sold us the car.\n"


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast")


def corpus_of(lisa: Labeller, folder: Path) -> Corpus:
    file = folder / "notes.txt"
    file.write_text(TEXT)
    return Corpus(read_corpus([str(file)], lisa, 256), folder / "saved", lisa)


def shown(service: Running, number: int) -> Tuple[str, List[str]]:
    """The roleset and the roles with which a sentence starts."""
    answer = service.ask("GET", f"/sentence?number={number}").json["start"]
    (frame,) = answer["verbs"]
    return frame["sense"], frame["tags"]


def save(service: Running, number: int, corrections: Optional[Any], version: str = "") -> str:
    body = {"corrections": corrections, "version": version}
    answer = service.ask("POST", f"/sentence?number={number}", body)
    assert answer.status == 200, answer
    return str(answer.json["version"])


def test_an_accepted_sentence_counts_for_others(lisa: Labeller, tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    first, second, third = (lisa(line).frames[0] for line in TEXT.splitlines())
    corrections = {"senses": {"1": "raise.03"}, "accepted": False}
    with running(lisa, corpus=corpus_of(lisa, tmp_path)) as service:
        assert service.ask("GET", "/info").json["teaches"]
        version = save(service, 1, corrections)
        assert shown(service, 2) == (second.sense, second.tags)
        version = save(service, 1, {**corrections, "accepted": True}, version)
        assert second.sense == "raise.01" and shown(service, 2)[0] == "raise.03"
        assert shown(service, 1) == (first.sense, first.tags)
        assert shown(service, 3) == (third.sense, third.tags)
        lesson = service.ask("GET", "/lesson").json
        moved = {"predicate": "raised", "before": "raise.01", "after": "raise.03"}
        assert {"number": 1, "words": "", **moved} in lesson["moved"]
        assert (lesson["sentences"], lesson["used"]) == (1, True)
        # What the model labels anew reads with the lesson, too.
        edit = {"sentence": 2, "corrections": {"predicates": {"3": True}}}
        verbs = service.ask("POST", "/edit", edit).json["answer"]["verbs"]
        assert verbs[0]["sense"] == "raise.03"
        assert not service.ask("POST", "/lesson", {"used": False}).json["used"]
        assert shown(service, 2) == (second.sense, second.tags)
        service.ask("POST", "/lesson", {"used": True})
        assert shown(service, 2)[0] == "raise.03"
        found = service.ask("GET", "/corpus?order=corpus&search=raise.03").json
        assert [sentence["number"] for sentence in found["sentences"]] == [1, 2]
    # The lesson is in the corrections: another service begins with it.
    with running(lisa, corpus=corpus_of(lisa, tmp_path)) as service:
        assert shown(service, 2)[0] == "raise.03"
        save(service, 1, None, version)
        assert shown(service, 2) == (second.sense, second.tags)
        assert service.ask("GET", "/lesson").json["sentences"] == 0


def test_learning_bit_by_bit_is_learning_all(lisa: Labeller) -> None:
    """Only the lemmas of a sentence are fitted again, and a sentence can be forgotten."""
    sentences = read_annotated(FIXTURES / "golden/gold.conllu").bare_sentences[:30]
    lessons = Lessons(lisa, dict(enumerate(sentences[:10])))
    for index, sentence in enumerate(sentences[10:], start=10):
        lessons.learn(index, sentence)
    lessons.learn(3, None)
    learned = lessons.present
    # What is not accepted teaches nothing, and no sentence has to be labelled again.
    lessons.learn(30, replace(sentences[0], extra={KEY: {"number": 31, "accepted": False}}))
    assert lessons.present is learned
    taught = [*sentences[:3], *sentences[4:]]
    whole = fit_adaptation(examples_of(lisa.label, taught, lisa.options), len(taught))
    found = lessons.present
    assert isinstance(found, Adaptation) and found.sentences == whole.sentences == 29
    keys = numpy.union1d(found.weights.features, whole.weights.features)
    rows, expected = found.weights.rows(keys), whole.weights.rows(keys)
    # Weights are rounded, and small ones dropped, from minima that are close.
    assert (abs(rows.astype(int) - expected) <= LEAST_WEIGHT).all()
    assert (rows == expected).mean() > 0.9 and len(keys) > 500


def test_without_a_folder_there_is_no_lesson(lisa: Labeller, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(TEXT)
    with running(lisa, corpus=Corpus(read_corpus([str(file)], lisa, 256), None, lisa)) as service:
        assert not service.ask("GET", "/info").json["teaches"]
        assert service.ask("GET", "/lesson").error.startswith("found no lesson; expected lisa se")
