import numpy

from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.modules.role_decoders import GreedyRoleDecoder


def test_greedy_takes_the_best_label_of_each_token_even_if_illegal() -> None:
    decoder = GreedyRoleDecoder(RoleConstraints(["O", "B-A0", "I-A0"]))
    logits = numpy.array([[[0.0, 1.0, 2.0], [3.0, 1.0, 2.0], [0.0, 0.0, 9.0]]])
    assert decoder.decode(logits, numpy.array([3])).tolist() == [[2, 0, 2]]


def test_an_inner_label_of_the_predicate_continues_it() -> None:
    decoder = GreedyRoleDecoder(RoleConstraints(["O", "B-V", "I-V"]))
    best = numpy.array([[2, 1, 2, 2, 0, 2], [0, 2, 1, 0, 2, 2]])
    logits = numpy.eye(3)[best] - 0.1 * numpy.arange(3)
    labels = decoder.decode(logits, numpy.array([6, 6]))
    assert labels.tolist() == [[0, 1, 2, 2, 0, 0], [0, 0, 1, 0, 0, 0]]
