"""The decoder, on scores written by hand."""

import dataclasses
import math
from typing import Any, List, Optional

import numpy
import pytest

from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain

LABELS = {
    "joint_tags": ["NN", "VB", "VB:predicate", "JJ"],
    "role_labels": ["O", "B-V", "B-A0", "I-A0"],
    "head_tags": ["nsubj", "root"],
    "sense_labels": ["sell.01", "sell.03"],
    "form_sense_labels": ["sold sell.01"],
}
SOURCES = [Sentence(["Ann", "sold"]), Sentence(["cars", "sold", "out"])]
# Of NN, VB, VB:predicate and JJ: the second token of each sentence is a predicate.
JOINT = [
    [[0.9, 0.1, 0.0, 0.0], [0.35, 0.05, 0.6, 0.0], [0.25, 0.25, 0.25, 0.25]],
    [[0.4, 0.25, 0.3, 0.05], [0.1, 0.1, 0.8, 0.0], [0.1, 0.1, 0.2, 0.6]],
]


@dataclasses.dataclass
class Scores:
    """An `EncodedBatch` of two sentences; its padding scores best."""

    arc_scores: Optional[numpy.ndarray] = None
    sense_scores: Any = ((1.0, 2.0),)

    def __post_init__(self) -> None:
        self.lengths = numpy.array([2, 3])
        with numpy.errstate(divide="ignore"):
            self.joint_logits = numpy.log(numpy.array(JOINT, numpy.float32))

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        return numpy.broadcast_to(numpy.array([1.0, 2.0]), (*head_indices.shape, 2))

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        self.asked = list(zip(sentence_indices.tolist(), predicate_indices.tolist(), strict=True))
        # The first token is an A0, the others are I-A0 if they may be.
        logits = numpy.zeros((len(sentence_indices), 3, 4), numpy.float32)
        logits[:, 0, 2], logits[:, 1:, 3] = 2.0, 1.0
        return logits

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        return numpy.broadcast_to(numpy.array(self.sense_scores), candidates.shape)


def make_decoder(**options: Any) -> Decoder:
    names = LabelNames(LABELS)
    chain = names.role_constraints.constrain(
        LinearChain(numpy.zeros(4), numpy.zeros((4, 4)), numpy.zeros(4))
    )
    return Decoder(names, ChainDecoder(chain), **options)


def predicates(sentences: List[Sentence]) -> List[Optional[List[int]]]:
    return [sentence.predicates for sentence in sentences]


def test_tags_and_predicates_sum_over_the_other_task() -> None:
    first, second = make_decoder().label(Scores(), SOURCES)
    # NN is the best joint tag of `cars`, but the two VB tags together are more probable.
    assert (first.pos, second.pos) == (["NN", "VB"], ["VB", "VB", "JJ"])
    assert second.predicate_probabilities == pytest.approx([0.3, 0.8, 0.2])
    assert make_decoder().pos(Scores().joint_logits, numpy.array([2, 3])) == [first.pos, second.pos]
    (probable, _) = make_decoder().label(Scores(), SOURCES, probabilities=True)
    assert probable.pos_probabilities == pytest.approx([0.9, 0.65])


def test_predicates_are_above_the_threshold_and_no_padding() -> None:
    assert predicates(make_decoder().label(Scores(), SOURCES)) == [[1], [1]]
    decoder = make_decoder(predicate_threshold=0.24)
    assert predicates(decoder.label(Scores(), SOURCES)) == [[1], [0, 1]]


def test_given_predicates_outweigh_probabilities() -> None:
    given = numpy.array([[1, 0, 1], [-1, -1, 1]])
    scores = Scores()
    assert predicates(make_decoder().label(scores, SOURCES, given_predicates=given)) == [
        [0],
        [1, 2],
    ]
    assert scores.asked == [(0, 0), (1, 1), (1, 2)]
    none = numpy.zeros((2, 3), int)
    assert predicates(make_decoder().label(Scores(), SOURCES, given_predicates=none)) == [[], []]


