"""
The attention of LISA's syntactic head, as pictures show it. It is the model's own even if the
sentence has an injected tree, to which the head attends instead (LISA section 2.2).

    >>> scores = numpy.log(numpy.array([[0.9, 0.1], [0.6, 0.4]]))
    >>> own_attention(Sentence(["Go", "!"], arc_scores=scores)).round(2).tolist()
    [[0.9, 0.1], [0.6, 0.4]]
"""

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence


def own_attention(sentence: Sentence) -> numpy.ndarray:
    """
    # Parameters

    sentence : `Sentence`
        With `arc_scores` or `attention`, as `details=True` gives them.

    # Returns

    `numpy.ndarray`
        Shape `(length, length)`: row `t` has the weights of all tokens as the head of token `t`; a
        root attends to itself. Rows sum to 1.

    # Raises

    `ConfigurationError`
        If the sentence has neither.
    """
    if not sentence.words:
        return numpy.zeros((0, 0))
    if sentence.arc_scores is not None:
        scores = numpy.asarray(sentence.arc_scores, dtype=float)
        exponentials = numpy.exp(scores - scores.max(axis=-1, keepdims=True, initial=-numpy.inf))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)
    if sentence.attention is None:
        raise ConfigurationError(
            "attention: found a sentence without `attention` and `arc_scores`; expected the "
            "answer of a LISA model, with details"
        )
    return numpy.asarray(sentence.attention, dtype=float)
