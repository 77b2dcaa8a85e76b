import numpy
import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.role_constraints import RoleConstraints

LABELS = ["O", "B-A0", "I-A0", "B-V", "I-V", "B-C-V"]
CONSTRAINTS = RoleConstraints(LABELS)


def test_without_verb_labels_nothing_is_forced() -> None:
    logits = numpy.zeros((1, 2, 3))
    RoleConstraints(["O", "B-A0", "I-A0"]).force_verb(logits, numpy.array([0]))
    assert not logits.any()


def test_spans_end_where_no_label_continues_them() -> None:
    tags = [["B-A0", "I-A0", "B-A0", "I-A0", "O"], ["B-V", "B-V", "I-V", "O", "O"]]
    labels = numpy.array([[LABELS.index(tag) for tag in row] for row in tags])
    ends = CONSTRAINTS.span_ends(labels, numpy.array([5, 2]))
    assert ends[0].tolist() == [1, 1, 3, 3, 4] and ends[1, :2].tolist() == [0, 1]


def test_without_labels_there_is_nothing_to_decode() -> None:
    with pytest.raises(ConfigurationError, match="found no predicate in the training data"):
        RoleConstraints([])
