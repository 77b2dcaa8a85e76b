"""The typed sentence: conversions, round trips, and what people see of it."""

import dataclasses
import pickle
from typing import List

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.roles import LabelledSpan, spans_to_bio
from lisa_allennlp.data.sentence import (
    ANSWER_KEYS,
    Arc,
    Frame,
    Parse,
    RankedSupertag,
    RoleSpan,
    Sentence,
    Token,
    one_based_heads,
    self_loop_heads,
    to_columns,
)

TEXT = "She sold him  the car."
SENTENCE = Sentence(
    ["She", "sold", "him", "the", "car", "."],
    pos=["PRP", "VBD", "PRP", "DT", "NN", "."],
    frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"])],
    parse=Parse([1, 1, 1, 4, 1, 1], ["nsubj", "root", "iobj", "det", "obj", "punct"]),
    predicate_probabilities=[0.0, 0.9, 0.0, 0.0, 0.1, 0.0],
    offsets=[(0, 3), (4, 8), (9, 12), (14, 17), (18, 21), (21, 22)],
    text=TEXT,
    extra={"id": 7},
)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    length = draw(st.integers(0, 6))

    def per_token(values: st.SearchStrategy) -> List:
        return draw(st.lists(values, min_size=length, max_size=length))

    def maybe(value):
        return value if draw(st.booleans()) else None

    names = st.sampled_from(["A0", "C-A1", "ARGM-TMP"])
    frames = []
    for predicate in draw(st.sets(st.integers(0, length - 1))) if length else ():
        first = draw(st.integers(0, length - 1))
        last = draw(st.integers(first, length - 1))
        tags = spans_to_bio([LabelledSpan(draw(names), first, last)], length)
        probabilities = draw(st.none() | st.lists(st.floats(0, 1), min_size=1, max_size=1))
        chance = draw(st.none() | st.floats(0, 1))
        frames.append(Frame(predicate, tags, probability=chance, span_probabilities=probabilities))
    heads = per_token(st.integers(0, max(length - 1, 0)))
    return Sentence(
        per_token(st.text(min_size=1)),
        pos=maybe(per_token(st.sampled_from("XY"))),
        frames=maybe(frames),
        parse=maybe(Parse(heads, per_token(st.sampled_from(["root", "dep"])))),
        supertags=maybe(per_token(st.sampled_from(["N", r"S\NP"]))),
        candidates=maybe([[RankedSupertag("N", 0.5)] for _ in range(length)]),
        predicate_probabilities=maybe(per_token(st.floats(0, 1))),
        pos_probabilities=maybe(per_token(st.floats(0, 1))),
        head_probabilities=maybe(per_token(st.floats(0, 1))),
        extra=draw(st.dictionaries(st.sampled_from(["id", "note"]), st.integers())),
    )


@given(st.lists(st.integers(0, 9), max_size=10))
def test_heads_convert_back_and_forth(numbers: List[int]) -> None:
    # A token that is its own head in 1-based heads is no tree's; leave those out.
    heads = [0 if n == t or n > len(numbers) else n for t, n in enumerate(numbers, start=1)]
    assert one_based_heads(self_loop_heads(heads)) == heads
    for token, (head, index) in enumerate(zip(heads, self_loop_heads(heads), strict=True)):
        assert index == (token if head == 0 else head - 1)


@given(sentences())
def test_the_json_form_reads_back_to_the_same_sentence(sentence: Sentence) -> None:
    described = sentence.to_dict()
    again = Sentence.from_dict(described)
    assert again.to_dict() == described
    expected = sentence
    if sentence.frames is None:
        # Probabilities are described beside frames.
        expected = dataclasses.replace(sentence, predicate_probabilities=None)
    assert again == expected
    assert set(described) - set(sentence.extra) <= ANSWER_KEYS


@given(sentences())
def test_sentences_survive_pickling(sentence: Sentence) -> None:
    assert pickle.loads(pickle.dumps(sentence)) == sentence


def test_the_json_form() -> None:
    assert SENTENCE.to_dict() == {
        "id": 7,
        "words": ["She", "sold", "him", "the", "car", "."],
        "pos": ["PRP", "VBD", "PRP", "DT", "NN", "."],
        "predicted_heads": [2, 0, 2, 5, 2, 2],
        "predicted_dependencies": ["nsubj", "root", "iobj", "det", "obj", "punct"],
        "predicates": [1],
        "predicate_probabilities": [0.0, 0.9, 0.0, 0.0, 0.1, 0.0],
        "verbs": [
            {
                "verb": "sold",
                "index": 1,
                "description": "[ARG0: She] [V: sold] [ARG2: him] [ARG1: the car] .",
                "tags": ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"],
                "spans": [["ARG0", 0, 0], ["V", 1, 1], ["ARG2", 2, 2], ["ARG1", 3, 4]],
                "offsets": [[0, 3], [4, 8], [9, 12], [14, 21]],
            }
        ],
        "offsets": [[0, 3], [4, 8], [9, 12], [14, 17], [18, 21], [21, 22]],
    }


