"""The effect of a `Confidence` on a model."""

from pathlib import Path
from typing import Any, Dict

import pytest

from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.loading import load_labeller
from tests import FIXTURES

WORDS = "The dog that she saw chased him".split()


def load(archive: Path, confidence: Dict[str, float], **options: Any) -> Labeller:
    return load_labeller(archive, overrides={"model.confidence": confidence}, **options)


def label(archive: Path, **confidence: float) -> Sentence:
    labeller = load(archive, confidence, probabilities=True)
    return labeller({"tokens": WORDS, "predicates": [4, 5]})


def test_temperatures_change_probabilities_and_no_labels(archives: Dict[str, Path]) -> None:
    plain = label(archives["lisa"])
    # The scores of an untrained model are large.
    roles = label(archives["lisa"], role_temperature=1000.0)
    arcs = label(archives["lisa"], arc_temperature=1000.0)
    assert plain.frames is not None and roles.frames is not None and arcs.frames is not None
    for other in (roles, arcs):
        assert other.parse == plain.parse and other.pos_probabilities == plain.pos_probabilities
        tags = [frame.tags for frame in other.frames or []]
        assert tags == [frame.tags for frame in plain.frames]
    assert roles.head_probabilities == plain.head_probabilities
    assert arcs.frames == plain.frames
    assert roles.frames != plain.frames
    assert arcs.head_probabilities != plain.head_probabilities


@pytest.mark.medium
def test_evaluation_leaves_out_what_prediction_leaves_out(archives: Dict[str, Path]) -> None:
    """The model's own `min_probability` holds in `forward`, and is the labeller's default."""
    gold = list(Conll12SrlReader().read_sentences(FIXTURES / "sample" / "dev.gold_conll"))[:8]
    requests = [
        {"tokens": s.words, "predicates": s.predicates} for s in gold if s.frames is not None
    ]
    flat = {"role_temperature": 1000.0, "min_probability": 0.1}
    all_spans, kept_spans, by_option = (
        [[f.tags for f in sentence.frames or []] for sentence in labeller.pipe(requests)]
        for labeller in (
            load(archives["lisa"], {"role_temperature": 1000.0}),
            load(archives["lisa"], flat),
            load(archives["lisa"], {**flat, "min_probability": 0.0}, min_probability=0.1),
        )
    )
    assert kept_spans == by_option != all_spans
    assert any(tag not in ("O", "B-V", "I-V") for s in kept_spans for tags in s for tag in tags)
    labeller = load(archives["lisa"], flat)
    assert isinstance(labeller, LisaLabeller)
    engine = labeller.engine
    instances = []
    for content in requests:
        request = labeller.read(content)
        instance = engine.instance(request.sentence)
        engine._add([instance], "given_predicates", [request.predicates])
        instances.append(instance)
    evaluated = []
    for instance in instances:
        output = engine.model.forward(**engine._tensors([instance]))
        evaluated.append([f.tags for f in output["sentences"][0].frames])
    assert evaluated == kept_spans
