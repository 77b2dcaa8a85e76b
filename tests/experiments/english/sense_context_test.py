"""The choices from which the weights of rolesets are fitted."""

import numpy

from experiments.english.contexts import accuracy
from experiments.english.sense_context import choices
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.fitting import fit
from lisa_allennlp.decoding.log_linear import LogLinear


def test_weights_correct_the_scores_of_a_model() -> None:
    words = "She went home .".split()
    gold = [Sentence(words, frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG4", "O"], sense="go.02")])]
    found, empty = choices("english-fast", gold), LogLinear.empty(["score"], 0.01)
    assert len(found.features) == numpy.isfinite(found.offsets).sum() > 1
    assert "go.02 +1 home" in found.features[found.gold[0]]
    other = found._replace(gold=(found.gold + 1) % len(found.features))
    corrected = fit(other, empty, penalty=0.1)
    assert [accuracy(own, empty) for own in (found, other)] == [100.0, 0.0]
    assert [accuracy(own, corrected) for own in (found, other)] == [0.0, 100.0]
