"""The decoder, on scores written by hand."""

import dataclasses
import itertools
import math
from collections import Counter
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.decoder import Decoder
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.sentence.roles import LabelledSpan, bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, GivenFrame, Parse, Sentence
from tests.decoding.linear_chain_test import total
from tests.decoding.trees_test import is_tree

LABELS = {
    "joint_tags": ["NN", "VB", "VB:predicate", "JJ"],
    "role_labels": ["O", "B-V", "B-A0", "I-A0"],
    "head_tags": ["nsubj", "root"],
    "sense_labels": ["sell.01", "sell.03"],
    "form_sense_labels": ["sold sell.01"],
}
SOURCES = [Sentence(["Ann", "sold"]), Sentence(["cars", "sold", "out"])]
# Of NN, VB, VB:predicate and JJ: the second token of each sentence is a predicate.
PROBABLE = LabelOptions(probabilities=True)
JOINT = [
    [[0.9, 0.1, 0.0, 0.0], [0.35, 0.05, 0.6, 0.0], [0.25, 0.25, 0.25, 0.25]],
    [[0.4, 0.25, 0.3, 0.05], [0.1, 0.1, 0.8, 0.0], [0.1, 0.1, 0.2, 0.6]],
]


@dataclasses.dataclass
class Scores:
    """An `EncodedBatch` of two sentences; its padding scores best."""

    arc_scores: Optional[numpy.ndarray] = None
    sense_scores: Any = ((1.0, 2.0),)
    head_indices: Optional[numpy.ndarray] = None
    factuality_logits: Optional[numpy.ndarray] = None

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
        scores = numpy.array(self.sense_scores)[:, : candidates.shape[1]]
        return numpy.broadcast_to(scores, candidates.shape)


def make_decoder(names: LabelNames = LabelNames(LABELS), **options: Any) -> Decoder:  # noqa: B008
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
    # As many decimals as do not depend on the batch.
    assert second.predicate_probabilities == [0.3, 0.8, 0.2]
    assert make_decoder().pos(Scores().joint_logits, numpy.array([2, 3])) == [first.pos, second.pos]
    (probable, _) = make_decoder().label(Scores(), SOURCES, options=PROBABLE)
    assert probable.pos_probabilities == [0.9, 0.65]


def test_tag_and_predicate_may_be_those_of_the_best_joint_tag() -> None:
    decoder = make_decoder(joint_argmax=True, predicate_threshold=0.24)
    sentences = decoder.label(Scores(), SOURCES)
    assert [sentence.pos for sentence in sentences] == [["NN", "VB"], ["NN", "VB", "JJ"]]
    assert predicates(sentences) == [[1], [1]]


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


def test_roles_and_their_probabilities() -> None:
    first, second = make_decoder().label(Scores(), SOURCES, options=PROBABLE)
    assert first.frames[0].tags == ["B-A0", "B-V"]
    assert second.frames[0].tags == ["B-A0", "B-V", "O"]
    # O, B-A0 before the predicate; I-A0 may not begin a sentence, B-V only at the predicate.
    share = math.exp(2) / (1 + math.exp(2))
    assert first.frames[0].span_probabilities == pytest.approx([share, 1.0], abs=1e-4)
    assert first.frames[0].probability == 0.6
    confidence = Confidence(role_temperature=2.0, min_probability=0.8)
    for decoder, options in (
        (make_decoder(confidence=confidence), LabelOptions()),
        (make_decoder(), LabelOptions(min_probability=0.9)),
    ):
        (sure, _) = decoder.label(Scores(), SOURCES, options=options)
        assert sure.frames[0].tags == ["O", "B-V"]
        assert sure.frames[0].probability is None


def test_senses_are_chosen_among_candidates() -> None:
    hot = make_decoder(confidence=Confidence(sense_temperature=2.0))
    (first, _) = hot.label(Scores(sense_scores=[[1.0, 2.0]]), SOURCES, options=PROBABLE)
    share = 1 / (1 + math.exp(-0.5))
    assert [(f.sense, f.sense_probability) for f in first.frames] == [
        ("sell.03", pytest.approx(share, abs=1e-4))
    ]
    # Without rolesets in the training data, there are only given ones.
    decoder = make_decoder(names=LabelNames({**LABELS, "sense_labels": []}))
    given: List[List[GivenFrame]] = [[], [{"index": 1, "sense": "sell.02"}]]
    labelled = decoder.label(Scores(), SOURCES, given_roles=given)
    assert [(f.lemma, f.sense) for s in labelled for f in s.frames] == [
        ("-", "-"),
        ("sell", "sell.02"),
    ]


