"""LISA learns whether the events of words happened."""

import math
from pathlib import Path
from typing import Optional

import pytest
from allennlp.data import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers.srl_reader import AnnotatedSrlReader
from tests.models.batches import make_tensors
from tests.models.lisa_senses_test import make_lisa

CORPUS = """\
1	She	she	PRON	PRP	_	2	nsubj	_	_
2	left	leave	VERB	VBD	_	0	root	_	Factuality={}|UP:PRED=leave.01

1	Stay	stay	VERB	VB	_	0	root	_	UP:PRED=stay.01

"""


def loss(folder: Path, value: str, weight: Optional[float] = 0.5) -> float:
    """The loss of both sentences, of which one has a value, with a new network."""
    corpus = folder / "corpus.conllu"
    corpus.write_text(CORPUS.format(value), encoding="utf-8")
    reader = AnnotatedSrlReader(factuality=True)
    instances = list(reader.read(corpus))
    for instance in instances:
        reader.apply_token_indexers(instance)
    model = make_lisa(instances, factuality_loss_weight=weight).eval()
    model(**make_tensors(Vocabulary.from_instances(instances), instances))
    return 3 * model.get_metrics()["factuality_loss"]


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
