"""What may be asked, in every form that Python users have, and what is said of anything else."""

import json
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.requests import (
    MOST_LEVELS,
    Request,
    RequestReader,
    plain_extra,
    read_json_line,
)
from lisa_allennlp.labelling.writing import document_to_json
from lisa_allennlp.sentence.sentence import Sentence

READER = RequestReader(
    "en", ("head_indices", "head_tags", "allow_cycles", "predicates", "given_roles")
)
TEXTS = st.text(st.characters(), max_size=4)
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(TEXTS, values, max_size=3),
    max_leaves=6,
)


@given(st.text(st.characters(exclude_categories=["Cs", "Cf"]), max_size=40))
def test_offsets_are_those_of_the_text(text: str) -> None:
    sentence = READER.read(text).sentence
    assert sentence.text == text and sentence.offsets is not None
    assert [text[start:end] for start, end in sentence.offsets] == sentence.words
    assert not any(word.isspace() for word in sentence.words)
    positions = [position for offsets in sentence.offsets for position in offsets]
    assert positions == sorted(positions)
    if sentence.words:
        read = READER.read({"tokens": sentence.words, "text": text}).sentence
        assert (read.offsets, read.text, read.extra) == (sentence.offsets, text, {"text": text})


def test_the_forms_of_an_input() -> None:
    words = ["She", "left", "."]
    for content in (numpy.str_("She left."), {"sentence": "She left."}):
        assert READER.read(content).sentence.words == words
    for content in (words, tuple(words), {"tokens": words, "id": "x"}, numpy.array(words)):
        sentence = READER.read(content).sentence
        assert sentence.words == words and sentence.offsets is None
        assert {type(word) for word in sentence.words} == {str}
    assert plain_extra({"id": numpy.int64(7)}) == {"id": 7}


def test_answers_are_inputs_without_their_labels() -> None:
    tree = {"head_indices": [2, 0], "predicates": [1]}
    request = READER.read({"words": ["She", "left"], **tree, "id": 1})
    assert request == READER.read({"tokens": ["She", "left"], **tree, "id": 1})
    labels = {"pos": ["a", "b"], "predicates": [1], "verbs": [], "predicted_heads": [2, 0]}
    answer = {"words": ["She", "left"], "offsets": [[0, 3], [4, 8]], **labels, "id": 1}
    request = READER.read(answer)
    expected = Sentence(["She", "left"], offsets=[(0, 3), (4, 8)], extra={"id": 1})
    assert request == Request(expected)
    # Parsers read the tags.
    reader = RequestReader("en", ["pos"])
    assert reader.read({"words": ["She", "left"], **labels}, True).sentence.pos == ["a", "b"]
    # A document may have a number of words.
    document = READER.read_document({"text": "Go. Stop now.", "words": 3, "id": 1})
    assert document.extra == {"words": 3, "id": 1}
    again = READER.read_document({**document.to_dict(), "sentences": [{"words": ["Go.Stop"]}]})
    assert [sentence.words for sentence in again] == [["Go.Stop"]]
    assert READER.read_document(document.to_dict()) == document


def test_several_sentences_bring_a_warning_once(recwarn: pytest.WarningsRecorder) -> None:
    reader = RequestReader("en")
    for text in ("It ended.", "Go on. Stop now.", "Go on. Stop now."):
        reader.warn_of_several_sentences(text)
    # Others may come from what the garbage collector finds.
    (warning,) = [found for found in recwarn if found.category is UserWarning]
    assert str(warning.message).startswith('found 2 sentences in "Go on. Stop now."')


def test_the_first_near_miss_of_a_key_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    reader = RequestReader("en", ["head_indices", "head_tags"])
    plain = {"tokens": ["Go"], "id": 1, "head_indices": [0]}
    for extra in ({}, {"head_index": [0]}):
        assert reader.read({**plain, **extra}).sentence.extra == {"id": 1, **extra}
    assert not caplog.messages
    given = {"tokens": ["Go"], "head_index": [0]}
    assert [reader.read(given).head_indices for _ in range(3)] == [None] * 3
    (note,) = caplog.messages
    assert "`head_index`" in note and note.endswith("(did you mean 'head_indices'?)")


