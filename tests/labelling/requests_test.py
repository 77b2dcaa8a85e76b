"""What may be asked, and what is said of anything else."""

import json
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.requests import RequestReader, read_json_line
from lisa_allennlp.labelling.writing import document_to_json

READER = RequestReader("en", ("head_indices", "head_tags", "predicates"))
TAG_READER = RequestReader("en", ("pos",))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_offsets_are_those_of_the_text(text: str) -> None:
    sentence = READER.read(text).sentence
    assert sentence.text == text and sentence.offsets is not None
    assert [text[start:end] for start, end in sentence.offsets] == sentence.words
    assert not any(word.isspace() for word in sentence.words)
    positions = [position for offsets in sentence.offsets for position in offsets]
    assert positions == sorted(positions)


def test_the_three_forms_of_an_input() -> None:
    words = ["She", "left", "."]
    for content in ("She left.", {"sentence": "She left."}):
        assert READER.read(content).sentence.words == words
    for content in (words, tuple(words), {"tokens": words}, numpy.array(words)):
        sentence = READER.read(content).sentence
        assert sentence.words == words and sentence.offsets is None


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_tokens_with_their_text_have_its_offsets(text: str) -> None:
    expected = READER.read(text).sentence
    if expected.words:
        read = READER.read({"tokens": expected.words, "text": text}).sentence
        assert (read.offsets, read.text, read.extra) == (expected.offsets, text, {"text": text})


def test_keys_that_are_not_ours_come_back() -> None:
    request = READER.read({"tokens": ["a"], "id": "x", "note": [1, {"b": None}]})
    assert request.sentence.extra == {"id": "x", "note": [1, {"b": None}]}


def test_numpy_integers_are_integers() -> None:
    heads, predicates = list(numpy.array([2, 0])), [numpy.int64(1)]
    given = {"tokens": ["She", "left"], "head_indices": heads, "predicates": predicates}
    request = READER.read(given)
    assert request.head_indices == [1, 1] and request.predicates == [0, 1]
    assert all(type(head) is int for head in request.head_indices)


def test_tags_go_into_the_sentence() -> None:
    assert TAG_READER.read({"tokens": ["a"], "pos": ["DT"]}).sentence.pos == ["DT"]


@pytest.mark.parametrize(
    "content, message",
    [
        (3, "the input: found 3; expected raw text, a list of words, or an object with"),
        (None, "the input: found null; expected raw text"),
        ({1, 2}, "the input: found .*1, 2.*; expected raw text"),
        (b"left", "the input: found .*left.*; expected raw text"),
        ({}, "expected either `sentence` or `tokens`"),
        ({"sentence": "a", "tokens": ["a"]}, "expected either `sentence` or `tokens`"),
        (
            {"tokens": ["go", "go"], "text": "go."},
            '`tokens` at token 2: found "go"; expected what is in `text` after its first 2 char',
        ),
        ({"sentence": 3}, "`sentence`: found 3; expected a string"),
        ({"sentence": "a \ud800"}, r"`sentence`: found \"a .ud800\"; expected Unicode text"),
        (["a", ""], "`tokens`: .*; expected a list of non-empty strings"),
        (["a", 3], "expected a list of non-empty strings"),
        ({"tokens": "a b"}, "expected a list of non-empty strings"),
        ({"tokens": ["a\ud800"]}, "expected Unicode text without lone surrogates"),
        (
            {"tokens": ["a", "b"], "head_indices": [0]},
            "a list of integers with one item for each of the 2 tokens",
        ),
        (
            {"tokens": ["a", "b"], "head_indices": [0, 3]},
            r"`head_indices` at token 2 \('b'\): found 3; expected 0 for the root",
        ),
        ({"tokens": ["a", "b"], "head_indices": [0, 2]}, "found 2; expected 0 for the root"),
        (
            {"tokens": ["a", "b"], "head_indices": [2, 1]},
            r"found \[2, 1\]; expected a tree without the cycle 1 \(a\) <- 2 \(b\) <- 1 \(a\), or",
        ),
        ({"tokens": ["a"], "head_indices": [True]}, "a list of integers"),
        ({"tokens": ["a"], "head_indices": [0.0]}, "a list of integers"),
        ({"tokens": ["a"], "head_tags": ["x"]}, "expected `head_indices` as well"),
        ({"tokens": ["a"], "predicates": [1]}, "`predicates`: found 1; expected 0-based"),
        ({"tokens": ["a"], "words": ["b"]}, "`words`: found a key that the output uses"),
        ({"tokens": ["a"], "id": "\ud800"}, "`id`: .*; expected Unicode text without lone surr"),
        ({"tokens": ["a"], "\ud800": 1}, "the input's keys: .*; expected Unicode text without"),
        ({"tokens": ["a"], "id": float("nan")}, "`id`: found NaN; expected finite numbers"),
        ({"tokens": ["a"], 3: 4}, "the input's keys: found 3; expected strings"),
        (
            {"tokens": ["a"], "head_indices": [0], "head_tags": ["\ud800"]},
            "`head_tags`: .*; expected Unicode text",
        ),
        ({"sentence": "a" * 5_000_001}, "found a sentence of 5,000,001 characters; expected at"),
        (numpy.array([["a"]]), "`tokens`: .*; expected a list of non-empty strings"),
        (numpy.array([1]), "`tokens`: .*; expected a list of non-empty strings"),
        ({"tokens": ["a"], "pos": ["DT"]}, "`pos`: found a key that the output uses"),
    ],
)
def test_anything_else_is_explained(content: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        READER.read(content)


def test_separators_of_lines_are_kept() -> None:
    text = "Go\u2028on\u0085.\x0c"
    line = json.dumps({"text": text, "id": "\u2029\x00"}, ensure_ascii=False).encode()
    request = READER.read_document(read_json_line(line + b"\r\n"))
    written = document_to_json(request.document).encode()
    found = json.loads(written)
    assert (found["text"], found["id"]) == (text, "\u2029\x00") and written.count(b"\n") == 1


@pytest.mark.parametrize("levels", [*range(900, 1001, 5), 100_000])
def test_nesting_of_any_depth_is_explained(levels: int) -> None:
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        line = b'{"tokens": ["a"], "id": %s1%s}' % (opening * levels, closing * levels)
        with pytest.raises(ConfigurationError, match="expected (JSON|at most 100 levels)"):
            READER.read(read_json_line(line))


def test_deep_nesting_is_explained() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ConfigurationError, match="`sentence`: found a list that cannot be shown"):
        READER.read({"sentence": nested})


@pytest.mark.parametrize(
    "line, message",
    [
        (b"She left .", r"cannot read this input line as JSON \(Expecting value at character 1\)"),
        (b"\xff", "found byte 0xff at byte 1; expected UTF-8"),
        (b"[" * 200_000, "expected JSON"),
        (b"1" * 5000, "expected JSON"),
        (b'{"id": 1, "a": {}, "id": 1}', 'found the key "id" twice; expected it once'),
        (b'{"a": [{"\\ud800": 1, "\\ud800": 2}]}', "found the key .* twice; expected it once"),
        (b'\x00{"id": 1}', "cannot read this input line as JSON"),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"id": 1}', "cannot read this input line as JSON"),
    ],
)
def test_lines_that_are_not_json(line: bytes, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_json_line(line)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read_json_line(b'\xef\xbb\xbf{"id": 1}\r\n') == {"id": 1}
