import math
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

import numpy
import pytest
from allennlp.data import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers.srl_reader import AnnotatedSrlReader
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.sentence.sentence import Sentence
from tests.models.batches import make_tensors
from tests.models.lisa_senses_test import make_lisa

CORPUS = """\
1	She	she	PRON	PRP	_	2	nsubj	_	_
2	left{0}	leave	VERB	VBD	_	0	root	_	Factuality={0}|UP:PRED=leave.01

1	Stay	stay	VERB	VB	_	0	root	_	UP:PRED=stay.01

"""


def make_model(
    folder: Path, *values: str, weight: Optional[float] = 0.5, **options: Any
) -> Tuple[Lisa, Dict[str, Any]]:
    """A new network, and sentences with these values, each with another one that has none."""
    corpus = folder / "corpus.conllu"
    corpus.write_text("".join(map(CORPUS.format, values)), encoding="utf-8")
    reader = AnnotatedSrlReader(factuality=True)
    instances = list(reader.read(corpus))
    for instance in instances:
        reader.apply_token_indexers(instance)
    model = make_lisa(instances, factuality_loss_weight=weight, **options).eval()
    return model, make_tensors(Vocabulary.from_instances(instances), instances)


def loss(folder: Path, value: str, weight: Optional[float] = 0.5) -> float:
    """The loss of both sentences, of which one has a value, with a new network."""
    model, inputs = make_model(folder, value, weight=weight)
    model(**inputs)
    metrics = model.get_metrics()
    assert "factuality_r" not in metrics
    return 3 * metrics["factuality_loss"]


def test_the_loss_is_that_of_the_annotated_word(tmp_path: Path) -> None:
    happened, did_not, half = (loss(tmp_path, value) for value in ("1.2", "-1.1", "0"))
    # The two outcomes of one word have probabilities that sum to 1.
    assert math.exp(-2 * happened) + math.exp(-2 * did_not) == pytest.approx(1)
    assert half == pytest.approx((happened + did_not) / 2)


def test_wrong_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="Factuality.*found 'yes'; expected a number"):
        loss(tmp_path, "yes")
    with pytest.raises(ConfigurationError, match="found the fields factuality"):
        loss(tmp_path, "1", weight=None)


def test_expected_values_are_correlated_with_annotated_ones(tmp_path: Path) -> None:
    values = ["1.2", "-0.7", "0.1", "0.9"]
    options: Any = {"predicate_threshold": 0, "confidence": {"factuality_temperature": 0.01}}
    model, inputs = make_model(tmp_path, *values, **options)
    sentences = model(**inputs)["sentences"][::2]
    happened = [sentence.frame_at(1).happened for sentence in sentences]
    expected = numpy.corrcoef([2 * p - 1 for p in happened], [*map(float, values)])[0, 1]
    assert model.get_metrics(reset=True)["factuality_r"] == pytest.approx(expected, abs=1e-3)
    assert "factuality_r" not in model.get_metrics()
    (again,) = (Sentence.from_dict(sentence.to_dict()) for sentence in sentences[:1])
    assert again.frame_at(1).happened == again.events[-1].happened == happened[0]