def test_what_happened_is_a_probability_at_a_temperature() -> None:
    decoder = make_decoder(confidence=Confidence(factuality_temperature=2.0))
    scores = Scores(factuality_logits=numpy.array([[0.0, 3.0, 9.0], [0.0, -500.0, 0.0]]))
    found = [frame.happened for s in decoder.label(scores, SOURCES) for frame in s.frames]
    assert found == [pytest.approx(1 / (1 + math.exp(-1.5)), abs=1e-4), 0.0]
    assert make_decoder().label(Scores(), SOURCES)[0].frames[0].happened is None


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
    hot = make_decoder(confidence=Confidence(arc_temperature=2.0))
    (probable, _) = hot.label(scores, SOURCES, options=PROBABLE)
    shares = [1 / (1 + math.exp(difference / 2)) for difference in (1 - 5, 6 - 4)]
    assert probable.head_probabilities == pytest.approx(shares, abs=1e-4)
    # Each token's best head, and each arc's best label.
    best, _ = decoder.label(scores, SOURCES, options=LabelOptions("argmax"))
    assert best.parse == Parse([1, 0], ["root", "root"])
    injected = numpy.array([[0, 0, -1], [-1, -1, 2]])
    scores = Scores(ARCS, head_indices=injected)
    first, second = decoder.label(scores, SOURCES)
    assert first.parse == Parse([0, 0], ["root", "nsubj"])
    assert second.parse.head_indices == [2, 0, 2]
    assert decoder.parses(scores) == [first.parse, second.parse]
    assert decoder.parses(Scores()) == [None, None]


@pytest.mark.parametrize("parse_decoder", ["argmax", "mst"])
def test_heads_of_four_words_with_any_part_of_any_tree_injected(parse_decoder: str) -> None:
    """The injected heads stay; the others are the best in a tree with them, or of all heads."""
    scores = numpy.random.default_rng(5).standard_normal((1, 4, 4))
    encoded: Any = SimpleNamespace(arc_scores=scores, lengths=numpy.array([4]))
    trees = list(filter(is_tree, itertools.product(range(4), repeat=4)))
    assert len(trees) == 4**3
    decoder = make_decoder()
    for tree, is_given in itertools.product(trees, itertools.product([False, True], repeat=4)):
        encoded.head_indices = numpy.where(is_given, tree, -100)[None]
        best = scores[0].argmax(-1)
        if parse_decoder == "mst":
            fits = (t for t in trees if all(numpy.equal(t, tree) >= is_given))
            best = max(fits, key=lambda t: sum(scores[0, range(4), t]))
        heads = decoder.heads(encoded, parse_decoder)
        assert heads is not None and heads.tolist() == [numpy.where(is_given, tree, best).tolist()]


def test_details() -> None:
    injected = numpy.array([[0, -1, -1], [-1, -1, -1]])
    first, second = make_decoder().label(
        Scores(ARCS, head_indices=injected),
        SOURCES,
        options=LabelOptions(details=True),
    )
    assert first.arc_scores.tolist() == ARCS[0, :2, :2].tolist()
    share = 1 / (1 + math.exp(-2))
    assert first.attention.tolist() == [[1.0, 0.0], pytest.approx([share, 1 - share])]
    assert second.attention.shape == (3, 3)
    assert (
        make_decoder().label(Scores(), SOURCES, options=LabelOptions(details=True))[0].attention
        is None
    )


ROLES = "O B-V I-V B-ARG0 I-ARG0 B-R-ARG0 B-C-ARG0 I-C-ARG0 B-ARG5".split()
LENGTH = 4


@st.composite
def frames_to_give(draw: st.DrawFn) -> GivenFrame:
    """A predicate and some spans, which V alone shares with it."""
    predicate, spans, token = draw(st.integers(0, LENGTH - 1)), [], 0
    while token < LENGTH:
        last = min(token + draw(st.integers(0, 2)), LENGTH - 1)
        has_predicate = token <= predicate <= last
        roles = [None, "O", "ARG0", "C-ARG0", *["R-ARG0"] * (token == last)]
        if has_predicate:
            roles = [None, *["V"] * (token == predicate)]
        role = draw(st.sampled_from(roles))
        spans += [] if role is None else [LabelledSpan(role, token, last)]
        token = last + 1
    return {"index": predicate, "spans": draw(st.permutations(spans))}


