"""The topics of predicates and rolesets."""

from typing import List, Sequence

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.decoding.contexts import TopicContext
from lisa_allennlp.decoding.lexicon import TOPICS_FILE
from lisa_allennlp.decoding.log_linear import keys_of, open_arrays
from lisa_allennlp.decoding.sense_topics import WINDOW, SenseTopics
from tests.decoding.frames_test import make_frames

VOCABULARY = ["court", "law", "wine", "vote"]
SENSES = ["sell.01", "sell.02", "sell.03"]


def make_topics(factors: Sequence[float]) -> SenseTopics:
    rng = numpy.random.default_rng(5)
    words, senses = (sorted(own, key=lambda w: keys_of([w])[0]) for own in (VOCABULARY, SENSES))
    return SenseTopics(
        keys_of(words),
        rng.integers(-127, 128, (4, 3)).astype(numpy.int8),
        keys_of(senses),
        rng.integers(-127, 128, (3, 3)).astype(numpy.int8),
        rng.integers(0, 2, (3, 3)).astype(bool),
        numpy.array([name == "sell.01" for name in senses]),
        numpy.array(factors, numpy.float32),
    )


@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from([*VOCABULARY, "Law", "x"]), st.sampled_from(["NNS", "IN"])),
            min_size=1,
            max_size=40,
        ),
        min_size=1,
        max_size=3,
    ),
    st.data(),
)
def test_topics_are_normalised_sums_of_the_words_around(
    sentences: List[List[tuple]], data: st.DataObject
) -> None:
    topics = make_topics([1, 0, 0, 0, 0])
    vector_of = dict(zip(topics.words.tolist(), topics.word_vectors.astype(float), strict=True))
    words, tags = ([[pair[i] for pair in own] for own in sentences] for i in (0, 1))
    places = [data.draw(st.integers(0, len(own) - 1)) for own in words]
    found = topics.around(words, tags, numpy.arange(len(words)), numpy.array(places))
    for own_words, own_tags, place, topic in zip(words, tags, places, found, strict=True):
        total = numpy.zeros(3)
        for token, (word, tag) in enumerate(zip(own_words, own_tags, strict=True)):
            if token != place and abs(token - place) <= WINDOW and tag == "NNS":
                total += vector_of.get(keys_of([word.lower()])[0], 0.0)
        assert topic == pytest.approx(total / (numpy.linalg.norm(total) or 1.0), abs=1e-6)


def test_scores_are_sums_of_factors() -> None:
    """The tag of `sold` is that of a verb; the model has sell.01 and sell.03."""
    topics = make_topics([0.5, 2.0, -3.0, 4.0, 5.0])
    words, scores = "court sold wine".split(), numpy.array([[1.5, -0.5]], numpy.float32)
    frames = make_frames(
        numpy.zeros((1, 3, 6)),
        words=words,
        candidates=numpy.array([[1, 0, -1]]),
        sense_scores=numpy.append(scores, [[-1e30]], axis=1),
    )
    found = TopicContext(topics, frames.names.senses.names)(frames).sense_scores
    topic = topics.around([words], [["NN", "VB", "NN"]], numpy.array([0]), numpy.array([1]))[0]
    expected = []
    for name, score in zip(["sell.03", "sell.01"], scores[0].tolist(), strict=True):
        row = topics.senses.tolist().index(keys_of([name])[0])
        cosine = topics.sense_vectors[row] / 127 @ topic
        is_other, is_first = not topics.classes[row, 1], name == "sell.01"
        expected.append(0.5 * score + 2.0 * cosine - 3.0 * is_other + 4.0 * is_first)
    assert found[0, :2] == pytest.approx(numpy.array(expected), abs=1e-5)
    assert found[0, 2] < -1e29


def test_unknown_rolesets_are_neutral() -> None:
    own = make_topics([1, 0, 0, 0, 0]).of_senses(["sell.01", "give.LV"])
    assert own.sense_vectors[1].tolist() == [0.0] * 3
    assert own.classes[1].all() and own.is_first.tolist() == [True, False]


def test_the_topics_of_the_package_know_all_rolesets() -> None:
    topics = open_arrays(SenseTopics, TOPICS_FILE)
    names = [roleset.sense for roleset in packaged_inventory()]
    assert numpy.isin(keys_of(names), topics.senses).all()
    rolesets = ["fine.01", "fine.04", "pass.20", "pass.08"]
    (of_court,) = topics.around(
        [["The", "court", "and", "parliament", "decided"]],
        [["DT", "NN", "CC", "NN", "VBD"]],
        numpy.array([0]),
        numpy.array([4]),
    )
    punished, fine, *_ = topics.of_senses(rolesets).sense_vectors @ of_court
    assert punished > fine
    assert topics.of_senses(rolesets).classes[:2].tolist() == [
        [True, True, False],
        [False, False, True],
    ]