def test_roles_and_their_probabilities() -> None:
    first, second = make_decoder().label(Scores(), SOURCES, probabilities=True)
    assert first.frames is not None and second.frames is not None
    assert first.frames[0].tags == ["B-A0", "B-V"]
    assert second.frames[0].tags == ["B-A0", "B-V", "O"]
    # O, B-A0 before the predicate; I-A0 may not begin a sentence, B-V only at the predicate.
    share = math.exp(2) / (1 + math.exp(2))
    assert first.frames[0].span_probabilities == pytest.approx([share, 1.0])
    assert first.frames[0].probability == pytest.approx(0.6)
    confidence = Confidence(role_temperature=2.0, min_probability=0.8)
    for decoder, options in (
        (make_decoder(confidence=confidence), {}),
        (make_decoder(), {"min_probability": 0.9}),
    ):
        (sure, _) = decoder.label(Scores(), SOURCES, **options)
        assert sure.frames is not None and sure.frames[0].tags == ["O", "B-V"]
        assert sure.frames[0].probability is None


def test_v_is_forced_onto_the_predicate_or_free() -> None:
    class VerbElsewhere(Scores):
        def score_roles(self, *indices: numpy.ndarray) -> numpy.ndarray:
            logits = numpy.zeros((len(indices[0]), 3, 4), numpy.float32)
            logits[:, 0, 1], logits[:, 1, 2] = 2.0, 1.0
            return logits

    decode = make_decoder().label
    (forced, _) = decode(VerbElsewhere(), SOURCES)
    (free, _) = decode(VerbElsewhere(), SOURCES, force_verb=False)
    assert forced.frames is not None and free.frames is not None
    assert [frame.tags for frame in forced.frames] == [["O", "B-V"]]
    assert [(frame.predicate, frame.tags) for frame in free.frames] == [(1, ["B-V", "B-A0"])]


def test_senses_are_chosen_among_candidates() -> None:
    (first, second) = make_decoder().label(Scores(sense_scores=[[1.0, 2.0]]), SOURCES)
    assert [f.sense for f in first.frames or []] == ["sell.03"]
    hot = make_decoder(confidence=Confidence(sense_temperature=2.0))
    (first, second) = hot.label(Scores(sense_scores=[[1.0, 2.0]]), SOURCES, probabilities=True)
    share = 1 / (1 + math.exp(-0.5))
    assert [f.sense_probability for f in first.frames or []] == pytest.approx([share])
    unknown = [Sentence(["Ann", "litigates"]), SOURCES[1]]
    (first, second) = make_decoder().label(Scores(), unknown)
    assert [(f.lemma, f.sense) for f in first.frames or []] == [("litigate", "litigate.01")]
    names = LabelNames({**LABELS, "sense_labels": []})
    chain = LinearChain(numpy.zeros(4), numpy.zeros((4, 4)), numpy.zeros(4))
    (first, _) = Decoder(names, ChainDecoder(chain)).label(Scores(), unknown)
    assert [(f.lemma, f.sense) for f in first.frames or []] == [("-", "-")]


ARCS = numpy.array(
    [
        [[1.0, 5.0, 99.0], [6.0, 4.0, 99.0], [99.0, 99.0, 99.0]],
        [[1.0, 5.0, 0.0], [6.0, 4.0, 0.0], [0.0, 3.0, 1.0]],
    ],
    numpy.float32,
)


def test_trees_and_injected_trees() -> None:
    decoder, scores = make_decoder(), Scores(ARCS)
    first, second = decoder.label(scores, SOURCES)
    assert first.parse == Parse([1, 1], ["nsubj", "root"])
    assert second.parse == Parse([1, 1, 1], ["nsubj", "root", "nsubj"])
    # Each token's best head, and each arc's best label.
    best, _ = decoder.label(scores, SOURCES, parse_decoder="argmax")
    assert best.parse == Parse([1, 0], ["root", "root"])
    injected = numpy.array([[0, 0, -1], [-1, -1, 2]])
    first, second = decoder.label(scores, SOURCES, injected)
    assert first.parse == Parse([0, 0], ["root", "nsubj"])
    assert second.parse is not None and second.parse.head_indices == [1, 1, 2]
    assert decoder.parses(scores, injected) == [first.parse, second.parse]
    assert decoder.parses(Scores()) == [None, None]


def test_details() -> None:
    first, second = make_decoder().label(
        Scores(ARCS), SOURCES, numpy.array([[0, -1, -1], [-1, -1, -1]]), details=True
    )
    assert first.arc_scores is not None and first.attention is not None
    assert first.arc_scores.tolist() == ARCS[0, :2, :2].tolist()
    share = 1 / (1 + math.exp(-2))
    assert first.attention.tolist() == [[1.0, 0.0], pytest.approx([share, 1 - share])]
    assert second.attention is not None and second.attention.shape == (3, 3)
    assert make_decoder().label(Scores(), SOURCES, details=True)[0].attention is None