class RandomRoles(Scores):
    """Random scores of roles; the first sentence has no padding."""

    def __init__(self, seed: int) -> None:
        super().__init__(sense_scores=[[2.0, 1.0]])
        rng = numpy.random.default_rng(seed)
        size = len(ROLES)
        parts = (rng.normal(size=shape) for shape in (size, (size, size), size))
        self.lengths = numpy.array([LENGTH, 3])
        self.joint_logits = rng.normal(size=(2, LENGTH, 4))
        self.arc_scores = rng.normal(size=(2, LENGTH, LENGTH))
        self.logits = 2 * rng.normal(size=(LENGTH, size))
        self.chain = LinearChain(*parts)

    def score_roles(self, sentences: numpy.ndarray, predicates: numpy.ndarray) -> numpy.ndarray:
        return numpy.stack([self.logits] * len(sentences))

    def label(self, frame: GivenFrame, lexicon: Optional[str] = None, **options: Any) -> Frame:
        """The frame of the predicate in the first sentence."""
        names = LabelNames({**LABELS, "role_labels": ROLES}, lexicon)
        decoder = Decoder(names, ChainDecoder(names.role_constraints.constrain(self.chain)))
        sources = [Sentence(["sold"] * LENGTH), Sentence(["sold"] * 3)]
        first, _ = decoder.label(
            self, sources, given_roles=[[frame], []], options=LabelOptions(**options)
        )
        return first.frame_at(frame["index"])


def agrees(tags: Sequence[str], frame: GivenFrame) -> bool:
    """Whether BIO labels have the given spans."""
    spans = {tuple(span) for span in bio_to_spans(tags)}
    return all(
        set(tags[first : last + 1]) == {"O"} if role == "O" else (role, first, last) in spans
        for role, first, last in frame["spans"]
    )


def distribution(scores: RandomRoles, frame: GivenFrame) -> Dict[Tuple[str, ...], float]:
    """The probability of each label sequence that is a frame with the given spans."""
    logs = {}
    for path in itertools.product(range(len(ROLES)), repeat=LENGTH):
        tags = tuple(ROLES[label] for label in path)
        before = ("O", *tags)
        if any(
            tag[0] == "I" and last[1:] != tag[1:] for last, tag in zip(before, tags, strict=False)
        ):
            continue
        verbs = [token for token, tag in enumerate(tags) if tag == "B-V"]
        if verbs == [frame["index"]] and agrees(tags, frame):
            logs[tags] = total(scores.logits, scores.chain, path)
    z = math.fsum(map(math.exp, logs.values()))
    return {tags: math.exp(log) / z for tags, log in logs.items()}


@settings(max_examples=20)
@given(frames_to_give(), st.integers(0, 2**16))
def test_the_rest_is_the_best_and_as_probable_as_with_the_given_spans(
    frame: GivenFrame, seed: int
) -> None:
    scores = RandomRoles(seed)
    found = scores.label(frame, probabilities=True)
    expected = distribution(scores, frame)
    assert tuple(found.tags) == max(expected, key=lambda tags: expected[tags])
    for span in found.roles:
        own = span.role, span.first, span.last
        share = math.fsum(p for tags, p in expected.items() if own in bio_to_spans(tags))
        assert span.probability == pytest.approx(share, abs=1e-4)


@given(frames_to_give(), st.integers(0, 2**16), st.sampled_from([0.0, 0.5, 1.0]))
def test_given_spans_are_never_lost(frame: GivenFrame, seed: int, least: float) -> None:
    found = RandomRoles(seed).label(frame, "english", min_probability=least)
    assert agrees(found.tags, frame)
    counts = Counter(span.role for span in found.roles)
    own = [s for s in found.roles if (s.role, s.first, s.last) not in frame["spans"]]
    if least == 0.0:
        # What is not given is well formed.
        assert counts["ARG0"] == 1 or all(span.role != "ARG0" for span in own)
        assert counts["ARG0"] or {span.role for span in own} <= {"V", "ARG5"}
    if least == 1.0:
        assert {span.role for span in own} <= {"V"}


def test_words_with_given_roles_are_predicates() -> None:
    decoder, nowhere = make_decoder(), numpy.zeros((2, 3), int)
    known: List[List[GivenFrame]] = [
        [{"index": 0}],
        [{"index": 2, "spans": [LabelledSpan("O", 0, 1)]}],
    ]
    scores = Scores(sense_scores=[[0.0]])
    labelled = decoder.label(scores, SOURCES, given_roles=known)
    assert predicates(labelled) == [[0, 1], [1, 2]]
    labelled = decoder.label(scores, SOURCES, given_predicates=nowhere, given_roles=known)
    assert predicates(labelled) == [[0], [2]]
    assert labelled[1].frames[0].tags == ["O", "O", "B-V"]


def test_groups_of_frames_have_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    label, given = make_decoder().label, numpy.ones((2, 3))
    together = label(Scores(), SOURCES, given_predicates=given, options=PROBABLE)
    monkeypatch.setattr("lisa_allennlp.decoding.decoder.LOGITS_AT_ONCE", 1)
    assert label(Scores(), SOURCES, given_predicates=given, options=PROBABLE) == together