def test_tags_are_noted_once(caplog: pytest.LogCaptureFixture) -> None:
    reader = RequestReader("en")
    words = [reader.read(text).sentence.words for text in ("a < b", "Go <br> on", "<b>Go</b> on")]
    assert words == [["a", "<", "b"], ["Go", "on"], ["Go", "on"]]
    (note,) = caplog.messages
    assert "HTML" in note


def test_contractions_are_split_on_request() -> None:
    given = {"tokens": ["They", "didn't", "stop", "O'Hara", "."], "split_contractions": True}
    sentence = RequestReader("en").read({**given, "text": "They didn't stop O'Hara."}).sentence
    assert sentence.words == ["They", "did", "n't", "stop", "O'Hara", "."]
    assert sentence.offsets is not None and sentence.offsets[1:3] == [(5, 8), (8, 11)]
    assert "split_contractions" not in sentence.extra
    given["split_contractions"] = False
    assert RequestReader("en").read(given).sentence.words == given["tokens"]
    with pytest.raises(ConfigurationError, match="`predicates`: found .*split_contractions"):
        READER.read({**given, "split_contractions": True, "predicates": [1]})


@pytest.mark.parametrize(
    "value",
    [(2, 0, 2), numpy.array([2, 0, 2]), torch.tensor([2, 0, 2]), list(numpy.int8([2, 0, 2]))],
)
def test_integers(value: Any) -> None:
    given = {"tokens": list("abc"), "head_indices": value, "predicates": value[1:]}
    request = READER.read(given)
    assert (request.head_indices, request.predicates) == ([1, 1, 1], [1, 0, 1])
    assert {type(number) for number in request.head_indices or ()} == {int}


def one() -> Any:
    yield 1


ERRORS: Any = [
    (3, "the input: found 3; expected raw text, a list of words, or an object with"),
    ({"sentence": "a", "tokens": ["a"]}, "expected one of `sentence`, `tokens` and `words`"),
    ({"tokens": ["go", "go"], "text": "go."}, "`tokens` at token 2: .* after its first 2 char"),
    ({"sentence": "a \ud800"}, r"`sentence`: found \"a .ud800\"; expected Unicode text"),
    ({"tokens": ["a"], "head_indices": [0, 0]}, "a list of integers with one item for each"),
    ({"tokens": ["a", "b"], "head_indices": [0, 3]}, r"at token 2 \('b'\): found 3; expected 0"),
    ({"tokens": ["a"], "head_tags": ["x"]}, "expected `head_indices` as well"),
    ({"tokens": ["a"], "predicates": [1]}, "`predicates`: found 1; expected 0-based"),
    # Meant as a mark per word.
    ({"tokens": list("abc"), "predicates": [1, 0, 1]}, "expected the position of each predicate"),
    *(
        ({"tokens": ["a"], "predicates": value}, "`predicates`: .*; expected a list of integers")
        for value in (one(), numpy.array(1), numpy.array([1.0]))
    ),
    *(
        ({"tokens": list("abc"), "predicates": [1, 2], "given_roles": value}, message)
        for value, message in (
            ([{"index": "1"}], '`index` in `given_roles`: found "1"; expected an integer'),
            ([{"index": 0}], "`index` in `given_roles`: found 0; expected one of the `predicates`"),
            ([{"index": 1}, {"index": 1}], "`given_roles`: .*; expected one item for predicate 1"),
            ([{"index": 1, "sense": "go"}], 'of predicate 1: found "go"; expected a roleset such'),
            ([{"index": 1, "spans": [["A0", 2, 3]]}], "a first and a last word from 0 to 2"),
            ([{"index": 1, "spans": [["A0", 0, 1]]}], "expected no role at its word but V"),
            ([{"index": 2, "spans": [["A0", 0, 1], ["O", 1, 1]]}], "no overlap with"),
        )
    ),
    ({"words": ["a"], "offsets": [[0]], "verbs": []}, "`offsets`: found .*; expected a list of"),
    ({"tokens": ["a"], "pos": ["DT"]}, "`pos`: found a key that the output uses"),
    ({"tokens": ["a"], 3: 4}, "the input's keys: found 3; expected strings"),
    ({"sentence": "a" * 5_000_001}, "found a sentence of 5,000,001 characters; expected at"),
]