def test_tokens_spans_and_arcs() -> None:
    assert SENTENCE.heads == [2, 0, 2, 5, 2, 2]
    assert SENTENCE.tokens[3] == Token("the", 3, "DT", 5, "det", None, 14, 17)
    assert SENTENCE.arcs is not None and SENTENCE.arcs[3] == Arc(4, 5, "det")
    assert SENTENCE.frames is not None
    (frame,) = SENTENCE.frames
    assert frame.verb == "sold"
    assert frame.roles[3] == RoleSpan("ARG1", 3, 4, "the car", 14, 21)
    for token in SENTENCE.tokens:
        assert TEXT[token.start_char : token.end_char] == token.text
    for span in frame.roles:
        assert TEXT[span.start_char : span.end_char] == span.text
        known = dataclasses.asdict(span)
        assert span.to_dict() == {name: known[name] for name in known if known[name] is not None}
        assert set(known) - set(span.to_dict()) == {"gloss", "probability"}
    assert SENTENCE.tokens[0].to_dict().get("supertag", "none") == "none"


def test_what_is_unknown_is_none() -> None:
    bare = Sentence(["Stop"])
    assert (bare.pos, bare.heads, bare.head_tags, bare.frames, bare.supertags) == (None,) * 5
    assert (bare.predicates, bare.arcs) == (None, None)
    assert bare.to_dict() == {"words": ["Stop"]}
    assert bare.tokens == (Token("Stop", 0),)
    assert (bare[0].children, bare[0].subtree, bare.frame_at(0)) == ((), (), None)
    assert Sentence([], offsets=[]).tokens == ()


@given(sentences())
def test_a_sentence_is_a_sequence_of_tokens(sentence: Sentence) -> None:
    assert len(sentence) == len(list(sentence)) == len(sentence.words)
    assert [token.text for token in sentence] == sentence.words
    assert [token.i for token in sentence] == list(range(len(sentence)))
    assert all(sentence[token.i] is token for token in sentence)
    assert sentence[1:3] == sentence.tokens[1:3]


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)))
def test_children_and_subtrees(numbers: List[int]) -> None:
    # With cycles too, which injected trees may have.
    heads = [0 if head == number else head for number, head in enumerate(numbers, start=1)]
    parse = Parse(self_loop_heads(heads), ["dep"] * len(heads))

    def is_below(number: int, other: int) -> bool:
        path = [number]
        while number and len(path) <= len(heads):
            number = heads[number - 1]
            path.append(number)
        return other in path

    for token in Sentence(["a"] * len(heads), parse=parse):
        own, numbers = token.i + 1, range(1, len(heads) + 1)
        assert [child + 1 for child in token.children] == [
            n for n in numbers if heads[n - 1] == own
        ]
        assert [other + 1 for other in token.subtree] == [n for n in numbers if is_below(n, own)]


def test_frames_are_found_by_predicate_and_spans_by_role() -> None:
    tags = ["B-ARG1", "B-V", "B-C-V", "B-ARG1", "O"]
    frames = [Frame(1, tags), Frame(3, ["O"] * 5)]
    sentence = Sentence(["It", "gave", "up", "it", "."], frames=frames)
    assert sentence.frame_at(3) == frames[1] and sentence.frame_at(0) is None
    frame = sentence.frame_at(1)
    assert frame is not None and frame["ARG1"] == RoleSpan("ARG1", 0, 0, "It")
    assert [(span.role, span.first) for span in frame.arguments] == [("ARG1", 0), ("ARG1", 3)]
    assert "C-V" in frame and "ARG0" not in frame
    with pytest.raises(KeyError, match="ARG0"):
        frame["ARG0"]


def test_objects_are_frozen() -> None:
    frame = SENTENCE.frames[0]
    for thing, name in [(SENTENCE, "words"), (frame, "tags"), (frame.roles[0], "role")]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


def test_representations() -> None:
    spans = "sold: [ARG0: She] [V: sold] [ARG2: him] [ARG1: the car]"
    assert repr(SENTENCE) == f"<Sentence 'She sold him the car .' | {spans}>"
    assert repr(SENTENCE.frames[0]) == f"<Frame {spans}>"
    assert repr(Arc(1, 2, "nsubj")) == "Arc(dependent=1, head=2, head_tag='nsubj')"


def test_details_are_described_as_lists() -> None:
    scores = numpy.array([[0.5, 1.0], [2.0, -1.0]], dtype=numpy.float32)
    sentence = Sentence(["a", "b"], arc_scores=scores, attention=scores)
    described = sentence.to_dict()
    assert described["arc_scores"] == [[0.5, 1.0], [2.0, -1.0]]
    numpy.testing.assert_array_equal(Sentence.from_dict(described).attention, scores)


def test_columns_have_an_item_per_sentence() -> None:
    columns = to_columns([Sentence(["a"]), Sentence(["b"], ["Y"])])
    assert columns == {"words": [["a"], ["b"]], "pos": [None, ["Y"]]}
    assert to_columns([]) == {}


def test_probabilities() -> None:
    sentence = Sentence(
        ["She", "sang"],
        frames=[Frame(1, ["B-ARG0", "B-V"], probability=0.8, span_probabilities=[0.7, 1.0])],
        parse=Parse([1, 1], ["nsubj", "root"]),
        head_probabilities=[0.6, 0.9],
    )
    assert sentence.frames is not None and sentence.arcs is not None
    assert [span.probability for span in sentence.frames[0].roles] == [0.7, 1.0]
    assert sentence.arcs[1] == Arc(2, 0, "root", 0.9)
    described = sentence.to_dict()
    assert described["head_probabilities"] == [0.6, 0.9]
    assert described["verbs"][0]["probability"] == 0.8
    assert described["verbs"][0]["span_probabilities"] == [0.7, 1.0]
