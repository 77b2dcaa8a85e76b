"""What people accept counts at once for the other sentences of a corpus, over HTTP."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy
import pytest

import lisa_allennlp
from lisa_allennlp.apps.serve.corpus import Corpus, read_corpus
from lisa_allennlp.apps.serve.lessons import Lessons
from lisa_allennlp.decoding.adaptation import (
    LEAST_WEIGHT,
    Adaptation,
    examples_of,
    fit_adaptation,
)
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import KEY
from lisa_allennlp.labelling.labeller import Labeller
from tests import FIXTURES
from tests.apps.serve.services import Running, running

TEXT = (
    "".join(f"{who} raised the flag.\n" for who in ("She", "They", "He")) + "He sold us the car.\n"
)


@pytest.fixture(scope="module")
def lisa() -> Labeller:
    return lisa_allennlp.load("english-fast")


def corpus_of(lisa: Labeller, folder: Path) -> Corpus:
    file = folder / "notes.txt"
    file.write_text(TEXT)
    return Corpus(read_corpus([str(file)], lisa, 256), folder / "saved", lisa)


def shown(service: Running, number: int) -> Tuple[str, List[str]]:
    answer = service.ask("GET", f"/sentence?number={number}").json["start"]
    (frame,) = answer["verbs"]
    return frame["sense"], frame["tags"]


def listed(service: Running, order: str = "corpus") -> Dict[int, float]:
    found = service.ask("GET", f"/corpus?order={order}").json["sentences"]
    return {one["number"]: one["certainty"] for one in found}


def save(service: Running, number: int, corrections: Optional[Any], version: str = "") -> str:
    body = {"corrections": corrections, "version": version}
    answer = service.ask("POST", f"/sentence?number={number}", body)
    assert answer.status == 200, answer
    return str(answer.json["version"])


def test_what_two_sentences_teach_counts_for_others(lisa: Labeller, tmp_path: Path) -> None:
    """One example overrules nothing; two that are alike do."""
    (tmp_path / "saved").mkdir()
    own = [lisa(line).frames[0] for line in TEXT.splitlines()]
    roles = {"1": [["ARG0", 0, 0], ["ARGM-GOL", 2, 3]]}
    corrections = {"senses": {"1": "raise.03"}, "roles": roles, "accepted": True}
    with running(lisa, corpus=corpus_of(lisa, tmp_path)) as service:
        assert service.ask("GET", "/info").json["teaches"]
        before = listed(service)[3]
        save(service, 1, corrections)
        assert own[2].sense == "raise.01" and shown(service, 3) == (own[2].sense, own[2].tags)
        version = save(service, 2, {**corrections, "accepted": False})
        assert shown(service, 3) == (own[2].sense, own[2].tags)
        version = save(service, 2, corrections, version)
        # The list has today's certainties, and nothing that is accepted.
        after = listed(service, "certainty")
        assert {*after} == {3, 4} and after[3] != before and after[4] == listed(service)[4]
        assert shown(service, 3)[0] == "raise.03" and listed(service)[3] == after[3]
        assert shown(service, 4) == (own[3].sense, own[3].tags)
        # A sentence says what has changed, why, and how to undo it.
        answer = service.ask("GET", "/sentence?number=3").json
        assert answer["own"]["verbs"][0]["sense"] == "raise.01"
        (learned,) = answer["learned"]
        assert (learned["predicate"], learned["sentences"]) == (1, [1, 2])
        edit = {"sentence": 3, "corrections": learned["corrections"]}
        undone = service.ask("POST", "/edit", edit).json
        (frame,) = undone["answer"]["verbs"]
        assert (frame["sense"], frame["tags"]) == (own[2].sense, own[2].tags)
        # What the model labels anew reads with the lesson, too.
        edit = {"sentence": 3, "corrections": {"predicates": {"3": True}}}
        verbs = service.ask("POST", "/edit", edit).json["answer"]["verbs"]
        assert verbs[0]["sense"] == "raise.03"
        lesson = service.ask("GET", "/lesson").json
        moved = {"predicate": "raised", "before": "raise.01", "after": "raise.03"}
        assert {"number": 1, "words": "", **moved} in lesson["moved"]
        assert (lesson["sentences"], lesson["used"]) == (2, True)
        assert not service.ask("POST", "/lesson", {"used": False}).json["used"]
        assert listed(service, "certainty")[3] == before
        assert shown(service, 3) == (own[2].sense, own[2].tags)
        service.ask("POST", "/lesson", {"used": True})
        assert shown(service, 3)[0] == "raise.03"
    # The lesson is in the corrections: another service begins with it.
    with running(lisa, corpus=corpus_of(lisa, tmp_path)) as service:
        assert listed(service)[3] == after[3] and shown(service, 3)[0] == "raise.03"
        save(service, 2, None, version)
        assert shown(service, 3) == (own[2].sense, own[2].tags)
        assert service.ask("GET", "/lesson").json["sentences"] == 1


def test_learning_bit_by_bit_is_learning_all(lisa: Labeller) -> None:
    """Only the lemmas of a sentence are fitted again, and a sentence can be forgotten."""
    found = read_annotated(FIXTURES / "golden/gold.conllu").bare_sentences[:15]
    # Mistakes teach something if they repeat, in other words.
    sentences = [*found, *(replace(own, words=[*own.words[:-1], "!"]) for own in found)]
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
    present = lessons.present
    assert isinstance(present, Adaptation) and present.sentences == whole.sentences == 29
    keys = numpy.union1d(present.weights.features, whole.weights.features)
    rows, expected = present.weights.weights_of(keys), whole.weights.weights_of(keys)
    # Weights are rounded, and small ones dropped, from minima that are close.
    assert (abs(rows.astype(int) - expected) <= LEAST_WEIGHT).all()
    assert (rows == expected).mean() > 0.9 and len(keys) > 50