@pytest.mark.parametrize("content, message", ERRORS)
def test_anything_else_is_explained(content: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        READER.read(content)


def test_given_roles() -> None:
    spans = (("V", numpy.int64(1), 1), ["A0", 0, 0])
    given = [{"index": numpy.int64(1), "sense": "take_on.LV", "spans": spans}, {"index": 2}]
    found = READER.read({"tokens": list("abc"), "given_roles": given}).given_roles
    first, second = found
    assert first == {"index": 1, "sense": "take_on.LV", "spans": [("V", 1, 1), ("A0", 0, 0)]}
    assert second["index"] == 2 and "sense" not in second
    assert type(first["index"]) is type(first["spans"][0].first) is int
    # A labeller without this key copies it.
    copied = RequestReader("en").read({"tokens": ["a"], "given_roles": 1})
    assert not copied.given_roles and copied.sentence.extra == {"given_roles": 1}


def test_cycles() -> None:
    given = {"tokens": ["She", "has", "left", "."], "head_indices": [0, 3, 2, 1]}
    with pytest.raises(ConfigurationError, match=r"cycle 2 \(has\) <- 3 \(left\) <- 2 \(has\)"):
        READER.read(given)
    assert READER.read({**given, "allow_cycles": True}).head_indices == [0, 2, 1, 0]
    assert READER.read({**given, "head_indices": [0] * 4}).head_indices == [0, 1, 2, 3]


def has_a_place_in_json(value: Any) -> bool:
    """By Python's own functions: strict JSON in UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


@given(st.dictionaries(TEXTS, JSON_VALUES, max_size=3))
def test_copied_keys_read_back_equal_or_are_refused(given: Any) -> None:
    if has_a_place_in_json(given):
        written = json.dumps(plain_extra(given), ensure_ascii=False)
        assert json.loads(written.encode()) == given
    else:
        with pytest.raises(ConfigurationError) as raised:
            plain_extra(given)
        raised.value.message.encode()


def nested(levels: int) -> Any:
    value: Any = 0
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_nesting() -> None:
    deepest = {"id": nested(MOST_LEVELS)}
    assert plain_extra(deepest) == deepest
    itself: Any = []
    itself.append(itself)
    for value in (nested(MOST_LEVELS + 1), nested(100_000), itself):
        with pytest.raises(ConfigurationError, match="`id`: .*; expected at most 100 levels"):
            plain_extra({"id": value})
    # Python's decoder fails at about 1,000 levels.
    for levels in (*range(900, 1001, 20), 100_000):
        line = b'{"tokens": ["a"], "id": %s1%s}' % (b"[" * levels, b"]" * levels)
        with pytest.raises(ConfigurationError, match="expected (JSON|at most 100 levels)"):
            READER.read(read_json_line(line))


def test_separators_of_lines_are_kept() -> None:
    text = "Go\u2028on\u0085.\x0c"
    line = json.dumps({"text": text, "id": "\u2029\x00"}, ensure_ascii=False).encode()
    document = READER.read_document(read_json_line(b"\xef\xbb\xbf" + line + b"\r\n"))
    written = document_to_json(document).encode()
    found = json.loads(written)
    assert (found["text"], found["id"]) == (text, "\u2029\x00") and written.count(b"\n") == 1


@pytest.mark.parametrize(
    "line, message",
    [
        (b"She left .", r"cannot read this input line as JSON \(Expecting value at character 1\)"),
        (b"\xff", "found byte 0xff at byte 1; expected UTF-8"),
        (b'{"a": [{"\\ud800": 1, "\\ud800": 2}]}', "found the key .* twice; expected it once"),
    ],
)
def test_lines_that_are_not_json(line: bytes, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_json_line(line)
