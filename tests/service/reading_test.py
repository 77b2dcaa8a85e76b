"""Bodies: what is JSON, and what is refused."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.labelling.requests import DocumentRequest, RequestReader
from lisa_allennlp.service.errors import MOST_CHARACTERS, RequestError
from lisa_allennlp.service.reading import MOST_LEVELS, read_inputs, read_json

READER = RequestReader("en", ["predicates"])


def read(content: Any) -> Any:
    return READER.read_document(content) if "text" in content else READER.read(content)


REFUSED = {
    b"": "expected JSON .* at character 1",
    b'{"a"': "expected JSON",
    b"[1, 2": "expected JSON",
    b"'a'": "expected JSON",
    b"\xff\xfe": "found byte 0xff at byte 1; expected UTF-8",
    b'{"a": 1, "a": 2}': "the key .a. twice",
    b"[NaN]": "found the number NaN",
    b"[-Infinity]": "found the number -Infinity",
    b"[1e999]": "found the number 1e999",
    b"[" + 5000 * b"7" + b"]": "thousands of digits",
    b"[" * 100_000: "nested deeper than 100 levels",
    b'{"a":' * 100_000: "nested deeper than 100 levels",
    b"[" * (MOST_LEVELS + 1) + b"]" * (MOST_LEVELS + 1): "nested deeper than 100 levels",
}


@pytest.mark.parametrize("body", REFUSED, ids=[str(body[:12]) for body in REFUSED])
def test_what_is_refused(body: bytes):
    with pytest.raises(RequestError, match=REFUSED[body]) as refused:
        read_json(body)
    assert refused.value.status == 400
    assert "\n" not in refused.value.message
    assert len(refused.value.message) <= MOST_CHARACTERS


def test_an_object_without_an_input():
    for body in (b"{}", b'{"id": 3}', b"null"):
        (found,) = read_inputs(body, read, 9).asked
        assert found.endswith("expected raw text, or an object with `sentence`, `tokens` or `text`")


def test_the_deepest_body():
    for inner in (b"", b"1", b'"a", {}'):
        levels = MOST_LEVELS - inner.count(b"{")
        body = b"[" * levels + inner + b"]" * levels
        assert read_json(body) == json.loads(body)


def test_many_keys_take_little_time():
    body = json.dumps({str(n): 0 for n in range(100_000)})[:-1] + ', "99999": 1}'
    start = time.process_time()
    with pytest.raises(RequestError, match="99999.* twice"):
        read_json(body.encode())
    # Comparing all pairs of keys would take minutes.
    assert time.process_time() - start < 10


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_json_is_read_as_json_does(value: Any):
    body = json.dumps(value).encode()
    assert read_json(body) == json.loads(body)


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(body: bytes):
    try:
        read_json(body)
    except RequestError as refused:
        assert refused.status == 400


def test_one_input_and_many():
    one = read_inputs(b'"It rained."', read, 9)
    assert not one.are_many and len(one.asked) == 1
    many = read_inputs(b'["It rained.", {"text": "It rained."}, 3, ["It"], null]', read, 9)
    assert many.are_many
    assert isinstance(many.asked[1], DocumentRequest)
    assert [isinstance(asked, str) for asked in many.asked] == [False, False, True, True, True]
    assert str(many.asked[2]).startswith("the input: found 3; expected raw text")
    assert read_inputs(b"[]", read, 9) == ([], True)


def test_long_sentences_are_refused_wherever_they_are():
    words = ["word"] * 10
    bodies = [{"tokens": words}, " ".join(words), {"text": " ".join(words)}]
    for body in bodies:
        assert not isinstance(read_inputs(json.dumps(body).encode(), read, 10).asked[0], str)
        (found,) = read_inputs(json.dumps(body).encode(), read, 9).asked
        assert found == (
            "found a sentence of 10 words; expected at most 9 (lisa serve --max-words)"
        )
