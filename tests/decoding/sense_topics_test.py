"""The topics of predicates and rolesets."""

from typing import List, Sequence

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.contexts import TopicContext
from lisa_allennlp.decoding.features import GROUPS, PATTERNS, Place, pattern_features
from lisa_allennlp.decoding.lexicon import FILES
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
        *rng.integers(-127, 128, (3, 3, 3)).astype(numpy.int8),
        rng.integers(-127, 128, (3, len(PATTERNS))).astype(numpy.int8),
        rng.integers(0, 2, (3, 3)).astype(bool),
        numpy.array([name == "sell.01" for name in senses]),
        numpy.array([1.5, 2.5, 0.5], numpy.float16),
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
    topics = make_topics([1, *[0] * 10])
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
    """The tag of `sold` is that of a verb; the model has sell.01 and sell.03, but not sell.02."""
    factors = [0.5, 2.0, -1.5, 0.7, 0.1, 0.2, 0.3, -3.0, 4.0, 5.0, -0.6]
    topics = make_topics(factors)
    words, scores = "court sold wine".split(), numpy.array([[1.5, -0.5]], numpy.float32)
    parse = Parse([1, 1, 1], ["nsubj", "root", "obj"])
    candidates = [1, 0, 2, -1]
    frames = make_frames(
        numpy.zeros((1, 3, 6)),
        words=words,
        parse=parse,
        candidates=numpy.array([candidates]),
        sense_scores=numpy.append(scores, [[-1e30, -1e30]], axis=1),
    )
    names = frames.names.senses
    names.names = [*names.names, "sell.02"]
    found = TopicContext(topics, names)(frames).sense_scores
    topic = topics.around([words], [["NN", "VB", "NN"]], numpy.array([0]), numpy.array([1]))[0]
    vectors = topics.word_vectors[
        [topics.words.tolist().index(keys_of([w])[0]) for w in words[::2]]
    ]
    objects, arguments = vectors[1].astype(float), vectors.astype(float).sum(0)
    place = Place(words, frames.tokens.pos[0], parse, 1)
    numbers = pattern_features(place, frames.tags[0])
    of_objects, of_words = PATTERNS["obj"], [n for n in numbers if GROUPS[2, n]]
    expected = []
    for name, score in zip(["sell.03", "sell.01", "sell.02"], [1.5, -0.5, 1.5], strict=True):
        row = topics.senses.tolist().index(keys_of([name])[0])
        patterns = topics.patterns[row].astype(float) / 10
        values = [
            score,
            topics.sense_vectors[row] / 127 @ topic,
            topics.objects[row] / 127 @ objects / numpy.linalg.norm(objects),
            topics.arguments[row] / 127 @ arguments / numpy.linalg.norm(arguments),
            patterns[numbers].sum(),
            patterns[of_objects],
            patterns[of_words].sum(),
            not topics.classes[row, 1],
            name == "sell.01",
            False,
            float(topics.frequencies[row]) * (name == "sell.02"),
        ]
        expected.append(numpy.dot(factors, values))
    assert found[0, :3] == pytest.approx(numpy.array(expected), abs=1e-4)
    assert found[0, 3] < -1e29


@pytest.mark.parametrize(
    "words, tags, heads, relations, expected",
    [
        (
            "Profits fell 12 % in May",
            "NNS VBD CD NN IN NNP",
            [1, 1, 3, 1, 5, 1],
            "nsubj root nummod obl:npmod case obl",
            "|relation root|nsubj|nsubj other|obl:npmod|obl:npmod amount|obl|obl name|with in",
        ),
        (
            "We put it off",
            "PRP VBD PRP RP",
            [1, 1, 1, 1],
            "nsubj root obj compound:prt",
            "|relation root|nsubj|nsubj person|obj|obj thing|compound:prt|with off",
        ),
    ],
)
def test_patterns(words: str, tags: str, heads: List[int], relations: str, expected: str) -> None:
    place = Place(words.split(), tags.split(), Parse(heads, relations.split()), 1)
    names = list(PATTERNS)
    found = [names[n] for n in pattern_features(place, ["B-ARG1", "B-V", *["O"] * 4])]
    assert set(found) == {*expected.split("|"), "ARG1"}


def test_unknown_rolesets_are_neutral() -> None:
    topics = make_topics([1, *[0] * 10])
    own = topics.at(topics.rows_of(["sell.01", "give.LV"]))
    assert own.sense_vectors[1].tolist() == [0.0] * 3
    assert own.classes[1].all() and own.is_first.tolist() == [True, False]


def test_the_topics_of_the_package_know_the_rolesets_of_frames_3_1() -> None:
    topics = open_arrays(SenseTopics, FILES["topics"])
    # Those of frames 3.1 come first.
    names = [roleset.sense for roleset in packaged_inventory()][:10_687]
    assert numpy.isin(keys_of(names), topics.senses).all()
    rolesets = topics.at(topics.rows_of(["fine.01", "fine.04", "pass.20", "pass.08"]))
    (of_court,) = topics.around(
        [["The", "court", "and", "parliament", "decided"]],
        [["DT", "NN", "CC", "NN", "VBD"]],
        numpy.array([0]),
        numpy.array([4]),
    )
    punished, fine, *_ = rolesets.sense_vectors @ of_court
    assert punished > fine
    assert rolesets.classes[:2].tolist() == [
        [True, True, False],
        [False, False, True],
    ]
