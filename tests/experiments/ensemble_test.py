"""Several models that label as one."""

import numpy
import pytest

from experiments.ensemble import Ensemble
from lisa_allennlp import pretrained
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.inference.model import InferenceModel

SENTENCES = [
    Sentence(["She", "sold", "him", "the", "car", "."]),
    Sentence(["Leave", "!"]),
    Sentence(["The", "dogs", "that", "barked", "were", "fed", "by", "a", "man", "I", "know"]),
]


def test_a_model_with_itself_labels_as_it_does_alone():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    found = Ensemble([model, model]).label(SENTENCES)
    expected = model.label(SENTENCES, min_probability=0.0)
    for own, alone in zip(found, expected, strict=True):
        assert (own.pos, own.parse, own.frames) == (alone.pos, alone.parse, alone.frames)


def test_trees_of_parsers_alone():
    class Backwards:
        """A parser in which each token's head is the next one."""

        engine: "Backwards"

        def label(self, sentences, details):
            heads = [range(1, len(s.words) + 1) for s in sentences]
            return [
                s.__class__(s.words, arc_scores=_scores([*own[:-1], len(s.words) - 1]))
                for s, own in zip(sentences, heads, strict=True)
            ]

    parser = Backwards()
    parser.engine = parser
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    labelled = Ensemble([model], [parser], lisa_trees=False).label(SENTENCES)
    assert [s.parse.head_indices for s in labelled] == [
        [1, 2, 3, 4, 5, 5],
        [1, 1],
        [*range(1, 11), 10],
    ]


def test_models_with_other_labels_are_refused():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    other = InferenceModel.open(pretrained.resolve("english-fast"))
    other._decoder._names.roles = ["O"]
    with pytest.raises(ValueError, match="labels"):
        Ensemble([model, other])


def _scores(heads):
    return 10 * numpy.eye(len(heads), dtype=numpy.float32)[list(heads)]
