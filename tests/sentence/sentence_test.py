"""The typed sentence: conversions, round trips, and what people see of it."""

import dataclasses
import pickle
import subprocess
import sys
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.sentence.sentence import (
    Arc,
    Frame,
    Parse,
    RoleSpan,
    Sentence,
    Token,
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
    assert SENTENCE.arcs[3] == Arc(4, 5, "det")
    (frame,) = SENTENCE.frames
    assert frame.roles[3] == RoleSpan("ARG1", 3, 4, "the car", 14, 21)
    for item in (*SENTENCE.tokens, *frame.roles):
        assert TEXT[item.start_char : item.end_char] == item.text
    assert repr(frame) == "<Frame sold: [ARG0: She] [V: sold] [ARG2: him] [ARG1: the car]>"
    sure = dataclasses.replace(frame, span_probabilities=[0.5, 0.6, 0.7, 0.8])
    assert [span.probability for span in sure.roles] == [0.5, 0.6, 0.7, 0.8]


def test_what_is_unknown_is_none() -> None:
    bare = Sentence(["Stop"])
    assert (bare.pos, bare.heads, bare.head_tags, bare.frames, bare.supertags) == (None,) * 5
    assert (bare.predicates, bare.arcs) == (None, None)
    assert bare.to_dict() == {"words": ["Stop"]}
    assert bare.tokens == (Token("Stop", 0),)
    assert (bare[0].children, bare[0].subtree, bare.frame_at(0)) == ((), (), None)
    assert Sentence([], offsets=[]).tokens == ()


def test_a_sentence_is_a_sequence_of_tokens() -> None:
    assert len(SENTENCE) == len(list(SENTENCE)) == 6
    assert [token.text for token in SENTENCE] == SENTENCE.words
    assert all(SENTENCE[token.i] is token for token in SENTENCE)
    assert SENTENCE[1:3] == SENTENCE.tokens[1:3]
    assert pickle.loads(pickle.dumps(SENTENCE)) == SENTENCE


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


def test_columns_have_an_item_per_sentence() -> None:
    columns = to_columns([Sentence(["a"]), Sentence(["b"], ["Y"])])
    assert columns == {"words": [["a"], ["b"]], "pos": [None, ["Y"]]}
    assert to_columns([]) == {}


def test_methods_need_no_other_import() -> None:
    code = """
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
tree = Parse([1, 1], ["nsubj", "root"])
sentence = Sentence(["It", "rained"], ["PRP", "VBD"], [Frame(1, ["O", "B-V"])], tree)
assert [event.text for event in sentence.events] == ["rained"]
assert Sentence.from_conllu(sentence.to_conllu()).frames == sentence.frames
from lisa_allennlp.sentence.document import Document
assert len(Document("It rained", [sentence]).events) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
