"""The effect of a `Confidence` on a model."""

from pathlib import Path
from typing import Any, Dict, List

from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.sentence.sentence import Sentence

WORDS = "The dog that she saw chased him".split()


def label(archive: Path, confidence: Dict[str, float], **options: Any) -> Sentence:
    labeller = load_labeller(archive, overrides={"model.confidence": confidence}, **options)
    return labeller({"tokens": WORDS, "predicates": [4, 5]})


def tags(sentence: Sentence) -> List[List[str]]:
    return [frame.tags for frame in sentence.frames or []]


def test_temperatures_change_probabilities_and_no_labels(archives: Dict[str, Path]) -> None:
    # The scores of an untrained model are large.
    plain, roles, arcs = (
        label(archives["lisa"], confidence, probabilities=True)
        for confidence in ({}, {"role_temperature": 1000.0}, {"arc_temperature": 1000.0})
    )
    for other in (roles, arcs):
        assert other.parse == plain.parse and other.pos_probabilities == plain.pos_probabilities
        assert tags(other) == tags(plain)
    assert roles.head_probabilities == plain.head_probabilities != arcs.head_probabilities
    assert arcs.frames == plain.frames != roles.frames
