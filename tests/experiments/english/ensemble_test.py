"""Several models that label as one."""

import numpy
import pytest

import lisa_allennlp
from experiments.english.ensemble import Ensemble, Parser
from experiments.english.silver import Teachers
from lisa_allennlp import pretrained
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.contexts import TreeContext
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.inference.model import InferenceModel

SENTENCES = [
    Sentence(["She", "sold", "him", "the", "car", "."]),
    Sentence(["Leave", "!"]),
    Sentence(["The", "dogs", "that", "barked", "were", "fed", "by", "a", "man", "I", "know"]),
]


def test_a_model_with_itself_labels_as_it_does_with_its_own_trees():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    # The trees of an ensemble are those of the networks alone.
    stages = model.decoder.token_stages
    stages[:] = [stage for stage in stages if not isinstance(stage, TreeContext)]
    found = Ensemble([model, model]).label(SENTENCES)
    trees = [sentence.parse.head_indices for sentence in model.label(list(map(Request, SENTENCES)))]
    requests = list(map(Request, SENTENCES, trees))
    expected = model.label(requests, LabelOptions(min_probability=0.0))
    for own, alone in zip(found, expected, strict=True):
        assert (own.pos, own.parse, own.frames) == (alone.pos, alone.parse, alone.frames)


class FixedParser:
    """A parser that is sure of its trees, whose heads are 0-based, and of one label of arcs."""

    label = 5

    def __init__(self, *trees):
        self.trees = dict(zip((tuple(s.words) for s in SENTENCES), trees, strict=True))

    def encode(self, sources):
        trees = [self.trees[tuple(s.words)] for s in sources]
        length = max(map(len, trees))
        self.arc_scores = numpy.zeros((len(trees), length, length), numpy.float32)
        for row, heads in enumerate(trees):
            self.arc_scores[row, range(len(heads)), heads] = 10
        return self

    def score_head_tags(self, head_indices):
        scores = numpy.zeros((*head_indices.shape, 51))
        scores[..., self.label] = 1000
        return scores


BACKWARDS = [[*range(1, len(s.words)), len(s.words) - 1] for s in SENTENCES]
"""In these trees, each token's head is the next one."""


def test_trees_of_parsers_alone():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    labelled = Ensemble([model], [FixedParser(*BACKWARDS)], lisa_trees=False).label(SENTENCES)
    assert [s.parse.head_indices for s in labelled] == BACKWARDS
    label = model.decoder.names.head_tags[FixedParser.label]
    for sentence in labelled:
        assert sentence.parse.head_tags == [label] * (len(sentence.words) - 1) + ["root"]


def test_a_parser_scores_as_it_parses(archives):
    path = str(archives["deep_biaffine_parser"])
    engine = lisa_allennlp.load(path).engine
    tags = sorted(engine.pos_tags)
    tagged = [Sentence(s.words, pos=tags[: len(s.words)]) for s in SENTENCES]
    labels = engine.head_tags[::-1]
    found = Parser(path, labels).encode(tagged)
    expected = engine.label(list(map(Request, tagged)), LabelOptions(details=True))
    heads = numpy.full(found.arc_scores.shape[:2], -1)
    for row, parsed in enumerate(expected):
        length = len(parsed.words)
        own = found.arc_scores[row, :length, :length]
        numpy.testing.assert_allclose(own, parsed.arc_scores, atol=1e-5)
        heads[row, :length] = parsed.parse.head_indices
    ranked = found.score_head_tags(heads).argsort()[..., ::-1]
    for row, parsed in enumerate(expected):
        parse = parsed.parse
        for token, (head, label) in enumerate(
            zip(parse.head_indices, parse.head_tags, strict=True)
        ):
            others = [labels[n] for n in ranked[row, token] if labels[n] != "root"]
            assert label == ("root" if head == token else others[0])


def test_a_parser_with_other_labels_is_refused(archives):
    with pytest.raises(ValueError, match="labels of arcs"):
        Parser(str(archives["deep_biaffine_parser"]), ["root"])


def test_sentences_to_which_the_lisa_alone_gives_another_tree_are_disputed():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    alone = [s.parse.head_indices for s in model.label(list(map(Request, SENTENCES)))]
    ensemble = Ensemble([model], [FixedParser(alone[0], *BACKWARDS[1:])], lisa_trees=False)
    teachers = Teachers(ensemble)
    disputed = teachers.disputed(teachers.label(SENTENCES))
    assert disputed == [heads != alone[n] for n, heads in enumerate([alone[0], *BACKWARDS[1:]])]
    assert disputed[0] is False and disputed[2] is True


def test_the_lisa_labels_alone_and_a_student_disputes_its_trees():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    student = InferenceModel.open(pretrained.resolve("english"))
    question = Sentence("Where does the river that the storm hit flood ?".split())
    ensemble = Ensemble([model], [FixedParser(*BACKWARDS)], lisa_trees=False)
    labelled = Teachers(ensemble, is_alone=True).label([*SENTENCES, question])
    disputed = Teachers(Ensemble([student])).disputed(labelled)
    requests = list(map(Request, [*SENTENCES, question]))
    own, others = model.label(requests), student.label(requests)
    assert [s.heads for s in labelled] == [s.heads for s in own]
    assert disputed == [s.heads != t.heads for s, t in zip(own, others, strict=True)]


def test_models_with_other_labels_are_refused():
    model = InferenceModel.open(pretrained.resolve("english-fast"))
    other = InferenceModel.open(pretrained.resolve("english-fast"))
    other.decoder.names.roles = ["O"]
    with pytest.raises(ValueError, match="labels"):
        Ensemble([model, other])
