"""Several models that label as one."""

import numpy
import pytest

from experiments import silver
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


class Parser:
    """A parser that knows its trees, as heads that are 0-based."""

    def __init__(self, *trees):
        self.trees = dict(zip((tuple(s.words) for s in SENTENCES), trees, strict=True))
        self.engine = self

    def label(self, sentences, details):
        trees = [self.trees[tuple(s.words)] for s in sentences]
        scores = [10 * numpy.eye(len(heads), dtype=numpy.float32)[list(heads)] for heads in trees]
        return [Sentence(s.words, arc_scores=own) for s, own in zip(sentences, scores, strict=True)]


BACKWARDS = [[*range(1, len(s.words)), len(s.words) - 1] for s in SENTENCES]
"""In these trees, each token's head is the next one."""


def test_trees_of_parsers_alone():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    labelled = Ensemble([model], [Parser(*BACKWARDS)], lisa_trees=False).label(SENTENCES)
    assert [s.parse.head_indices for s in labelled] == BACKWARDS


def test_sentences_to_which_the_lisa_alone_gives_another_tree_are_disputed(monkeypatch):
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    alone = [s.parse.head_indices for s in model.label(SENTENCES)]
    ensemble = Ensemble([model], [Parser(alone[0], *BACKWARDS[1:])], lisa_trees=False)
    monkeypatch.setattr(silver, "_ensemble", ensemble)
    _, disputed = silver.label_part(SENTENCES, finds_disputed=True)
    assert disputed == [heads != alone[n] for n, heads in enumerate([alone[0], *BACKWARDS[1:]])]
    assert disputed[0] is False and disputed[2] is True


def test_models_with_other_labels_are_refused():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    other = InferenceModel.open(pretrained.resolve("english-fast"))
    other._decoder._names.roles = ["O"]
    with pytest.raises(ValueError, match="labels"):
        Ensemble([model, other])
